--
-- planner: rows, costs and selectivity
--

CREATE TABLE planner_rules (name text PRIMARY KEY, automaton acautomaton);
INSERT INTO planner_rules VALUES ('few', '{word1,word2}'), ('many', (SELECT ac_agg('word' || i ORDER BY i) FROM generate_series(1, 5000) AS i));
CREATE TABLE planner_logs (id int, body text);
INSERT INTO planner_logs SELECT i, rpad('a line of a log, number ' || i, 100) || CASE WHEN md5(i::text) < '33' THEN 'attack' ELSE '' END FROM generate_series(1, 10000) AS i;
CREATE TABLE planner_wide (id int, body text);
INSERT INTO planner_wide SELECT i, repeat('a line of a log, number ' || i, 40) FROM generate_series(1, 1000) AS i;
-- out of line: statistics know of a pointer alone
CREATE TABLE planner_documents (id int, body text);
ALTER TABLE planner_documents ALTER body SET STORAGE EXTERNAL;
INSERT INTO planner_documents SELECT i, repeat('a line of a document, number ' || i, 1000) FROM generate_series(1, 300) AS i;
ANALYZE planner_rules, planner_logs, planner_wide, planner_documents;
SET max_parallel_workers_per_gather = 0;

-- a number from the top node of a plan, or from the first node of a type
CREATE FUNCTION planner_get(query text, field text, node text DEFAULT NULL) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
	plan jsonb;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	IF node IS NULL THEN
		RETURN plan -> 0 -> 'Plan' ->> field;
	END IF;
	RETURN jsonb_path_query_first(plan, ('$.** ? (@."Node Type" == "' || node || '")')::jsonpath) ->> field;
END $$;
CREATE FUNCTION planner_cost(query text) RETURNS numeric LANGUAGE sql AS
	$$ SELECT planner_get(query, 'Total Cost') $$;

-- rows of ac_matches and ac_find grow with the body
SELECT planner_get('SELECT * FROM ac_matches(''{a}''::acautomaton, ''short'')', 'Plan Rows') AS short,
	   planner_get(format('SELECT * FROM ac_matches(''{a}''::acautomaton, %L)', repeat('x', 100000)), 'Plan Rows') AS long,
	   planner_get(format('SELECT * FROM ac_find(''{a}''::acautomaton, %L::bytea)', repeat('x', 100000)), 'Plan Rows') AS bytes,
	   planner_get('SELECT m.* FROM planner_logs, ac_matches(''{a}''::acautomaton, body) AS m', 'Plan Rows', 'Function Scan') AS logs,
	   planner_get('SELECT m.* FROM planner_wide, ac_find(''{a}''::acautomaton, body) AS m', 'Plan Rows', 'Function Scan') AS wide,
	   planner_get('SELECT m.* FROM planner_documents, ac_find(''{a}''::acautomaton, body) AS m', 'Plan Rows', 'Function Scan') BETWEEN 25 AND 60 AS documents,
	   planner_get('SELECT ac_matches(''{a}''::acautomaton, NULL::text)', 'Plan Rows') <= 1 AS nothing;

-- costs grow with the body and not with the rules
SELECT f, planner_cost(format('SELECT %s FROM planner_logs', few)) = planner_cost(format('SELECT %s FROM planner_logs', many)) AS same_for_all_rules,
	   planner_cost(format('SELECT %s FROM planner_logs', few)) > planner_cost('SELECT length(body) FROM planner_logs') AS more_than_a_call,
	   planner_cost(format('SELECT %s FROM planner_wide', few)) / 1000 > planner_cost(format('SELECT %s FROM planner_logs', few)) / 10000 * 2 AS more_for_wide,
	   planner_cost(format('SELECT %s FROM planner_documents', few)) / 300 > planner_cost(format('SELECT %s FROM planner_wide', few)) / 1000 * 10 AS more_out_of_line
