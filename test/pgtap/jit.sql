-- jit.sql: compiled expressions answer as interpreted ones do, also when the
-- compiler inlines the extension's functions from their bitcode.
\set QUIET 1
\set ON_ERROR_STOP 1
\pset format unaligned
\pset tuples_only true
\pset pager off

BEGIN;
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS pgtap;
CREATE EXTENSION IF NOT EXISTS ac;

CREATE TEMP TABLE bodies AS
	SELECT 'line ' || i || CASE WHEN i % 7 = 0 THEN ' with words of dog and Cat' ELSE '' END AS body
	FROM generate_series(1, 500) AS i;
CREATE TEMP TABLE rules AS
	SELECT ac_agg(w) AS automaton FROM unnest('{dog,cat,words,line 4}'::text[]) AS w
	UNION ALL SELECT ac_build('{cat,WORD}', ignore_case => true, whole_words => true);

PREPARE answers AS
	SELECT body, automaton::text,
		   to_jsonb(ARRAY[body @~ automaton, automaton ~@ body, ac_contains(automaton, body),
						  automaton = ac_add(automaton, '{line 4}')]) AS booleans,
		   to_jsonb(ARRAY[ac_count(automaton, body), ac_count(automaton, body, 'leftmost-first'),
						  ac_instr(automaton, body)]) AS numbers,
		   ac_ids(automaton, body) AS ids, ac_found(automaton, body) AS patterns,
		   ARRAY[ac_replace(automaton, body, '-'), ac_mask(automaton, body),
				 ac_highlight(automaton, body)] AS bodies,
		   (SELECT jsonb_agg(f) FROM ac_find(automaton, body) AS f) AS found,
		   (SELECT jsonb_agg(m) FROM ac_matches(automaton, body, 'leftmost-longest') AS m) AS matches
	FROM bodies, rules;

SELECT no_plan();
SET jit = off;
CREATE TEMP TABLE interpreted AS EXECUTE answers;
SET jit = on;
SET jit_above_cost = 0;
SET jit_optimize_above_cost = 0;
SET jit_inline_above_cost = -1;
CREATE TEMP TABLE compiled AS EXECUTE answers;
SET jit_inline_above_cost = 0;
CREATE TEMP TABLE inlined AS EXECUTE answers;
SET jit = off;

SELECT ok(pg_jit_available() OR true, 'JIT is ' || CASE WHEN pg_jit_available() THEN '' ELSE 'not ' END || 'available');
SELECT is((SELECT count(*) FROM interpreted), 1000::bigint, 'every pair has a row');
SELECT is_empty('TABLE interpreted EXCEPT TABLE compiled', 'compiled expressions answer the same');
SELECT is_empty('TABLE interpreted EXCEPT TABLE inlined', 'and so do inlined ones');
SELECT finish();
ROLLBACK;
