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
	('ac_highlight', 'SELECT sum(length(ac_highlight(automaton, body)))::text FROM parallel_bodies, parallel_rules'),
	('ac_build', 'SELECT sum(length(ac_build(ARRAY[left(body, 50)], ARRAY[n], n % 2 = 0, n % 3 = 0)::text))::text FROM parallel_bodies'),
	('ac_build_bytea', 'SELECT sum(length(ac_build_bytea(ARRAY[convert_to(left(body, 50), ''UTF8'')])::text))::text FROM parallel_bodies'),
	('ac_agg', 'SELECT sum((ac_info(rules)).states)::text FROM (SELECT ac_agg(left(body, 50), n ORDER BY n) AS rules FROM parallel_bodies GROUP BY n % 10) AS r'),
	('set operations', 'SELECT sum((ac_info(ac_union(ac_remove(ac_add(''{foo,bar}'', ARRAY[left(body, 50)]), ''{bar}''), ac_remove_ids(ac_build(ARRAY[''x'', left(body, 9)]), ''{1}'')))).pattern_bytes)::text FROM parallel_bodies'),
	('casts', 'SELECT sum(length((ARRAY[left(body, 50)]::acautomaton)::text[]::text)) || '' '' || sum(length(ac_build_bytea(ARRAY[convert_to(left(body, 9), ''UTF8'')])::bytea[]::text)) FROM parallel_bodies'),
	('forms', 'SELECT sum(length(acautomaton_send((''{'' || n || ''}'')::acautomaton))) || '' '' || sum((acautomaton_hash(ac_build(ARRAY[n::text])) = acautomaton_hash((''{'' || n || ''}'')::acautomaton))::int) || '' '' || sum((ac_build(ARRAY[n::text]) = ''{77}'')::int) FROM parallel_bodies'),
	('ac_patterns', 'SELECT count(*) || '' '' || sum(id) || '' '' || sum(length(pattern)) FROM parallel_bodies, ac_patterns(ARRAY[''x'', left(body, 50)]::acautomaton)'),
	('ac_dot', 'SELECT sum(length(ac_dot(ARRAY[left(body, 9)]::acautomaton)))::text FROM parallel_bodies');

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
SELECT what, (parallel_run(query)).parallel
FROM (VALUES ('ac_contains', 'SELECT count(*)::text FROM parallel_bodies WHERE ac_contains(''{a}'', body)'),
		('ac_cache_stats', 'SELECT count(*)::text FROM parallel_bodies WHERE n < (ac_cache_stats()).limit_bytes')) AS q(what, query);

DROP TABLE parallel_rules, parallel_bodies, parallel_queries, parallel_answers;
DROP FUNCTION parallel_run;