FROM (SELECT f, format(f, '''{word1,word2}''::acautomaton') AS few, format(f, quote_literal(automaton) || '::acautomaton') AS many
	FROM planner_rules, unnest(ARRAY['ac_contains(%s, body)', 'body @~ %s', '%s ~@ body', 'ac_count(%s, body)', 'ac_instr(%s, body)', 'ac_ids(%s, body)',
		'ac_found(%s, body)', 'ac_replace(%s, body, ''x'')', 'ac_mask(%s, body)', 'ac_highlight(%s, body)', 'ac_matches(%s, body)', 'ac_find(%s, body)']) AS f
	WHERE name = 'many') AS t;

-- bodies that are no plain columns, and none at all
SELECT planner_cost('SELECT ac_count(''{a}''::acautomaton, body || ''x'') FROM planner_documents') > 0 AS computed,
	   planner_cost('SELECT ac_count(''{a}''::acautomaton, body) FROM (SELECT max(body) AS body FROM planner_documents GROUP BY id) AS t') > 0 AS aggregated,
	   planner_cost('WITH t AS MATERIALIZED (TABLE planner_documents) SELECT ac_count(''{a}''::acautomaton, body) FROM t') > 0 AS cte,
	   planner_cost('SELECT (SELECT ac_count(''{a}''::acautomaton, body)) FROM planner_documents') > 0 AS outer_column,
	   planner_cost('SELECT ac_count(NULL, body) FROM planner_documents') > 0 AS strict,
	   planner_cost('SELECT ac_count(''{a}''::acautomaton, name::varchar) FROM planner_rules') > 0 AS relabelled;
CREATE VIEW planner_view AS SELECT id, body FROM planner_logs UNION ALL SELECT id, body FROM planner_documents;
SELECT planner_cost('SELECT ac_count(''{a}''::acautomaton, body) FROM planner_view') > planner_cost('SELECT length(body) FROM planner_view') AS view;
CREATE TABLE planner_parts (id int, body text) PARTITION BY RANGE (id);
CREATE TABLE planner_part1 PARTITION OF planner_parts FOR VALUES FROM (0) TO (10);
INSERT INTO planner_parts SELECT * FROM planner_documents WHERE id < 10;
ANALYZE planner_parts;
SELECT planner_cost('SELECT ac_count(''{a}''::acautomaton, body) FROM planner_parts') > planner_cost('SELECT length(body) FROM planner_parts') AS partitions;

-- selectivity: what statistics hold is matched while planning
SELECT planner_get('SELECT * FROM planner_logs WHERE body @~ ''{attack}''', 'Plan Rows') BETWEEN 1000 AND 3000 AS fifth,
	   planner_get('SELECT * FROM planner_logs WHERE ''{attack}'' ~@ body', 'Plan Rows') BETWEEN 1000 AND 3000 AS fifth,
	   planner_get('SELECT * FROM planner_logs WHERE body @~ ''{line}''', 'Plan Rows') > 9000 AS all_of_them,
	   planner_get('SELECT * FROM planner_logs WHERE body @~ ''{nothing}''', 'Plan Rows') < 500 AS nearly_none,
	   planner_get('SELECT * FROM planner_logs, planner_rules WHERE body @~ automaton', 'Plan Rows') BETWEEN 1 AND 20000 AS join;
SELECT count(*) FILTER (WHERE ac_contains('{attack}', body)) AS fifth, count(*) FILTER (WHERE ac_contains('{line}', body)) AS all_of_them FROM planner_logs;

-- a join scans the logs once for each rule set; an operator commutes
EXPLAIN (COSTS OFF) SELECT count(*) FROM planner_logs, planner_rules WHERE body @~ automaton AND name = 'many';
EXPLAIN (COSTS OFF) SELECT count(*) FROM planner_logs, planner_rules WHERE automaton ~@ body AND name = 'many';
SELECT oprname, oprcom::regoperator, oprcode, oprrest, oprjoin FROM pg_operator WHERE oprname IN ('@~', '~@') ORDER BY oid::regoperator::text COLLATE "C";

-- cheap conditions go first
EXPLAIN (COSTS OFF) SELECT * FROM planner_documents WHERE body @~ '{word}' AND id = 7 AND length(body) > 0;

-- some hundred long documents are worth workers, some thousand short lines are not
SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 300;
SELECT planner_get('SELECT sum(ac_count(''{a}'', body)) FROM planner_documents', 'Workers Planned', 'Gather') AS documents,
	   planner_get('SELECT sum(ac_count(''{a}'', body)) FROM planner_logs', 'Workers Planned', 'Gather') AS lines;

-- asked for what it does not know, the support function knows nothing
SELECT proname, count(*) FROM pg_proc WHERE prosupport = 'ac_support'::regproc GROUP BY proname ORDER BY proname;
CREATE INDEX ON planner_logs (body text_pattern_ops);
SELECT count(*) FROM planner_logs WHERE body @~ '{attack}' AND id < 100;

DROP TABLE planner_rules, planner_logs, planner_wide, planner_documents, planner_parts CASCADE;
DROP FUNCTION planner_get, planner_cost;
