--
-- cache: what a backend remembers, and that it never answers for other rules
--
-- hits and misses are look-ups in the backend's table, detoasts are whole
-- automata fetched; rows that follow cost neither.
--

CREATE TABLE cache_rules (name text PRIMARY KEY, note text, automaton acautomaton);
CREATE TABLE cache_bodies (n int, body text);
INSERT INTO cache_bodies SELECT n, 'body ' || n || ' with word' || n % 50 || ' in it' FROM generate_series(1, 1000) AS n;
ANALYZE cache_bodies;
SET max_parallel_workers_per_gather = 0;

-- large enough to be stored out of line
CREATE FUNCTION cache_set(pattern text, n int) RETURNS acautomaton LANGUAGE sql AS
	$$ SELECT ac_agg(pattern || i ORDER BY i) FROM generate_series(1, n) AS i $$;
INSERT INTO cache_rules VALUES ('word', 'first', cache_set('word', 1000)), ('other', 'first', cache_set('other', 1000)),
	('body', 'first', cache_set('body ', 1000)), ('small', 'inline', '{word1,word2}');

SELECT ac_cache_reset();
SELECT * FROM ac_cache();
SELECT * FROM ac_cache_stats();

-- a join: one miss, one detoast; the next time one hit
SELECT count(*) FROM cache_rules, cache_bodies WHERE name = 'word' AND body @~ automaton;
SELECT hits, misses, evictions, detoasts FROM ac_cache_stats();
SELECT count(*) FROM cache_rules, cache_bodies WHERE name = 'word' AND body @~ automaton;
SELECT hits, misses, evictions, detoasts FROM ac_cache_stats();
-- any other function finds it too
SELECT sum(ac_count(automaton, body)) FROM cache_rules, cache_bodies WHERE name = 'word';
SELECT count(*) FROM cache_bodies, ac_matches((SELECT automaton FROM cache_rules WHERE name = 'word'), body);
SELECT hits, misses, evictions, detoasts FROM ac_cache_stats();

-- what is in it
SELECT reltoastrelid::regclass AS toast, reltoastrelid AS toast_oid FROM pg_class WHERE oid = 'cache_rules'::regclass \gset
SELECT min(chunk_id) AS first_value FROM :toast \gset
SELECT source = 'toast ' || :'toast_oid' || '/' || :'first_value' AS source_is_right, patterns,
	   image_bytes = (SELECT (ac_info(automaton)).image_bytes FROM cache_rules WHERE name = 'word') AS size_is_right,
	   memory_bytes > image_bytes AS memory_counts_all, memory_bytes < 2 * image_bytes + 200000 AS but_not_more,
	   hits, last_used BETWEEN now() - interval '1 minute' AND clock_timestamp() AS just_used
FROM ac_cache();

-- contexts tell what they hold (from 14 on the server shows them)
CREATE TEMP TABLE contexts (name text, ident text);
DO $$
BEGIN
	IF to_regclass('pg_catalog.pg_backend_memory_contexts') IS NOT NULL THEN
		INSERT INTO contexts SELECT name, ident FROM pg_backend_memory_contexts WHERE name LIKE 'ac %';
	ELSE
		INSERT INTO contexts SELECT 'ac automaton', source || ', ' || patterns || ' patterns' FROM ac_cache();
	END IF;
END
$$;
SELECT ident = 'toast ' || :'toast_oid' || '/' || :'first_value' || ', 1000 patterns' AS named FROM contexts WHERE name = 'ac automaton';

-- a row allocates nothing, while its context still holds what came before
-- (13 does not show contexts; once the tables are derived, as more text comes)
CREATE FUNCTION cache_used() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	used bigint := 0;
BEGIN
	IF to_regclass('pg_catalog.pg_backend_memory_contexts') IS NOT NULL THEN
		SELECT sum(used_bytes) INTO used FROM pg_backend_memory_contexts;
	END IF;
	RETURN used;
END $$;
SELECT mode() WITHIN GROUP (ORDER BY u2 - u1) AS operator, mode() WITHIN GROUP (ORDER BY u3 - u2) AS count,
	   mode() WITHIN GROUP (ORDER BY u4 - u3) AS leftmost, mode() WITHIN GROUP (ORDER BY u5 - u4) AS instr,
	   mode() WITHIN GROUP (ORDER BY u6 - u5) AS folded,
	   (u0 = 0) = (mode() WITHIN GROUP (ORDER BY u7 - u6) = 0) AS a_result_is_seen,
	   count(*) FILTER (WHERE found) AS found, sum(n1) AS count, sum(n2) AS leftmost, sum(n3) AS instr, sum(n4) AS folded, max(length(x)) AS length
