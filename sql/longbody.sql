--
-- longbody: bodies out of line, uncompressed and over 1 MB are read in slices
--
-- Each answer must be that of the same body in one piece (body || '').
--
SET client_encoding = 'UTF8';

CREATE TABLE long_bodies (what text PRIMARY KEY, body text);
ALTER TABLE long_bodies ALTER body SET STORAGE EXTERNAL;
-- matches that straddle the ends of slices, each time at another of their bytes
INSERT INTO long_bodies
	SELECT 'straddling ' || octet_length(c), string_agg(c || repeat('.', 262144 - 8 - octet_length(c) - CASE k WHEN 1 THEN octet_length(c) ELSE 1 END) || 'bOundary', '' ORDER BY k)
	FROM unnest(ARRAY['.', U&'\00FC', U&'\65E5', U&'\+01F600']) AS c, generate_series(1, 5) AS k GROUP BY c;
-- characters of several bytes, over and over
INSERT INTO long_bodies VALUES ('characters', repeat(U&'\65E5\672C\8A9E \00FC\+01F600 ', 60000)),
	('shifted', '.' || repeat(U&'\65E5\672C\8A9E \00FC\+01F600 ', 60000)),
	('words', repeat('foo ', 262143 / 4) || 'foo' || 'bar foo' || repeat(' ', 1000000) || 'foo'),
	('one letter', repeat('a', 1100000)),
	-- a match has three times the bytes of its pattern
	('kelvin', repeat('.', 262144 - 290) || repeat(U&'\212A', 100) || repeat('.', 262144 * 2 - 10 - 10) || repeat(U&'\212A', 100) || repeat('.', 500000)),
	('nothing', repeat('.', 1200000));
-- as long, but not sliced
INSERT INTO long_bodies VALUES ('just in one piece', repeat('.', 1024 * 1024 - 8) || 'bOundary'), ('just in slices', repeat('.', 1024 * 1024 - 7) || 'bOundary');
ALTER TABLE long_bodies ALTER body SET STORAGE EXTENDED;
INSERT INTO long_bodies VALUES ('compressed', repeat('.', 1500000) || 'bOundary');

CREATE TABLE long_rules (name text PRIMARY KEY, rules acautomaton);
INSERT INTO long_rules VALUES
	('plain', ac_build(ARRAY['bOundary', 'ry', U&'\672C\8A9E', U&'\+01F600', 'bar'], '{5,4,3,2,2}')),
	('folded', ac_build(ARRAY['Boundary', 'BOUNDARY', 'RY', U&'\00DC', U&'\65E5\672C\8A9E \00FC\+01F600 \65E5\672C\8A9E'], ignore_case => true)),
	('words', ac_build(ARRAY['foo', 'bar foo', 'foobar foo', 'boundary', U&'\00FC\+01F600'], ignore_case => true, whole_words => true)),
	('long', ac_build(ARRAY['a', repeat('.', 300000) || 'bOundary', repeat('a', 300000) || 'b'])),
	('kelvin', ac_build(ARRAY[repeat('k', 100)], ignore_case => true, whole_words => true)),
	('none', ac_build('{}'));

SELECT what, name, count AS matches, r.*
FROM long_bodies, long_rules, ac_count(rules, body) AS count, LATERAL (
	SELECT count = ac_count(rules, body || '') AND (count > 0) = ac_contains(rules, body) AND (count > 0) = (body @~ rules) AS counts,
		ac_instr(rules, body) = ac_instr(rules, body || '') AS instr,
		ac_ids(rules, body) = ac_ids(rules, body || '') AND ac_found(rules, body) = ac_found(rules, body || '') AS which) AS r
ORDER BY what COLLATE "C", name;

-- rows
SELECT kind, name, sum(one.n), count(*) FILTER (WHERE one IS DISTINCT FROM two) AS wrong
FROM unnest(ARRAY['all', 'leftmost-longest', 'leftmost-first']) AS kind, long_rules, long_bodies,
	LATERAL (SELECT count(*) AS n, sum(pos), sum(len), sum(pos::numeric * row_number), sum(id), md5(string_agg(left(pattern, 50), ',')) FROM (SELECT *, row_number() OVER () FROM ac_find(rules, body, kind)) AS f) AS one,
	LATERAL (SELECT count(*) AS n, sum(pos), sum(len), sum(pos::numeric * row_number), sum(id), md5(string_agg(left(pattern, 50), ',')) FROM (SELECT *, row_number() OVER () FROM ac_find(rules, body || '', kind)) AS f) AS two
WHERE what <> 'one letter' OR kind = 'all' OR name <> 'long'
GROUP BY kind, name ORDER BY kind, name;
SELECT what, count(*) FILTER (WHERE substr(body, pos, len) <> 'bOundary') AS wrong, count(*)
FROM long_bodies, ac_matches('{bOundary}'::acautomaton, body) GROUP BY what ORDER BY what COLLATE "C";

