-- The demo's queries.  Each figure is measured here, in this run.
SET search_path = ac_demo, public;
SET client_min_messages = warning;
\pset footer off
\pset null ''
VACUUM (ANALYZE) logs;

CREATE TABLE words AS
	SELECT row_number() OVER (ORDER BY pattern) AS id, pattern, min(list) AS list
	FROM lists GROUP BY pattern;
CREATE TABLE rules (name text PRIMARY KEY, automaton acautomaton NOT NULL);
INSERT INTO rules
	SELECT 'modsecurity', ac_agg(pattern, id ORDER BY id) FROM words;

\echo
\echo The compiled rule set:
SELECT i.patterns, i.states, i.pattern_bytes AS bytes_of_the_words, i.image_bytes AS bytes_of_the_automaton
FROM rules, ac_info(automaton) AS i;

\echo The log lines with a match (body @~ automaton):
SELECT clock_timestamp() AS start \gset
SELECT count(*) FILTER (WHERE body @~ automaton) AS matching_lines, count(*) AS lines
FROM logs, rules;
SELECT count(*) / extract(epoch FROM clock_timestamp() - :'start') AS ours FROM logs \gset

\echo Where, and which (ac_find), into the table hits; the rules that fire most:
CREATE TABLE hits AS
	SELECT l.id AS log_id, f.pos, f.len, f.id, f.pattern
	FROM rules, logs AS l, ac_find(automaton, body) AS f
	WHERE body @~ automaton;
SELECT pattern, list, count(*) AS matches, count(DISTINCT log_id) AS lines
FROM hits JOIN words USING (id, pattern)
GROUP BY pattern, list ORDER BY matches DESC, pattern LIMIT 10;

\echo One line for each of some rules, with the position in the line:
SELECT l.source, h.pos, h.len, h.pattern,
	   translate(substr(l.body, greatest(h.pos - 30, 1), least(h.pos - 1, 30) + h.len + 20), E'\t', ' ') AS around
FROM (SELECT DISTINCT ON (pattern) * FROM hits ORDER BY pattern, log_id, pos) AS h
JOIN logs AS l ON l.id = h.log_id
WHERE h.len BETWEEN 9 AND 30
ORDER BY (SELECT count(*) FROM hits AS other WHERE other.id = h.id) DESC, h.pattern LIMIT 15;

-- LIKE ANY takes longer by orders of magnitude, so it gets the first lines alone.
SELECT least(2000, count(*)) AS n FROM logs \gset
SELECT clock_timestamp() AS start \gset
SELECT count(*) AS like_lines
FROM (SELECT * FROM logs WHERE id < :n) AS l
WHERE body LIKE ANY (ARRAY(SELECT '%' || replace(replace(replace(pattern, '\', '\\'), '%', '\%'), '_', '\_') || '%'
						   FROM words)) \gset
SELECT :n / extract(epoch FROM clock_timestamp() - :'start') AS likes \gset
SELECT count(*) AS our_lines FROM logs, rules WHERE id < :n AND body @~ automaton \gset

\echo The same question asked with LIKE:
SELECT query, rows, to_char(rate, 'FM999,999,999,999') AS rows_per_second, lines AS matching_lines_in_first
FROM (VALUES ('body @~ automaton', 'all', :ours, :our_lines),
			 ('body LIKE ANY (patterns)', 'first ' || :n, :likes, :like_lines)) AS t(query, rows, rate, lines);
SELECT format('@~ is %s times as fast here.', to_char(:ours / :likes, 'FM999,999,999')) AS ratio \gset
\echo :ratio
