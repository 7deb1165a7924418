--
-- plpgsql: automata in variables, wrappers, loops, triggers, DO and CALL
--
-- A call site in PL/pgSQL lives as long as the transaction while its variables
-- change; one in a function that is called anew sees a single call.
--

CREATE TABLE plpgsql_rules (name text PRIMARY KEY, automaton acautomaton);
INSERT INTO plpgsql_rules SELECT 'set' || n, ac_agg('word' || n || '-' || i ORDER BY i) FROM generate_series(1, 4) AS n, generate_series(1, 2000) AS i GROUP BY n;
INSERT INTO plpgsql_rules VALUES ('small1', '{word1-,word2-}'), ('small2', '{word3-}');
CREATE TABLE plpgsql_bodies AS SELECT n, 'a word' || n % 5 || '-' || n AS body FROM generate_series(1, 200) AS n;

-- which sets match a body, by hand
CREATE FUNCTION plpgsql_right(name text, n int) RETURNS boolean LANGUAGE sql IMMUTABLE AS
	$$ SELECT CASE name WHEN 'small1' THEN n % 5 IN (1, 2) WHEN 'small2' THEN n % 5 = 3 ELSE name = 'set' || n % 5 END $$;

-- a variable that is assigned in a loop, in all ways
CREATE FUNCTION plpgsql_loop() RETURNS TABLE (asked bigint, wrong bigint) LANGUAGE plpgsql AS $$
DECLARE
	r plpgsql_rules;
	b plpgsql_bodies;
	rules acautomaton;
	other acautomaton;
	swapped acautomaton;
	all_rules acautomaton[];
	i int;
BEGIN
	asked := 0;
	wrong := 0;
	FOR b IN TABLE plpgsql_bodies LOOP
		FOR r IN SELECT * FROM plpgsql_rules ORDER BY md5(name || b.n) LOOP
			asked := asked + 4;
			IF ac_contains(r.automaton, b.body) <> plpgsql_right(r.name, b.n) THEN wrong := wrong + 1; END IF;
			rules := r.automaton;
			IF (b.body @~ rules) <> plpgsql_right(r.name, b.n) THEN wrong := wrong + 1; END IF;
			SELECT automaton INTO rules FROM plpgsql_rules WHERE name = r.name;
			IF (ac_count(rules, b.body) > 0) <> plpgsql_right(r.name, b.n) THEN wrong := wrong + 1; END IF;
			IF EXISTS (SELECT FROM ac_matches(rules, b.body)) <> plpgsql_right(r.name, b.n) THEN wrong := wrong + 1; END IF;
		END LOOP;
	END LOOP;
	-- two variables that change places; an array
	SELECT automaton INTO rules FROM plpgsql_rules WHERE name = 'set1';
	SELECT automaton INTO other FROM plpgsql_rules WHERE name = 'set2';
	all_rules := ARRAY[rules, other, '{word}'::acautomaton];
	FOR i IN 1 .. 100 LOOP
		asked := asked + 2;
		IF ac_contains(rules, 'word1-1') <> (i % 2 = 1) THEN wrong := wrong + 1; END IF;
		IF ac_contains(all_rules[i % 3 + 1], 'word1-1') <> (i % 3 <> 1) THEN wrong := wrong + 1; END IF;
		swapped := rules;
		rules := other;
		other := swapped;
	END LOOP;
	-- a variable that is set to a computed value of the same size each time
	FOR i IN 10 .. 99 LOOP
		asked := asked + 1;
		rules := ac_build(ARRAY['<' || i || '>']);
		IF NOT '<' || i || '>' @~ rules OR '<' || i - 1 || '>' @~ rules THEN wrong := wrong + 1; END IF;
	END LOOP;
	RETURN NEXT;
END $$;
SELECT ac_cache_reset();
SELECT * FROM plpgsql_loop();
SELECT evictions, detoasts FROM ac_cache_stats();

-- rules that change between two looks of one call site
CREATE FUNCTION plpgsql_changes() RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
	rules acautomaton;
	answers text[];
BEGIN
	FOR i IN 1 .. 4 LOOP
		SELECT automaton INTO rules FROM plpgsql_rules WHERE name = 'set1';
		answers := answers || ac_count(rules, 'word1-1 new')::text;
		BEGIN
			UPDATE plpgsql_rules SET automaton = ac_add(automaton, (ARRAY['n', 'e', 'w', 'ne'])[i : i]) WHERE name = 'set1';
			SELECT automaton INTO rules FROM plpgsql_rules WHERE name = 'set1';
			answers := answers || ac_count(rules, 'word1-1 new')::text;
			IF i % 2 = 0 THEN RAISE EXCEPTION 'undo'; END IF;
		EXCEPTION WHEN raise_exception THEN
			answers := answers || 'undone'::text;
		END;
	END LOOP;
	RETURN answers;
END $$;
BEGIN;
SELECT plpgsql_changes();
ROLLBACK;
SELECT ac_count(automaton, 'word1-1 new') FROM plpgsql_rules WHERE name = 'set1';