FROM cache_used() AS u0, (
	SELECT cache_used() AS u1, body @~ automaton AS found, cache_used() AS u2, ac_count(automaton, body) AS n1, cache_used() AS u3,
		   ac_count(automaton, body, 'leftmost-longest') AS n2, cache_used() AS u4, ac_instr(automaton, body) AS n3, cache_used() AS u5,
		   ac_count('[ignore_case whole_words]{BODY,wİth}', body) AS n4, cache_used() AS u6, repeat(body, 2) AS x, cache_used() AS u7
	FROM cache_rules, cache_bodies WHERE name = 'word' AND n <= 200 OFFSET 0) AS rows
GROUP BY u0;

-- rule sets that take turns are looked up, not fetched
SELECT ac_cache_reset();
SELECT name, sum(ac_count(automaton, body)) FROM cache_bodies, cache_rules GROUP BY name ORDER BY name;
SELECT misses, evictions, detoasts FROM ac_cache_stats();
SELECT sum(ac_count(automaton, body)) FROM (SELECT * FROM cache_bodies ORDER BY n OFFSET 0) AS b CROSS JOIN LATERAL
	(SELECT automaton FROM cache_rules WHERE name IN ('word', 'other') AND n > 0 ORDER BY name OFFSET 0) AS r;
SELECT misses, evictions, detoasts FROM ac_cache_stats();
SELECT regexp_replace(source, '\d+', 'N', 'g') AS source, patterns FROM ac_cache() ORDER BY 1, 2;

-- constants, parameters and computed values are known by their content
SELECT ac_cache_reset();
SELECT count(*) FROM cache_bodies WHERE body @~ '{word7,word8}';
SELECT misses, detoasts FROM ac_cache_stats();
SELECT ac_count('{word7,word8}'::acautomaton, 'word8'), ac_contains(ac_build('{word7,word8}'), 'word');
SELECT misses, detoasts FROM ac_cache_stats();
PREPARE with_rules(acautomaton) AS SELECT count(*) FROM cache_bodies WHERE body @~ $1;
EXECUTE with_rules('{word7,word8}');
EXECUTE with_rules('{word7}');
EXECUTE with_rules('{word7,word8}');
SELECT misses, detoasts FROM ac_cache_stats();
SELECT source, patterns FROM ac_cache();
-- the same words, other options or ids: other rules
SELECT ac_contains(ac_build('{word7,word8}', ignore_case => true), 'WORD7'), ac_ids(ac_build('{word7,word8}', '{8,7}'), 'word7'),
	   ac_contains(ac_build('{word7,word8}', whole_words => true), 'word77'), ac_contains(ac_build_bytea('{word7,word8}'), 'WORD7'::bytea);

-- a wrapper has a call site of its own each time; one look at the header a statement
CREATE FUNCTION cache_wrapper(rules acautomaton, body text) RETURNS boolean LANGUAGE plpgsql AS
	$$ BEGIN RETURN body @~ rules; END $$;
SELECT ac_cache_reset();
SELECT count(*) FROM cache_rules, cache_bodies WHERE name = 'word' AND cache_wrapper(automaton, body);
SELECT misses, detoasts FROM ac_cache_stats();

-- rules that change: in the same transaction, rolled back, in another column
SELECT ac_cache_reset();
PREPARE matching AS SELECT count(*) FROM cache_rules, cache_bodies WHERE name = 'word' AND body @~ automaton;
EXECUTE matching;
BEGIN;
UPDATE cache_rules SET automaton = cache_set('nothing', 1000) WHERE name = 'word';
EXECUTE matching;
SAVEPOINT s;
UPDATE cache_rules SET automaton = ac_add(automaton, '{in it}') WHERE name = 'word';
EXECUTE matching;
ROLLBACK TO s;
EXECUTE matching;
ROLLBACK;
EXECUTE matching;
SELECT hits, misses, detoasts FROM ac_cache_stats();
UPDATE cache_rules SET note = 'second' WHERE name = 'word';
EXECUTE matching;
SELECT hits, misses, detoasts FROM ac_cache_stats();
UPDATE cache_rules SET automaton = cache_set('word4', 1000) WHERE name = 'word';
EXECUTE matching;
SELECT hits, misses, detoasts FROM ac_cache_stats();

-- the table is written anew: the same pointers, or others
VACUUM FULL cache_rules;
EXECUTE matching;
CLUSTER cache_rules USING cache_rules_pkey;
EXECUTE matching;
SELECT hits, misses, detoasts FROM ac_cache_stats();
ALTER TABLE cache_rules ALTER note TYPE int USING length(note);
EXECUTE matching;
SELECT hits, misses, detoasts FROM ac_cache_stats();
CREATE TABLE cache_copy AS TABLE cache_rules;
TRUNCATE cache_rules;
EXECUTE matching;
INSERT INTO cache_rules SELECT CASE name WHEN 'word' THEN 'other' WHEN 'other' THEN 'word' ELSE name END, note, automaton FROM cache_copy;
EXECUTE matching;
-- the same rules in two tables
SELECT r.name, c.name, count(*) FILTER (WHERE body @~ r.automaton), count(*) FILTER (WHERE body @~ c.automaton)
FROM cache_rules AS r, cache_copy AS c, cache_bodies WHERE r.automaton = c.automaton GROUP BY 1, 2 ORDER BY 1, 2;
DROP TABLE cache_copy;

