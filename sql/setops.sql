--
-- ac_union, ac_add, ac_remove, ac_remove_ids
--

-- union: entries of the left side, then those that it has not; an entry is (pattern, id)
SELECT ac_union('{foo,bar}', '{foo,baz}');
SELECT ac_union('{foo,bar}', '{bar,foo}') AS same_patterns_other_ids;
SELECT ac_union('[ids={7,9}]{foo,bar}', '[ids={9,7,7}]{bar,foo,baz}');
SELECT ac_union('{foo,bar}', '{}'), ac_union('{}', '{foo,bar}'), ac_union('{}', '{}');
SELECT ac_union('{foo,foo}', '{foo,foo}') AS duplicates_stay;
SELECT ac_union('{foo}', '[ids={2,2}]{bar,bar}') AS on_the_right_too;
SELECT ac_union('[ignore_case]{foo,bar}', '[ignore_case]{FOO,bar}') AS by_the_bytes_given;
SELECT ac_union('[ignore_case ids={1,2}]{foo,bar}', '[ignore_case ids={1,2}]{FOO,bar}');
SELECT ac_union('[bytea]{"\\x00"}', '[bytea ids={2,1}]{"\\x0000","\\x00"}');
SELECT ac_union('{a}', NULL) IS NULL AND ac_union(NULL, '{a}') IS NULL AS strict;
SELECT ac_union(a, b) = ac_union(a, ac_union(a, b)) AS again_changes_nothing
FROM (SELECT '{foo,bar}'::acautomaton AS a, '[ids={4,5}]{x,y}'::acautomaton AS b) AS t;

-- add: patterns that are there are left out, new ones are numbered from max(id) on
SELECT ac_add('{foo,bar}', '{baz,foo,qux}');
SELECT ac_add('[ids={10,-5}]{foo,bar}', '{baz,qux}');
SELECT ac_add('[ids={-7,-5}]{foo,bar}', '{baz}');
SELECT ac_add('{}', '{foo,bar}');
SELECT ac_add('{foo}', '{}'), ac_add('{foo}', '{}', '{}');
SELECT ac_add('{foo}', '{bar,bar}') AS there_after_the_first;
SELECT ac_add('[ignore_case whole_words]{foo}', '{FOO,foo}') AS options_stay;
SELECT ac_add('[ids={9223372036854775806}]{foo}', '{bar}');
-- with ids: entries that are there are left out
SELECT ac_add('{foo,bar}', '{foo,foo,baz}', '{1,5,5}');
SELECT ac_add('{foo,bar}', '{foo,foo}', '{5,5}');
SELECT ac_add('{foo}', '{bar}', '{-9223372036854775808}');
SELECT ac_add(NULL, '{a}') IS NULL AND ac_add('{a}', NULL) IS NULL AND ac_add('{a}', NULL, '{1}') IS NULL AS null_in,
	   ac_add('{a}', '{b}', NULL) AS null_ids;

-- remove
SELECT ac_remove('{foo,bar,foo}', '{foo}');
SELECT ac_remove('[ids={7,9,7}]{foo,bar,baz}', '{bar,unknown}');
SELECT ac_remove('[ignore_case]{foo,FOO}', '{foo}') AS by_the_bytes_given;
SELECT ac_remove('{foo}', '{foo}') AS empty, ac_remove('{foo}', '{}') AS nothing, ac_remove('{}', '{foo}') AS from_empty;
SELECT ac_remove('[whole_words]{foo}', '{foo}') AS options_stay;
SELECT ac_remove(NULL, '{a}') IS NULL AND ac_remove('{a}', NULL) IS NULL AS strict;

SELECT ac_remove_ids('{foo,bar,baz}', '{2}');
SELECT ac_remove_ids('[ids={7,9,7}]{foo,bar,baz}', '{7,100}');
SELECT ac_remove_ids('{foo,bar}', '{2}') AS default_again;
SELECT ac_remove_ids('{foo}', '{1}') AS empty, ac_remove_ids('{foo}', '{}') AS nothing, ac_remove_ids('{}', '{1}') AS from_empty;
SELECT ac_remove_ids('[bytea]{a,b}', '{1}') AS bytea;
SELECT ac_remove_ids(NULL, '{1}') IS NULL AND ac_remove_ids('{a}', NULL) IS NULL AS strict;

-- large sets, against arrays
CREATE TEMP TABLE big AS
SELECT ac_build(array_agg('w' || i ORDER BY i)) AS a,
	   ac_build(array_agg('w' || i * 2 ORDER BY i), array_agg(i * 2 ORDER BY i)) AS evens
FROM generate_series(1, 20000) AS i;
SELECT patterns FROM big, ac_info(ac_union(a, evens));
SELECT ac_union(a, a) = a AS idempotent, ac_add(a, a::text[]) = a AS nothing_new,
	   ac_remove(a, a::text[]) = '{}' AS all_gone FROM big;
SELECT ac_remove(a, evens::text[])::text[] = (SELECT array_agg('w' || i ORDER BY i) FROM generate_series(1, 19999, 2) AS i) AS odds FROM big;
SELECT ac_remove_ids(a, (SELECT array_agg(id) FROM ac_patterns(evens))) = ac_remove(a, evens::text[]) AS by_id FROM big;

-- errors
\set VERBOSITY sqlstate
SELECT ac_union('{foo}', '[ignore_case]{foo}');
SELECT ac_union('[whole_words]{foo}', '{foo}');
SELECT ac_union('{foo}', '[bytea]{foo}');
SELECT ac_union('[bytea ignore_case]{foo}', '[bytea]{foo}');
SELECT ac_add('[bytea]{foo}', '{foo}');
SELECT ac_remove('[bytea]{foo}', '{foo}');
SELECT ac_add('[ids={9223372036854775806}]{foo}', '{bar,baz}');
SELECT ac_add('[ids={9223372036854775807}]{foo}', '{foo}');
SELECT ac_add('[ids={9223372036854775807}]{foo}', '{bar}');
SELECT ac_add('{foo}', '{bar,NULL}');
SELECT ac_add('{foo}', '{bar,""}');
SELECT ac_add('{foo}', '{{bar},{baz}}');
SELECT ac_add('{foo}', '{bar}', '{1,2}');
SELECT ac_add('{foo}', '{bar}', '{NULL}');
SELECT ac_add('{foo}', '{bar}', '{{1},{2}}');
SELECT ac_remove('{foo}', '{bar,NULL}');
SELECT ac_remove('{foo}', '{{bar},{baz}}');
SELECT ac_remove_ids('{foo}', '{1,NULL}');
SELECT ac_remove_ids('{foo}', '{{1},{2}}');
\set VERBOSITY default
