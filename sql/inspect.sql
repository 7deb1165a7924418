--
-- ac_info, ac_patterns, ac_dot
--

\x on
SELECT patterns, states, image_bytes = pg_column_size(a) - 4 AS image_bytes, pattern_bytes, min_len, max_len,
	   ignore_case, whole_words, is_bytea, format
FROM (SELECT ac_build('{she,he,his,hers}') AS a) AS t, ac_info(a);
SELECT patterns, states, pattern_bytes, min_len, max_len, ignore_case, whole_words, is_bytea, format
FROM ac_info('{}');
SELECT patterns, states, pattern_bytes, min_len, max_len, ignore_case, whole_words, is_bytea, format
FROM ac_info('[ignore_case whole_words]{He,HE,she,e}');
SELECT patterns, states, pattern_bytes, min_len, max_len, ignore_case, whole_words, is_bytea, format
FROM ac_info('[bytea ignore_case]{"\\x0041","\\x0061"}');
\x off
SELECT (ac_info('{a,bc}')).states, ac_info(NULL) IS NULL AS strict;

-- of a value out of line only the header is read, whatever its size
CREATE TEMP TABLE rules (a acautomaton);
INSERT INTO rules SELECT ac_build(array_agg(md5(i::text) ORDER BY i)) FROM generate_series(1, 20000) AS i;
SELECT patterns, min_len, max_len, image_bytes = pg_column_size(a) AS whole, image_bytes > 300000 AS large
FROM rules, ac_info(a);

SELECT * FROM ac_patterns('{foo,"b a r",foo}');
SELECT * FROM ac_patterns('[ids={7,-9} ignore_case]{Foo,bar}');
SELECT * FROM ac_patterns('[bytea]{"\\x00ff",abc}');
SELECT * FROM ac_patterns('{}');
SELECT * FROM ac_patterns(NULL);
SELECT ac_patterns('{foo,bar}') LIMIT 1;
SELECT n, ac_patterns(a) FROM (VALUES (1, '{foo,bar}'::acautomaton), (2, '{}'), (3, '{baz}')) AS v(n, a) ORDER BY n;
SELECT count(*), count(DISTINCT id), min(id), max(id), bool_and(pattern = md5(id::text)) FROM rules, ac_patterns(a);
SELECT (SELECT pattern FROM ac_patterns(a) LIMIT 1 OFFSET 5) = md5('6') AS sixth FROM rules;

SELECT ac_dot('{ab,b}');
SELECT ac_dot('[ids={7,9,8}]{a,a,ba}');
SELECT ac_dot('{}');
SELECT ac_dot('[bytea]{"\\x0022","\\x5c7f"}');
SELECT ac_dot('[ignore_case]{Ab}');
\set VERBOSITY terse
SELECT length(ac_dot(ac_build(ARRAY[repeat('x', 1999)]))) > 100000 AS drawn;
SELECT ac_dot(ac_build(ARRAY[repeat('x', 2000)]));
\set VERBOSITY sqlstate
SELECT ac_dot(ac_build(ARRAY[repeat('x', 2000)]));
\set VERBOSITY default