-- the limit: the least recently used go
-- (sets so large that blocks of memory do not count, and enough text each time
-- that whatever is derived from an image is derived)
UPDATE cache_rules SET automaton = cache_set(CASE name WHEN 'body' THEN 'body ' WHEN 'word' THEN 'word4' ELSE name END, 20000) WHERE name <> 'small';
CREATE FUNCTION cache_use(which text) RETURNS bigint LANGUAGE sql AS
	$$ SELECT sum(ac_count(automaton, body)) / 20 FROM cache_rules, cache_bodies, generate_series(1, 20) WHERE name = which $$;
SELECT ac_cache_reset();
SELECT cache_use('body'), cache_use('other'), cache_use('word');
SELECT max(memory_bytes) AS one, count(*) AS entries, 3 * min(memory_bytes) > 2.6 * max(memory_bytes) AS about_the_same FROM ac_cache() \gset
SELECT :entries AS entries, :'about_the_same' AS about_the_same, ac_cache_reset();
SELECT set_config('ac.cache_size', (:one * 5 / 2 / 1024)::text || 'kB', false) IS NOT NULL AS room_for_two;
SELECT cache_use('body'), cache_use('other'), cache_use('word');
SELECT misses, evictions FROM ac_cache_stats();
SELECT count(*) FROM ac_cache();
SELECT sum(memory_bytes) <= limit_bytes AS within FROM ac_cache(), ac_cache_stats() GROUP BY limit_bytes;
SELECT cache_use('word');
SELECT hits, misses, evictions FROM ac_cache_stats();
SELECT cache_use('other');
SELECT hits, misses, evictions FROM ac_cache_stats();
SELECT cache_use('body');
SELECT hits, misses, evictions FROM ac_cache_stats();
-- a smaller limit takes effect at once
SELECT set_config('ac.cache_size', (:one * 3 / 2 / 1024)::text || 'kB', false) IS NOT NULL AS room_for_one;
SELECT count(*) FROM ac_cache();
-- too large with what was derived: that goes at the end of the query, the rest stays
SELECT set_config('ac.cache_size', (:one / 2 / 1024)::text || 'kB', false) IS NOT NULL AS room_for_half;
SELECT ac_cache_reset();
SELECT cache_use('body');
SELECT cache_use('body');
SELECT hits, misses, evictions, detoasts FROM ac_cache_stats();
SELECT count(*), sum(memory_bytes) < :one / 2 AS within FROM ac_cache();
-- too large to be kept: it is used all the same, and held for the query
SET ac.cache_size = '1kB';
SELECT count(*) FROM ac_cache();
SELECT ac_cache_reset();
SELECT cache_use('body'), cache_use('other'), cache_use('body');
SELECT count(*) FROM ac_cache();
SELECT limit_bytes, hits, misses, evictions, detoasts FROM ac_cache_stats();
-- nothing outlives the query; what is held for it serves all of it
SET ac.cache_size = 0;
SELECT ac_cache_reset();
SELECT count(*), sum(ac_instr(automaton, body)) FROM cache_rules, cache_bodies, ac_matches(automaton, body) WHERE name = 'body' AND body @~ automaton;
SELECT hits, misses, evictions, detoasts FROM ac_cache_stats();
SELECT cache_use('word'), ac_contains('{a}'::acautomaton, 'a');
SELECT count(*) FROM ac_cache();
SELECT limit_bytes FROM ac_cache_stats();
-- the limit falls, and the table is emptied, while automata are in use
SET ac.cache_size = '10MB';
SELECT n, ac_count(automaton, body), set_config('ac.cache_size', greatest(3 - n, 0)::text, false)
FROM cache_rules, cache_bodies WHERE name = 'body' AND n <= 4 ORDER BY n;
SET ac.cache_size = '10MB';
SELECT n, ac_count(automaton, body) AS before, ac_cache_reset(), ac_count(automaton, body) AS after
FROM cache_rules, cache_bodies WHERE name = 'body' AND n <= 3 ORDER BY n;
RESET ac.cache_size;
SHOW ac.cache_size;
\set VERBOSITY sqlstate
SET ac.cache_size = -1;
\set VERBOSITY default

DROP TABLE cache_rules, cache_bodies;
DROP FUNCTION cache_set, cache_wrapper, cache_use, cache_used;
