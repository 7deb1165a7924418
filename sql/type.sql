--
-- The type: text form, equality, hashing, casts
--

-- default options, ordinal ids: the literal of an array
SELECT '{foo,"b a r"}'::acautomaton;
SELECT '{}'::acautomaton;
SELECT '  { foo , bar }  '::acautomaton;
SELECT '{foo,foo,bar,foo}'::acautomaton AS duplicates_stay;
SELECT '{b,a,Z,ab}'::acautomaton AS order_stays;

-- explicit bounds are accepted and dropped
SELECT '[5:6]={foo,bar}'::acautomaton, '[-1:0]={foo,bar}'::acautomaton,
	   ' [+1:2]={foo,bar}'::acautomaton;

-- options
SELECT '[ignore_case]{foo,Bar}'::acautomaton;
SELECT '[whole_words ignore_case]{foo,Bar}'::acautomaton AS sorted;
SELECT '[ignore_case whole_words ids={7,9}]{foo,bar}'::acautomaton;
SELECT '[ids={7,9} whole_words]{foo,bar}'::acautomaton;
SELECT E' [\tids={ -1 , +2 }\n]\n{foo,bar} '::acautomaton AS white_space;
SELECT '[ids={1,2}]{foo,bar}'::acautomaton AS ids_are_default;
SELECT '[ids={2,1}]{foo,bar}'::acautomaton AS ids_are_not;
SELECT '[ids={1,1}]{foo,bar}'::acautomaton AS ids_repeat;
SELECT '[]{foo}'::acautomaton AS no_option;
SELECT '[ignore_case]{}'::acautomaton, '[ids={}]{}'::acautomaton;
SELECT '[whole_words][2:3]={foo,bar}'::acautomaton AS options_and_bounds;
SELECT '[ids={9223372036854775807,-9223372036854775808}]{foo,bar}'::acautomaton;

-- bytea: hex, whatever is set
SELECT '[bytea]{"\\x00ff"}'::acautomaton;
SELECT '[bytea]{abc,"\\x00"}'::acautomaton;
SET bytea_output = escape;
SELECT '[bytea]{"\\x00ff","\\x5c"}'::acautomaton;
RESET bytea_output;
SELECT '[bytea ids={3} ignore_case]{"\\x41"}'::acautomaton;
SELECT '[bytea]{}'::acautomaton;

-- an unquoted NULL is an error whatever array_nulls says; a quoted one is not
SELECT '{"NULL",nullable,"null"}'::acautomaton;
SET array_nulls = off;
\set VERBOSITY sqlstate
SELECT '{foo,NULL}'::acautomaton;
\set VERBOSITY default
SHOW array_nulls;
SELECT '{"NULL"}'::acautomaton;
RESET array_nulls;

-- quoting is that of arrays, for every character
SELECT count(*) AS characters,
	   count(*) FILTER (WHERE ac_build(p)::text = p::text) AS as_array,
	   count(*) FILTER (WHERE ac_build(p)::text::acautomaton = ac_build(p)) AS back,
	   count(*) FILTER (WHERE ac_build(p)::text[] = p) AS cast_back
FROM (SELECT ARRAY[chr(i), 'a' || chr(i), chr(i) || 'b', chr(i) || chr(i)] AS p
	  FROM generate_series(1, 4000) AS i
	  UNION ALL
	  SELECT ARRAY['NULL'] UNION ALL SELECT ARRAY['nUll', 'null', 'NULLS', ' NULL'] UNION ALL
	  SELECT ARRAY[E'\\', '"', '{}', '{', '}', ',', ' ', E'\n', E'\t', E'\r', E'\v', E'\f'] UNION ALL
	  SELECT ARRAY['[ignore_case]{a}', '[1:1]={a}', U&'\+01F600', U&'e\0301']) AS t;

-- the same for bytes
SELECT count(*) AS bytes,
	   count(*) FILTER (WHERE ac_build_bytea(p)::text = '[bytea]' || p::text) AS as_array,
	   count(*) FILTER (WHERE ac_build_bytea(p)::text::acautomaton = ac_build_bytea(p)) AS back,
	   count(*) FILTER (WHERE ac_build_bytea(p)::bytea[] = p) AS cast_back
FROM (SELECT ARRAY[set_byte('\x00', 0, i), set_byte('\x0061', 0, i)] AS p
	  FROM generate_series(0, 255) AS i) AS t;

-- equality: options, ids, patterns and their order
CREATE TABLE automata (n int, a acautomaton);
INSERT INTO automata VALUES
	(1, '{foo,bar}'), (2, '{bar,foo}'), (3, '{foo,bar,foo}'),
	(4, '[ids={1,3}]{foo,bar}'), (5, '[ignore_case]{foo,bar}'),
	(6, '[whole_words]{foo,bar}'), (7, '[bytea]{foo,bar}'),
	(8, '{Foo,bar}'), (9, '[ignore_case]{Foo,bar}'), (10, '{}'),
	(11, '[ignore_case]{}'), (12, '{foob,ar}'), (13, '[ids={3,1}]{foo,bar}');
