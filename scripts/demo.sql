-- The demo's queries.  Each figure is measured here, in this run.
SET search_path = ac_demo, public;
SET client_min_messages = warning;
\pset footer off
\pset format aligned
VACUUM (ANALYZE) logs;

CREATE TABLE words AS
	SELECT row_number() OVER (ORDER BY pattern) AS id, pattern, min(list) AS list
	FROM lists GROUP BY pattern;
CREATE TABLE rules (name text PRIMARY KEY, automaton acautomaton NOT NULL);
INSERT INTO rules
	SELECT 'modsecurity', ac_agg(pattern, id ORDER BY id) FROM words;

\echo
\echo == The compiled rule set ==
SELECT i.patterns, i.states, i.pattern_bytes AS words_bytes, i.image_bytes,
	   round(i.image_bytes::numeric / i.pattern_bytes, 2) AS image_per_word_byte
FROM rules, ac_info(automaton) AS i;

\echo == Log lines with a match, of all ==
SELECT clock_timestamp() AS start \gset
SELECT count(*) FILTER (WHERE body @~ automaton) AS matching_lines, count(*) AS lines
FROM logs, rules;
SELECT count(*) / extract(epoch FROM clock_timestamp() - :'start') AS ours FROM logs \gset

\echo == Rules that fire most ==
SELECT w.pattern, w.list, count(*) AS matches, count(DISTINCT l.id) AS lines
FROM logs AS l, rules AS r, ac_find(r.automaton, l.body) AS f JOIN words AS w USING (id)
WHERE l.body @~ r.automaton
GROUP BY w.pattern, w.list ORDER BY matches DESC, w.pattern LIMIT 10;

\echo == Where they fire: position, length, rule ==
SELECT f.pos, f.len, f.id, f.pattern, left(l.body, 96) AS line
FROM (SELECT DISTINCT ON (source) * FROM logs, rules
	  WHERE body @~ automaton ORDER BY source, id) AS l,
	 ac_find(l.automaton, l.body, 'leftmost-longest') AS f
ORDER BY f.len DESC, l.id, f.pos LIMIT 12;

\echo == Rows a second, one process or as the planner decides ==
SELECT least(2000, count(*)) AS n FROM logs \gset
SELECT clock_timestamp() AS start \gset
SELECT count(*) AS like_matches
FROM (SELECT * FROM logs WHERE id < :n) AS l
WHERE body LIKE ANY (SELECT '%' || replace(replace(replace(pattern, '\', '\\'), '%', '\%'), '_', '\_') || '%'
					 FROM words) \gset
SELECT :n / extract(epoch FROM clock_timestamp() - :'start') AS likes \gset
SELECT count(*) AS our_matches FROM logs, rules WHERE id < :n AND body @~ automaton \gset
SELECT * FROM (VALUES
	('body @~ automaton, all rows', to_char(:ours, 'FM999,999,999'), ''),
	('body LIKE ANY (patterns), first ' || :n || ' rows', to_char(:likes, 'FM999,999,999'), ''),
	('ratio', to_char(:ours / :likes, 'FM999,999'), ''),
	('matching rows among those ' || :n || ': @~', to_char(:our_matches, 'FM999,999'), ''),
	('matching rows among those ' || :n || ': LIKE', to_char(:like_matches, 'FM999,999'), '')
) AS t(what, "rows per second or number", "");
