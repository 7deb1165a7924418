--
-- toast: automata and bodies in every form of storage, on every way to a function
--
-- Four storages by two compressions, for the rules and for the bodies; each way
-- must give the counts that replace() gives.
--
SET client_min_messages = warning;

CREATE TABLE toast_sets (name text PRIMARY KEY, patterns text[]);
INSERT INTO toast_sets VALUES
	('few', '{word1,word22}'),
	-- the image compresses well and so stays inline, compressed
	('long', ARRAY[repeat('ab', 2000), 'word7']),
	('hundreds', (SELECT array_agg('word' || i * 7 || 'x' ORDER BY i) FROM generate_series(1, 600) AS i)),
	('thousands', (SELECT array_agg(md5(i::text) ORDER BY i) FROM generate_series(1, 3000) AS i));

CREATE TABLE toast_source AS
	SELECT n, CASE n % 4 WHEN 0 THEN '' WHEN 1 THEN 'a word' || n
			WHEN 2 THEN repeat('word' || n || 'x ' || md5(n::text) || ' ', n) ELSE repeat('ab', 200 * n) END AS body
	FROM generate_series(0, 31) AS n;
CREATE TABLE toast_rules (name text PRIMARY KEY, automaton acautomaton);
CREATE TABLE toast_bodies (n int PRIMARY KEY, body text);

-- the answers, by other means
CREATE TABLE toast_answers AS
	SELECT name, n, sum((length(body) - length(replace(body, p, ''))) / length(p)) AS count
	FROM toast_sets, unnest(patterns) AS p, toast_source
	WHERE name <> 'long' OR p <> repeat('ab', 2000) GROUP BY name, n;
UPDATE toast_answers AS a SET count = count + greatest((length(body) - 4000) / 2 + 1, 0)
	FROM toast_source AS b WHERE name = 'long' AND a.n = b.n AND a.n % 4 = 3;
SELECT name, sum(count) FROM toast_answers GROUP BY name ORDER BY name;

-- ways that need a function
CREATE FUNCTION toast_sql(rules acautomaton, body text) RETURNS bigint LANGUAGE sql AS
	$$ SELECT count(*) FROM ac_matches(rules, body) $$;
CREATE FUNCTION toast_inlined(rules acautomaton, body text) RETURNS bigint LANGUAGE sql IMMUTABLE AS
	$$ SELECT ac_count(rules, body) $$;
CREATE FUNCTION toast_return(rules acautomaton, body text) RETURNS bigint LANGUAGE plpgsql AS
	$$ BEGIN RETURN ac_count(rules, body); END $$;
CREATE FUNCTION toast_variables() RETURNS SETOF toast_answers LANGUAGE plpgsql AS $$
DECLARE
	rules acautomaton;
	body text;
	a toast_answers;
BEGIN
	FOR a.n IN SELECT n FROM toast_bodies ORDER BY n LOOP
		body := b.body FROM toast_bodies AS b WHERE b.n = a.n;
		FOR a.name, rules IN SELECT r.name, automaton FROM toast_rules AS r ORDER BY r.name LOOP
			a.count := ac_count(rules, body);
			RETURN NEXT a;
		END LOOP;
	END LOOP;
END $$;