SELECT count(*) FILTER (WHERE (x.a = y.a) = (x.n = y.n)) AS eq,
	   count(*) FILTER (WHERE (x.a <> y.a) = (x.n <> y.n)) AS ne,
	   count(*) FILTER (WHERE (acautomaton_hash(x.a) = acautomaton_hash(y.a)) = (x.n = y.n)) AS hash,
	   count(*) FILTER (WHERE (acautomaton_hash_extended(x.a, 7) = acautomaton_hash_extended(y.a, 7)) = (x.n = y.n)) AS extended,
	   count(*)
FROM automata AS x, automata AS y;
SELECT ac_build('{foo,bar}', '{1,2}') = '{foo,bar}'::acautomaton AS ids_are_default;
SELECT acautomaton_hash_extended('{a}', 1) <> acautomaton_hash_extended('{a}', 2) AS seeded;

-- a stored value equals a computed one, whatever its storage
CREATE TABLE stored (how text, a acautomaton);
ALTER TABLE stored ALTER a SET STORAGE plain;
INSERT INTO stored SELECT 'plain', ac_build(array_agg('w' || i ORDER BY i)) FROM generate_series(1, 1500) AS i;
ALTER TABLE stored ALTER a SET STORAGE main;
INSERT INTO stored SELECT 'main', ac_build(array_agg('w' || i ORDER BY i)) FROM generate_series(1, 1500) AS i;
ALTER TABLE stored ALTER a SET STORAGE extended;
INSERT INTO stored SELECT 'extended', ac_build(array_agg('w' || i ORDER BY i)) FROM generate_series(1, 1500) AS i;
ALTER TABLE stored ALTER a SET STORAGE external;
INSERT INTO stored SELECT 'external', ac_build(array_agg('w' || i ORDER BY i)) FROM generate_series(1, 1500) AS i;
SELECT x.how, y.how, x.a = y.a AS equal
FROM stored AS x JOIN stored AS y ON x.how <= y.how ORDER BY x.how, y.how;
SELECT how, pg_column_size(a) < 8000 AS inline_fits FROM stored ORDER BY how;
SELECT count(*) FROM stored WHERE a = (SELECT ac_build(array_agg('w' || i ORDER BY i)) FROM generate_series(1, 1500) AS i);

-- hash joins, grouping, hash partitions
SET enable_nestloop = off;
SET enable_mergejoin = off;
EXPLAIN (COSTS OFF) SELECT FROM automata AS x JOIN automata AS y USING (a);
SELECT count(*) FROM automata AS x JOIN automata AS y USING (a);
RESET enable_nestloop;
RESET enable_mergejoin;
SELECT count(*), count(DISTINCT md5(a::text)) FROM automata;
SELECT a, count(*) FROM (VALUES ('{x}'::acautomaton), ('{y}'), ('[ids={1}]{x}')) AS v(a) GROUP BY a ORDER BY a::text;
CREATE TABLE parted (a acautomaton) PARTITION BY HASH (a);
CREATE TABLE parted_0 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO parted SELECT a FROM automata;
SELECT (SELECT count(*) FROM parted_0) > 0 AND (SELECT count(*) FROM parted_1) > 0 AS spread;
SELECT count(*) FROM parted WHERE a = '[ids={3,1}]{foo,bar}';

-- no ordering; uniqueness by the text form
CREATE UNIQUE INDEX automata_unique ON automata (md5(a::text));
\set VERBOSITY sqlstate
INSERT INTO automata VALUES (99, '{foo,bar}');
SELECT a FROM automata ORDER BY a;
\set VERBOSITY default

-- casts
SELECT ARRAY['foo', 'b a r']::acautomaton;
SELECT ARRAY['foo', 'b a r']::varchar[]::text[]::acautomaton;
SELECT (ARRAY[]::text[])::acautomaton;
SELECT '[5:6]={foo,bar}'::text[]::acautomaton;
SELECT '[ignore_case ids={5,6}]{foo,Bar}'::acautomaton::text[];
SELECT '{}'::acautomaton::text[];
SELECT '[bytea]{abc,"\\x00"}'::acautomaton::bytea[];
\set VERBOSITY sqlstate
SELECT '{foo}'::acautomaton::bytea[];
SELECT '[bytea]{foo}'::acautomaton::text[];
SELECT ARRAY['foo', NULL]::acautomaton;
SELECT ARRAY['foo', '']::acautomaton;
\set VERBOSITY default

DROP TABLE automata, stored, parted;
