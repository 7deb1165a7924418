--
-- parallel: every function in parallel workers, with rules from everywhere
--

CREATE TABLE parallel_rules (name text PRIMARY KEY, automaton acautomaton);
INSERT INTO parallel_rules VALUES ('big', (SELECT ac_agg('word' || i * 3 || 'x' ORDER BY i) FROM generate_series(1, 3000) AS i)), ('small', '{word1,x}');
CREATE TABLE parallel_bodies AS SELECT n, 'a word' || n || 'x, and again: word' || n / 2 || 'x' AS body FROM generate_series(1, 5000) AS n;
INSERT INTO parallel_bodies SELECT n, repeat('word' || n || 'x ', 500) FROM generate_series(5001, 5010) AS n;
ALTER TABLE parallel_bodies SET (parallel_workers = 2);
ANALYZE parallel_rules, parallel_bodies;

CREATE TABLE parallel_queries (what text PRIMARY KEY, query text);
INSERT INTO parallel_queries VALUES
	('@~ constant', 'SELECT count(*)::text FROM parallel_bodies WHERE body @~ ''{word11,word22}'''),
	('@~ init plan', 'SELECT count(*)::text FROM parallel_bodies WHERE body @~ (SELECT automaton FROM parallel_rules WHERE name = ''big'')'),
	('~@ join', 'SELECT count(*) || '' '' || count(DISTINCT name) FROM parallel_bodies, parallel_rules WHERE automaton ~@ body'),
	('ac_contains', 'SELECT count(*)::text FROM parallel_bodies, parallel_rules WHERE ac_contains(automaton, convert_to(body, ''UTF8''))'),
	('ac_count', 'SELECT sum(ac_count(automaton, body)) || '' '' || sum(ac_count(automaton, body, ''leftmost-longest'')) FROM parallel_bodies, parallel_rules'),
	('ac_instr', 'SELECT sum(ac_instr(automaton, body))::text FROM parallel_bodies, parallel_rules'),
	('ac_ids', 'SELECT sum(cardinality(ac_ids(automaton, body)))::text FROM parallel_bodies, parallel_rules'),
	('ac_found', 'SELECT sum(cardinality(ac_found(automaton, body)))::text FROM parallel_bodies, parallel_rules'),
	('ac_matches', 'SELECT count(*) || '' '' || sum(pos) || '' '' || sum(len) FROM parallel_bodies, parallel_rules, ac_matches(automaton, body)'),
	('ac_find', 'SELECT count(*) || '' '' || sum(pos) || '' '' || sum(id) || '' '' || max(pattern) FROM parallel_bodies, parallel_rules, ac_find(automaton, body, ''leftmost-first'')'),
	('ac_replace', 'SELECT sum(length(ac_replace(automaton, body, '''')))::text FROM parallel_bodies, parallel_rules'),
	('ac_replace_each', 'SELECT sum(length(ac_replace_each(automaton, body, ''{"",yy}'')))::text FROM parallel_bodies, parallel_rules WHERE name = ''small'''),
	('ac_mask', 'SELECT sum(length(replace(ac_mask(automaton, body), ''*'', '''')))::text FROM parallel_bodies, parallel_rules'),
	('ac_highlight', 'SELECT sum(length(ac_highlight(automaton, body)))::text FROM parallel_bodies, parallel_rules');

-- the answer, and whether workers gave it
CREATE FUNCTION parallel_run(query text, OUT answer text, OUT parallel boolean) LANGUAGE plpgsql AS $$
DECLARE
	line text;
BEGIN
	parallel := false;
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		parallel := parallel OR line LIKE '%Parallel Seq Scan%';
	END LOOP;
	EXECUTE query INTO answer;
END $$;

SET max_parallel_workers_per_gather = 0;
CREATE TABLE parallel_answers AS SELECT what, r.* FROM parallel_queries, parallel_run(query) AS r;
SELECT * FROM parallel_answers ORDER BY what;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT what, r.parallel, r.answer = a.answer AS same
FROM parallel_queries AS q JOIN parallel_answers AS a USING (what), parallel_run(query) AS r ORDER BY what;
-- without the leader's help
SET parallel_leader_participation = off;
SELECT what, r.parallel, r.answer = a.answer AS same
FROM parallel_queries AS q JOIN parallel_answers AS a USING (what), parallel_run(query) AS r ORDER BY what;
-- workers obey the setting, too
SET ac.cache_size = 0;
SELECT what, r.answer = a.answer AS same
FROM parallel_queries AS q JOIN parallel_answers AS a USING (what), parallel_run(query) AS r
WHERE what IN ('@~ constant', '@~ init plan', 'ac_replace_each') ORDER BY what;
RESET ac.cache_size;
-- what looks at this backend's cache stays in the leader
SELECT (parallel_run('SELECT count(*)::text FROM parallel_bodies WHERE (SELECT hits FROM ac_cache_stats()) >= 0 AND body @~ ''{word11}''')).parallel IS NOT NULL AS runs;

DROP TABLE parallel_rules, parallel_bodies, parallel_queries, parallel_answers;
DROP FUNCTION parallel_run;