-- patterns of many characters of several bytes, in one piece and in slices
CREATE TEMP TABLE long_keys (n int, body text);
ALTER TABLE long_keys ALTER body SET STORAGE EXTERNAL;
INSERT INTO long_keys SELECT n, repeat(U&'\65E5a\00FC', n) FROM unnest(ARRAY[2000, 200000]) AS n;
SELECT n, len, count(*), min(pos), max(pos), sum(pos), count(*) FILTER (WHERE pos % 3 <> CASE len WHEN 3000 THEN 1 ELSE 0 END) AS wrong
FROM long_keys, ac_build(ARRAY[repeat(U&'\65E5a\00FC', 1000), U&'\00FC' || repeat(U&'\65E5a\00FC', 900), U&'\00FC\65E5']) AS rules, ac_matches(rules, body)
GROUP BY n, len ORDER BY n, len;

-- replacing
SELECT name, count(*) FILTER (WHERE ac_replace(rules, body, '<>') <> ac_replace(rules, body || '', '<>')) AS replace,
	count(*) FILTER (WHERE ac_mask(rules, body) <> ac_mask(rules, body || '')) AS mask,
	count(*) FILTER (WHERE ac_highlight(rules, body) <> ac_highlight(rules, body || '')) AS highlight,
	count(*) FILTER (WHERE ac_highlight(rules, body, escape_html => true) <> ac_highlight(rules, body || '', escape_html => true)) AS escaped
FROM long_rules, long_bodies GROUP BY name ORDER BY name;

-- bytes
CREATE TABLE long_bytes AS SELECT what, convert_to(body, 'UTF8') AS body FROM long_bodies LIMIT 0;
ALTER TABLE long_bytes ALTER body SET STORAGE EXTERNAL;
INSERT INTO long_bytes SELECT what, convert_to(body, 'UTF8') FROM long_bodies;
SELECT name, count(*) FILTER (WHERE ac_count(rules, body) <> ac_count(rules, body || ''::bytea)) AS count,
	count(*) FILTER (WHERE ac_instr(rules, body) <> ac_instr(rules, body || ''::bytea)) AS instr,
	count(*) FILTER (WHERE ac_found(rules, body) <> ac_found(rules, body || ''::bytea)) AS found
FROM (SELECT name, rules FROM long_rules WHERE name IN ('plain', 'long')
	  UNION ALL SELECT 'bytea', ac_build_bytea('{BOUNDARY,ry,\x2e2e2e2e62}', ignore_case => true)) AS r, long_bytes
GROUP BY name ORDER BY name;

-- a scan that stops has not read the rest: blocks touched, out of 2,500 or more
INSERT INTO long_bytes SELECT 'early ' || n, convert_to(repeat('.', n) || 'needle' || repeat('.', 20000000 - n), 'UTF8') FROM unnest(ARRAY[10, 5000000, 19999990]) AS n;
CREATE FUNCTION long_blocks(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, FORMAT JSON) ' || query INTO plan;
	RETURN (plan -> 0 -> 'Plan' ->> 'Shared Hit Blocks')::bigint + (plan -> 0 -> 'Plan' ->> 'Shared Read Blocks')::bigint;
END $$;
SELECT n, long_blocks(format('SELECT ac_contains(''{needle}''::acautomaton, body) FROM long_bytes WHERE what = ''early %s''', n))
	   BETWEEN n / 8192 AND n / 8192 * 1.2 + 300 AS contains,
	   long_blocks(format('SELECT ac_instr(''{needle}''::acautomaton, body) FROM long_bytes WHERE what = ''early %s''', n))
	   BETWEEN n / 8192 AND n / 8192 * 1.2 + 300 AS instr,
	   long_blocks(format('SELECT ac_matches(''{needle,.}''::acautomaton, body) FROM long_bytes WHERE what = ''early 10'' LIMIT %s', n / 100))
	   BETWEEN n / 819200 AND n / 819200 * 1.2 + 300 AS rows
FROM unnest(ARRAY[10, 5000000, 19999990]) AS n;

-- nor does a scan hold what it has read: memory at a match that is 20 MB on
-- (where the system tells)
CREATE FUNCTION long_memory() RETURNS bigint LANGUAGE sql VOLATILE AS
	$$ SELECT substring(pg_read_file('/proc/self/status', 0, 10000, true) FROM 'RssAnon:\s+(\d+)')::bigint $$;
SELECT ac_contains('{needle}', 'x'::bytea), coalesce(long_memory(), 0) AS before \gset
SELECT what, pos, coalesce(memory - :before, 0) < 5000 AS flat
FROM (SELECT what, (match).pos, long_memory() AS memory
	  FROM (SELECT what, ac_matches('{needle}'::acautomaton, body) AS match FROM long_bytes WHERE what LIKE 'early%' OFFSET 0) AS m) AS m
ORDER BY pos;

DROP TABLE long_bodies, long_rules, long_bytes;
DROP FUNCTION long_blocks, long_memory;