-- each way is a query for (name, n, count)
CREATE TABLE toast_ways (way text PRIMARY KEY, query text);
INSERT INTO toast_ways VALUES
	('column', 'SELECT name, n, ac_count(automaton, body) FROM toast_rules, toast_bodies'),
	('column, rules in turn', 'SELECT name, n, ac_count(automaton, body) FROM (SELECT * FROM toast_bodies ORDER BY n OFFSET 0) AS b CROSS JOIN LATERAL (SELECT * FROM toast_rules WHERE n >= 0 ORDER BY name OFFSET 0) AS r'),
	('rows', 'SELECT name, n, count(*) FROM toast_rules, toast_bodies, ac_matches(automaton, body) GROUP BY 1, 2'),
	('rows in the list', 'SELECT name, n, count(*) FROM (SELECT name, n, ac_find(automaton, body) FROM toast_rules, toast_bodies) AS t GROUP BY 1, 2'),
	('init plan', 'SELECT ''few'', n, ac_count((SELECT automaton FROM toast_rules WHERE name = ''few''), body) FROM toast_bodies
		UNION ALL SELECT ''long'', n, ac_count((SELECT automaton FROM toast_rules WHERE name = ''long''), body) FROM toast_bodies
		UNION ALL SELECT ''hundreds'', n, ac_count((SELECT automaton FROM toast_rules WHERE name = ''hundreds''), body) FROM toast_bodies
		UNION ALL SELECT ''thousands'', n, ac_count((SELECT automaton FROM toast_rules WHERE name = ''thousands''), body) FROM toast_bodies'),
	('correlated', 'SELECT s.name, n, ac_count((SELECT automaton FROM toast_rules AS r WHERE r.name = s.name), body) FROM toast_sets AS s, toast_bodies'),
	('cte', 'WITH r AS MATERIALIZED (SELECT * FROM toast_rules) SELECT name, n, ac_count(automaton, body) FROM r, toast_bodies'),
	('sorted', 'SELECT name, n, ac_count(automaton, body) FROM (SELECT * FROM toast_rules, toast_bodies ORDER BY n, name DESC OFFSET 0) AS t'),
	('aggregated', 'SELECT name, n, ac_count((array_agg(automaton))[1], max(body)) FROM toast_rules, toast_bodies GROUP BY 1, 2'),
	('row value', 'SELECT (r).name, n, ac_count((r).automaton, body) FROM toast_rules AS r, toast_bodies'),
	('computed', 'SELECT name, n, ac_count(ac_union(automaton, ''{}''), body) FROM toast_rules, toast_bodies'),
	('sql function', 'SELECT name, n, toast_sql(automaton, body) FROM toast_rules, toast_bodies'),
	('inlined function', 'SELECT name, n, toast_inlined(automaton, body) FROM toast_rules, toast_bodies'),
	('plpgsql argument', 'SELECT name, n, toast_return(automaton, body) FROM toast_rules, toast_bodies'),
	('plpgsql variable', 'SELECT * FROM toast_variables()');

CREATE TABLE toast_results (way text, name text, n int, count bigint);
CREATE PROCEDURE toast_run() LANGUAGE plpgsql AS $$
DECLARE
	w toast_ways;
	r toast_rules;
	b toast_bodies;
BEGIN
	FOR w IN TABLE toast_ways LOOP
		EXECUTE format('INSERT INTO toast_results SELECT %L, t.* FROM (%s) AS t', w.way, w.query);
	END LOOP;
	FOR r IN TABLE toast_rules LOOP
		EXECUTE format('INSERT INTO toast_results SELECT ''constant'', %L, n, ac_count(%L, body) FROM toast_bodies', r.name, r.automaton);
		EXECUTE format('INSERT INTO toast_results SELECT ''parameter'', %L, n, ac_count($1, body) FROM toast_bodies', r.name) USING r.automaton;
	END LOOP;
	-- outside of a function values in variables come inline, and may be compressed
	FOR b IN TABLE toast_bodies LOOP
		FOR r IN TABLE toast_rules LOOP
			INSERT INTO toast_results VALUES ('procedure', r.name, b.n, ac_count(r.automaton, b.body));
		END LOOP;
	END LOOP;
END $$;

-- fills the tables anew; a compression that the server does not know is left out
CREATE PROCEDURE toast_store(storage text, compression text) LANGUAGE plpgsql AS $$
BEGIN
	TRUNCATE toast_rules, toast_bodies, toast_results;
	EXECUTE format('ALTER TABLE toast_rules ALTER automaton SET STORAGE %s', storage);
	EXECUTE format('ALTER TABLE toast_bodies ALTER body SET STORAGE %s', storage);
	BEGIN
		EXECUTE format('ALTER TABLE toast_rules ALTER automaton SET COMPRESSION %s', compression);
		EXECUTE format('ALTER TABLE toast_bodies ALTER body SET COMPRESSION %s', compression);
	EXCEPTION WHEN syntax_error OR feature_not_supported OR invalid_parameter_value THEN
		NULL;
	END;
	-- a plain value must fit on a page
	INSERT INTO toast_rules SELECT name, ac_build(patterns) FROM toast_sets WHERE storage <> 'plain' OR name <> 'thousands';
	INSERT INTO toast_bodies SELECT n, body FROM toast_source WHERE storage <> 'plain' OR length(body) < 8000;
END $$;

CREATE VIEW toast_summary AS
	SELECT count(DISTINCT way) AS ways, count(*) AS answers, count(*) FILTER (WHERE r.count IS DISTINCT FROM a.count) AS wrong,
		-- ac_matches has no row where nothing matches; all else must be there
		(SELECT count(*) FROM (SELECT way FROM toast_results GROUP BY way) AS w, toast_rules AS r, toast_bodies AS b, toast_answers AS a
		 WHERE a.name = r.name AND a.n = b.n AND a.count > 0
		 AND NOT EXISTS (SELECT FROM toast_results AS t WHERE t.way = w.way AND t.name = r.name AND t.n = b.n)) AS missing
	FROM toast_results AS r LEFT JOIN toast_answers AS a USING (name, n)
	WHERE name IN (SELECT name FROM toast_rules);

CALL toast_store('plain', 'pglz');
CALL toast_run();
SELECT 'plain, pglz' AS stored, * FROM toast_summary;

CALL toast_store('plain', 'lz4');
CALL toast_run();
SELECT 'plain, lz4' AS stored, * FROM toast_summary;

CALL toast_store('external', 'pglz');
CALL toast_run();
SELECT 'external, pglz' AS stored, * FROM toast_summary;

CALL toast_store('external', 'lz4');
CALL toast_run();
SELECT 'external, lz4' AS stored, * FROM toast_summary;

CALL toast_store('main', 'pglz');
CALL toast_run();
SELECT 'main, pglz' AS stored, * FROM toast_summary;
-- one inline and compressed, as intended
SELECT pg_column_size(automaton) < 2000 AS inline, (ac_info(automaton)).image_bytes > 2000 AS compressed FROM toast_rules WHERE name = 'long';

CALL toast_store('main', 'lz4');
CALL toast_run();
SELECT 'main, lz4' AS stored, * FROM toast_summary;

CALL toast_store('extended', 'pglz');
CALL toast_run();
SELECT 'extended, pglz' AS stored, * FROM toast_summary;

CALL toast_store('extended', 'lz4');
CALL toast_run();
SELECT 'extended, lz4' AS stored, * FROM toast_summary;

-- nothing was too much for the cache; each stored value was fetched once
SELECT evictions, detoasts <= 20 AS few FROM ac_cache_stats();

DROP TABLE toast_sets, toast_source, toast_rules, toast_bodies, toast_answers, toast_ways, toast_results CASCADE;
DROP FUNCTION toast_sql, toast_inlined, toast_return;
DROP PROCEDURE toast_run, toast_store;
