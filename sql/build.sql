--
-- ac_build and ac_build_bytea
--

SELECT ac_build('{foo,bar}');
SELECT ac_build(ARRAY['foo', 'bar'], ARRAY[7, 9]);
SELECT ac_build('{foo,bar}', ids => '{7,7}', ignore_case => true, whole_words => true);
SELECT ac_build('{foo,bar}', ignore_case => true), ac_build('{foo,bar}', whole_words => true);
SELECT ac_build('{}'), ac_build('{}', '{}'), ac_build('{}', NULL, true, true);
SELECT ac_build('[0:1]={foo,bar}', '[3:4]={8,9}') AS bounds_do_not_matter;
SELECT ac_build('{foo,foo,bar}', '{1,2,2}') AS nothing_is_merged;
SELECT ac_build('{a,b}', '{9223372036854775807,-9223372036854775808}');
SELECT ac_build('{Foo,FOO,foo}', ignore_case => true) AS spelled_as_given;
SELECT ac_build_bytea(ARRAY['\x00ff', 'abc']::bytea[]);
SELECT ac_build_bytea(ARRAY['\x00ff', 'abc']::bytea[], '{7,9}', true);
SELECT ac_build_bytea('{}');

-- null
SELECT ac_build(NULL) IS NULL AS patterns, ac_build_bytea(NULL) IS NULL AS bytea_patterns;
SELECT ac_build('{foo}', NULL) AS ids, ac_build_bytea('{foo}', NULL) AS bytea_ids;

-- arrays from elsewhere: expanded, of short values, in a column
DO $$
DECLARE
	words text[] := '{}';
BEGIN
	FOR i IN 1..5 LOOP
		words := words || ('w' || i);
	END LOOP;
	RAISE NOTICE '%', ac_build(words);
	words[3] := repeat('x', 30);
	RAISE NOTICE '%', ac_build(words, ARRAY[1, 2, 3, 4, 6]);
END
$$;
CREATE TEMP TABLE lists AS SELECT array_agg('w' || i ORDER BY i) AS words, array_agg(-i ORDER BY i) AS ids
	FROM generate_series(1, 3000) AS i;
SELECT ac_build(words)::text[] = words AS words, md5(ac_build(words)::text) = md5(words::text) AS text_form FROM lists;
SELECT count(*) FILTER (WHERE p.id = w.id AND p.pattern = w.word) AS same, count(*)
FROM lists, ac_patterns(ac_build(words, ids)) WITH ORDINALITY AS p(id, pattern, n)
	JOIN unnest((SELECT words FROM lists), (SELECT ids FROM lists)) WITH ORDINALITY AS w(word, id, n) USING (n);

-- the image depends on the rules alone
SELECT ac_build('{she,he,his,hers}') = '{she,he,his,hers}'::acautomaton AS text_form,
	   ac_build('{she,he,his,hers}') = ARRAY['she', 'he', 'his', 'hers']::acautomaton AS from_array,
	   ac_build('{she,he,his,hers}') = (SELECT ac_agg(w ORDER BY n) FROM unnest('{she,he,his,hers}'::text[]) WITH ORDINALITY AS u(w, n)) AS from_rows;

-- built in workers too
CREATE TABLE many AS SELECT i, ARRAY['a' || i, 'b' || i % 7] AS words FROM generate_series(1, 2000) AS i;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT count(*), sum(length(ac_build(words)::text)) FROM many;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
DROP TABLE many;

-- one long pattern; many copies of one
SELECT patterns, states, pattern_bytes, min_len, max_len FROM ac_info(ac_build(ARRAY[repeat('ab', 500000)]));
SELECT patterns, states, pattern_bytes, min_len, max_len FROM ac_info(ac_build(array_fill('abc'::text, ARRAY[100000])));
