--
-- find: ac_matches and ac_find as set-returning functions
--
SET client_encoding = 'UTF8';

SELECT * FROM ac_matches('{he,she,his,hers}'::acautomaton, 'ushers his');
SELECT * FROM ac_find('{he,she,his,hers}'::acautomaton, 'ushers his');
SELECT ac_matches('{he,she}'::acautomaton, 'ushers');
SELECT (ac_find('{he,she}'::acautomaton, 'ushers')).*;
SELECT m.p, m.l FROM ac_matches('{he,she}'::acautomaton, 'ushers') AS m (p, l);

-- no rows
SELECT * FROM ac_matches('{he}'::acautomaton, 'xyz');
SELECT * FROM ac_find('{}'::acautomaton, 'xyz');
SELECT * FROM ac_find(NULL::acautomaton, 'xyz'::text);
SELECT ac_find('{he}'::acautomaton, 'xyz');

-- one row a span and entry; each distinct span once
SELECT * FROM ac_find(ac_build('{he,she,he}', '{7,8,-9}'), 'she');
SELECT * FROM ac_matches(ac_build('{he,she,he}', '{7,8,-9}'), 'she');

-- patterns as they were given, the text as it is
SELECT f.*, substr(b, pos, len) AS there
FROM (SELECT U&'stra\00DFe STRA\1E9EE \212Aelvin'::text AS b) AS t,
	 ac_find(ac_build(ARRAY[U&'Stra\00DFe', 'KELVIN', 'kelvin'], ignore_case => true), b) AS f;
SELECT * FROM ac_find(ac_build('{İ,i,I}', ignore_case => true), 'iıİI');

-- positions in characters for text, in bytes for bytea
SELECT * FROM ac_find(ac_build(ARRAY[U&'\672C', U&'\+01F600x', 'x']), U&'\65E5\672C\8A9E \+01F600x');
SELECT * FROM ac_find(ac_build(ARRAY[U&'\672C', 'x']), convert_to(U&'\65E5\672Cx', 'UTF8'));
SELECT * FROM ac_matches(ac_build(ARRAY[U&'\672C', 'x']), convert_to(U&'\65E5\672Cx', 'UTF8'));
SELECT * FROM ac_find(ac_build_bytea(ARRAY['\x00', '\xff00']::bytea[], '{10,20}'), '\x00ff00'::bytea);
SELECT * FROM ac_find(ac_build_bytea(ARRAY['\x41ff', '\x61FF']::bytea[], ignore_case => true), '\x0061ff'::bytea, 'leftmost-first');

-- lateral, with bodies of every shape; correlated; outer join
CREATE TEMP TABLE found_in (n int PRIMARY KEY, body text);
ALTER TABLE found_in ALTER body SET STORAGE EXTERNAL;
INSERT INTO found_in VALUES (1, 'foo'), (2, ''), (3, NULL), (4, 'none'), (5, 'foobar foo'),
	(6, repeat('-', 300000) || 'bar'), (7, repeat('foo ', 20000));
SELECT n, count(*), min(pos), max(pos), min(id), max(id)
FROM found_in, ac_find('{foo,bar}'::acautomaton, body) GROUP BY n ORDER BY n;
SELECT n, count(pos) FROM found_in LEFT JOIN ac_matches('{foo,bar}'::acautomaton, body) ON true GROUP BY n ORDER BY n;
SELECT n, (SELECT sum(len) FROM ac_matches('{foo,bar}'::acautomaton, body)) AS matched,
	   (SELECT pattern FROM ac_find('{foo,bar}'::acautomaton, body) LIMIT 1) AS first_one
FROM found_in ORDER BY n;
SELECT n, (ac_matches('{foo,bar}'::acautomaton, body)).* FROM found_in WHERE n < 6 ORDER BY n, pos;

-- LIMIT in a SELECT list stops the scan; the next execution starts over
PREPARE first_two(text) AS SELECT ac_find('{a}'::acautomaton, $1) LIMIT 2;
EXECUTE first_two('bababa');
EXECUTE first_two('aaaa');
EXECUTE first_two('b');
SELECT n, (SELECT ac_matches('{foo,bar}'::acautomaton, body) LIMIT 1) FROM found_in ORDER BY n;
SELECT n, EXISTS (SELECT ac_matches('{foo,bar}'::acautomaton, body)) FROM found_in ORDER BY n;

-- several scans of the same rules at once, in step and nested
SELECT ac_matches(r, 'aab'), ac_matches(r, 'ba'), ac_find(r, 'b'), ac_count(r, 'abab')
FROM (SELECT '{a,b}'::acautomaton AS r OFFSET 0) AS t;
SELECT a.pos, b.pos, c.id FROM (SELECT '{a,b}'::acautomaton AS r OFFSET 0) AS t,
	ac_matches(r, 'aab') AS a, ac_matches(r, repeat('b', a.pos)) AS b, ac_find(r, 'xa') AS c;
SELECT ac_matches(r, body) FROM (VALUES ('{a}'::acautomaton, 'aa'), ('{b}', 'abb'), ('{a}', 'b'), ('{a,b}', 'ab')) AS t (r, body);

-- a cursor: rows when they are asked for, other calls in between
BEGIN;
DECLARE c CURSOR FOR SELECT (ac_find('{a,b}'::acautomaton, 'abba')).*;
FETCH 2 FROM c;
SELECT ac_count('{a,b}'::acautomaton, 'bbb'), ac_cache_reset();
FETCH 1 FROM c;
SELECT count(*) FROM ac_matches('{a,b}'::acautomaton, 'bbb');
FETCH ALL FROM c;
CLOSE c;
DECLARE c SCROLL CURSOR FOR SELECT * FROM ac_matches('{a,b}'::acautomaton, 'abba');
FETCH 3 FROM c;
FETCH BACKWARD 1 FROM c;
COMMIT;

-- an error in the middle of a scan leaves the next one alone
\set VERBOSITY sqlstate
SELECT 1 / (2 - pos) FROM (SELECT (ac_matches('{a}'::acautomaton, 'aaa')).*) AS t;
\set VERBOSITY default
SELECT count(*) FROM ac_matches('{a}'::acautomaton, 'aaa');

-- where no set can go
\set VERBOSITY sqlstate
SELECT * FROM found_in WHERE ac_matches('{a}'::acautomaton, body) IS NULL;
\set VERBOSITY default

-- rows as values of other things
SELECT array_agg(pos ORDER BY pos DESC), sum(len) FROM ac_matches('{a}'::acautomaton, 'banana');
SELECT jsonb_agg(f) FROM ac_find('{na}'::acautomaton, 'banana') AS f;
SELECT * FROM ROWS FROM (ac_matches('{a}'::acautomaton, 'banana'), ac_matches('{b}'::acautomaton, 'banana')) WITH ORDINALITY;
DROP TABLE found_in;