-- wrappers: a call site each call
CREATE FUNCTION plpgsql_wrapped(rules acautomaton, body text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN ac_contains(rules, body); END $$;
CREATE FUNCTION plpgsql_sql_wrapped(rules acautomaton, body text) RETURNS SETOF bigint LANGUAGE sql AS $$ SELECT id FROM ac_find(rules, body) $$;
SELECT ac_cache_reset();
SELECT count(*), count(*) FILTER (WHERE plpgsql_wrapped(automaton, body) = plpgsql_right(name, n)) AS right,
	   count(*) FILTER (WHERE (EXISTS (SELECT plpgsql_sql_wrapped(automaton, body))) = plpgsql_right(name, n)) AS right
FROM plpgsql_rules, plpgsql_bodies;
-- (from 18 on the server itself detoasts what it hands to a function in SQL)
SELECT misses IN (6, 10) AS once, evictions, detoasts FROM ac_cache_stats();

-- PERFORM, RETURN QUERY, dynamic SQL, cursors
CREATE FUNCTION plpgsql_others(OUT hits bigint, OUT ids bigint[]) LANGUAGE plpgsql AS $$
DECLARE
	rules acautomaton;
	c CURSOR (r acautomaton) FOR SELECT id FROM ac_find(r, 'word1-1 word1-2');
	id bigint;
BEGIN
	hits := 0;
	FOR rules IN SELECT automaton FROM plpgsql_rules WHERE name LIKE 'set%' ORDER BY name LOOP
		PERFORM FROM ac_matches(rules, 'word2-77');
		IF FOUND THEN hits := hits + 1; END IF;
		EXECUTE 'SELECT $3 + count(*) FROM ac_matches($1, $2)' INTO hits USING rules, 'word3-33', hits;
		FOR x IN c(rules) LOOP
			ids := ids || x.id;
		END LOOP;
	END LOOP;
END $$;
SELECT * FROM plpgsql_others();

-- outside of a function values come inline; COMMIT in between
ALTER TABLE plpgsql_rules ALTER automaton SET STORAGE EXTENDED;
UPDATE plpgsql_rules SET automaton = ac_add(automaton, ARRAY['word' || substr(name, 4) || repeat('!', 3000)]) WHERE name LIKE 'set%';
DO $$
DECLARE
	r plpgsql_rules;
	b plpgsql_bodies;
	wrong int := 0;
BEGIN
	FOR b IN TABLE plpgsql_bodies LOOP
		FOR r IN TABLE plpgsql_rules LOOP
			IF ac_contains(r.automaton, b.body) <> plpgsql_right(r.name, b.n) THEN wrong := wrong + 1; END IF;
		END LOOP;
	END LOOP;
	RAISE NOTICE 'wrong in DO: %', wrong;
END $$;
CREATE PROCEDURE plpgsql_procedure(INOUT wrong int) LANGUAGE plpgsql AS $$
DECLARE
	rules acautomaton;
BEGIN
	FOR i IN 1 .. 5 LOOP
		SELECT automaton INTO rules FROM plpgsql_rules WHERE name = 'set1';
		IF ac_count(rules, 'word1-1') <> 1 THEN wrong := wrong + 1; END IF;
		UPDATE plpgsql_rules SET automaton = ac_build(ARRAY['word' || i]) WHERE name = 'set1';
		COMMIT;
		IF ac_count(rules, 'word1-1') <> 1 THEN wrong := wrong + 1; END IF;
		SELECT automaton INTO rules FROM plpgsql_rules WHERE name = 'set1';
		IF ac_contains(rules, 'word1-1') <> (i = 1) THEN wrong := wrong + 1; END IF;
		UPDATE plpgsql_rules SET automaton = (SELECT ac_agg('word1-' || j ORDER BY j) FROM generate_series(1, 500) AS j WHERE j < 2 OR j > i) WHERE name = 'set1';
		COMMIT;
	END LOOP;
END $$;
CALL plpgsql_procedure(0);

-- a trigger that keeps the ids that match
CREATE TABLE plpgsql_logs (body text, ids bigint[]);
CREATE FUNCTION plpgsql_tag() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.ids := ac_ids((SELECT automaton FROM plpgsql_rules WHERE name = 'set2'), NEW.body);
	RETURN NEW;
END $$;
CREATE TRIGGER tag BEFORE INSERT OR UPDATE ON plpgsql_logs FOR EACH ROW EXECUTE FUNCTION plpgsql_tag();
INSERT INTO plpgsql_logs SELECT 'word2-' || n || ', word1-1' FROM generate_series(5, 25, 10) AS n;
SELECT * FROM plpgsql_logs;
UPDATE plpgsql_rules SET automaton = ac_build('{word1,word2}', '{-1,-2}') WHERE name = 'set2';
UPDATE plpgsql_logs SET body = body || '!';
SELECT * FROM plpgsql_logs;

DROP TABLE plpgsql_rules, plpgsql_bodies, plpgsql_logs CASCADE;
DROP FUNCTION plpgsql_right, plpgsql_changes, plpgsql_loop, plpgsql_others, plpgsql_tag, plpgsql_wrapped, plpgsql_sql_wrapped;
DROP PROCEDURE plpgsql_procedure;
