--
-- cancel: statements end soon after their time is up, and leave nothing behind
--

CREATE TABLE cancel_rules (automaton acautomaton);
INSERT INTO cancel_rules SELECT ac_agg(md5(i::text)) FROM generate_series(1, 200000) AS i;

-- how a query ends that may take so many milliseconds
CREATE FUNCTION cancel_try(query text, milliseconds int, OUT ended text, OUT late boolean) LANGUAGE plpgsql AS $$
DECLARE
	start timestamptz := clock_timestamp();
BEGIN
	BEGIN
		EXECUTE query;
		ended := 'finished';
	EXCEPTION WHEN query_canceled THEN
		ended := 'canceled';
	END;
	late := clock_timestamp() - start > (milliseconds + 1000) * interval '1 millisecond';
END $$;

-- every query here would take much longer
CREATE TABLE cancel_queries (n int GENERATED ALWAYS AS IDENTITY, query text);
INSERT INTO cancel_queries (query) VALUES
	('SELECT ac_count(''{a,aa,aaa}''::acautomaton, repeat(''a'', 100000000))'),
	('SELECT ac_count(''{a,aa,aaa}''::acautomaton, repeat(''a'', 100000000), ''leftmost-longest'')'),
	('SELECT ac_ids(''{a,aa,aaa}''::acautomaton, repeat(''a'', 100000000))'),
	('SELECT count(*) FROM (SELECT ac_matches(''{a,aa,aaa}''::acautomaton, repeat(''a'', 100000000)) OFFSET 0) AS t'),
	('SELECT ac_replace(''{aa,aaa}''::acautomaton, repeat(''a'', 100000000), '''')'),
	('SELECT ac_mask(''{a,aa,aaa}''::acautomaton, repeat(''a'', 100000000))'),
	('SELECT ac_highlight(''{aa,aaaa}''::acautomaton, repeat(''a'', 100000000), escape_html => true)'),
	('SELECT ac_agg(md5(i::text)) FROM generate_series(1, 3000000) AS i');

SET statement_timeout = '200ms';
SELECT cancel_try(query, 200) FROM cancel_queries WHERE n = 1;
SELECT cancel_try(query, 200) FROM cancel_queries WHERE n = 2;
SELECT cancel_try(query, 200) FROM cancel_queries WHERE n = 3;
SELECT cancel_try(query, 200) FROM cancel_queries WHERE n = 4;
SELECT cancel_try(query, 200) FROM cancel_queries WHERE n = 5;
SELECT cancel_try(query, 200) FROM cancel_queries WHERE n = 6;
SELECT cancel_try(query, 200) FROM cancel_queries WHERE n = 7;
SELECT cancel_try(query, 200) FROM cancel_queries WHERE n = 8;
\set VERBOSITY sqlstate
SELECT ac_count('{a,aa,aaa}'::acautomaton, repeat('a', 100000000));
\set VERBOSITY default
RESET statement_timeout;

-- the same rules go on to answer rightly
SELECT ac_count('{a,aa,aaa}'::acautomaton, 'aaa'), ac_count('{a,aa,aaa}'::acautomaton, 'aaaa', 'leftmost-longest'), ac_ids('{a,aa,aaa}'::acautomaton, 'aa');
SELECT ac_matches('{a,aa,aaa}'::acautomaton, 'aa'), ac_replace('{aa,aaa}'::acautomaton, 'aaaa', 'b'), ac_mask('{a,aa,aaa}'::acautomaton, 'ba');

-- loading a stored automaton takes some milliseconds
CREATE FUNCTION cancel_contexts() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	contexts bigint;
BEGIN
	IF to_regclass('pg_catalog.pg_backend_memory_contexts') IS NULL THEN
		RETURN (SELECT count(*) FROM ac_cache());
	END IF;
	EXECUTE 'SELECT count(*) FROM pg_backend_memory_contexts WHERE name = ''ac automaton''' INTO contexts;
	RETURN contexts;
END $$;
SELECT ac_cache_reset();
SELECT cancel_contexts();
SET statement_timeout = '1ms';
SELECT cancel_try('SELECT ac_contains(automaton, ''abc'') FROM cancel_rules', 1);
SELECT cancel_try('SELECT ac_matches(automaton, ''abc'') FROM cancel_rules', 1);
RESET statement_timeout;
SELECT cancel_contexts() AS left_behind;
SELECT ac_contains(automaton, md5('77')) FROM cancel_rules;
SELECT cancel_contexts();

DROP TABLE cancel_rules, cancel_queries;
DROP FUNCTION cancel_try, cancel_contexts;
