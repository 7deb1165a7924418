-- property.sql: every function against an oracle in SQL, over random rules and
-- texts of few letters that make trouble: case variants of other lengths,
-- combining and astral characters, scripts without spaces, bytes of any value.
-- Needs pgTAP; run by "make test", or by
--
--	pg_prove -d DATABASE test/pgtap/property.sql
--
-- The oracle compares substrings at every position.  What folds to what, and
-- what is a word character, it reads from a table written by hand.  The seed is
-- printed; another run of it, and longer runs:
--
--	PGOPTIONS='-c ac_test.seed=0.25 -c ac_test.rounds=5000' pg_prove ...
\set QUIET 1
\set ON_ERROR_STOP 1
\pset format unaligned
\pset tuples_only true
\pset pager off

SET client_encoding = 'UTF8';
BEGIN;
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS pgtap;
CREATE EXTENSION IF NOT EXISTS ac;
SET client_min_messages = notice;

SELECT coalesce(nullif(current_setting('ac_test.seed', true), ''),
				round(random()::numeric, 9)::text) AS seed,
	   coalesce(nullif(current_setting('ac_test.rounds', true), ''), '300') AS rounds
\gset
SELECT no_plan();
SELECT diag('ac_test.seed=' || :'seed' || ' ac_test.rounds=' || :'rounds');
SELECT setseed(:'seed') \g /dev/null

-- ---- what is known about characters ----

CREATE TEMP TABLE letter (
	n int GENERATED ALWAYS AS IDENTITY,
	ch text COLLATE "C" PRIMARY KEY,
	folded text COLLATE "C",
	word boolean
);

INSERT INTO letter (ch, folded, word) VALUES
	('a', 'a', true), ('A', 'a', true),
	('b', 'b', true), ('B', 'b', true),
	-- three letters k, of one byte and of three
	('k', 'k', true), ('K', 'k', true), (U&'\212A', 'k', true),
	-- three letters s, and two that are not two of them
	('s', 's', true), ('S', 's', true), (U&'\017F', 's', true),
	(U&'\00DF', U&'\00DF', true), (U&'\1E9E', U&'\00DF', true),
	-- the dotted and the dotless one equal themselves alone
	('i', 'i', true), ('I', 'i', true),
	(U&'\0130', U&'\0130', true), (U&'\0131', U&'\0131', true),
	-- composed, and the combining mark
	('e', 'e', true), ('E', 'e', true),
	(U&'\00E9', U&'\00E9', true), (U&'\00C9', U&'\00E9', true), (U&'\0301', U&'\0301', true),
	-- sigma, also at the end of a word
	(U&'\03C3', U&'\03C3', true), (U&'\03A3', U&'\03C3', true), (U&'\03C2', U&'\03C3', true),
	(U&'\03C9', U&'\03C9', true), (U&'\2126', U&'\03C9', true),
	-- folds from two bytes to three
	(U&'\023A', U&'\2C65', true), (U&'\2C65', U&'\2C65', true),
	(U&'\0434', U&'\0434', true), (U&'\0414', U&'\0434', true), (U&'\1C81', U&'\0434', true),
	-- the capital is the folded form
	(U&'\AB70', U&'\13A0', true), (U&'\13A0', U&'\13A0', true),
	(U&'\1F88', U&'\1F80', true), (U&'\1F80', U&'\1F80', true),
	(U&'\FF21', U&'\FF41', true), (U&'\FF41', U&'\FF41', true),
	-- astral letters
	(U&'\+010400', U&'\+010428', true), (U&'\+010428', U&'\+010428', true),
	(U&'\+01E921', U&'\+01E943', true), (U&'\+01E943', U&'\+01E943', true),
	(U&'\FB01', U&'\FB01', true), (U&'\AC00', U&'\AC00', true), (U&'\0915', U&'\0915', true),
	-- scripts written without spaces
	(U&'\4E2D', U&'\4E2D', false), (U&'\+020000', U&'\+020000', false),
	(U&'\306E', U&'\306E', false), (U&'\30AB', U&'\30AB', false),
	(U&'\30FC', U&'\30FC', false), (U&'\FF70', U&'\FF70', false),
	(U&'\0E01', U&'\0E01', false), (U&'\0E81', U&'\0E81', false),
	(U&'\1780', U&'\1780', false), (U&'\1000', U&'\1000', false),
	-- marks, numbers, connectors
	(U&'\+0E0100', U&'\+0E0100', true), (U&'\0903', U&'\0903', true),
	('1', '1', true), (U&'\00B2', U&'\00B2', true), (U&'\0663', U&'\0663', true),
	(U&'\2167', U&'\2177', true), (U&'\2177', U&'\2177', true),
	('_', '_', true), (U&'\203F', U&'\203F', true),
	-- none of these
	(U&'\24B6', U&'\24D0', false), (U&'\24D0', U&'\24D0', false),
	('-', '-', false), (' ', ' ', false), ('.', '.', false), (',', ',', false),
	('''', '''', false), ('"', '"', false), ('\', '\', false), ('{', '{', false),
	('<', '<', false), ('>', '>', false), ('&', '&', false), (E'\n', E'\n', false),
	(U&'\200D', U&'\200D', false), (U&'\2019', U&'\2019', false),
	(U&'\+01F595', U&'\+01F595', false), (U&'\E000', U&'\E000', false);

-- the characters of a text
CREATE FUNCTION pg_temp.chars(t text) RETURNS text[]
LANGUAGE sql IMMUTABLE AS $$ SELECT string_to_array(t, NULL) $$;

CREATE FUNCTION pg_temp.folded(t text) RETURNS text
LANGUAGE sql STABLE AS $$
	SELECT coalesce(string_agg(l.folded, '' ORDER BY o), '')
	FROM unnest(pg_temp.chars(t)) WITH ORDINALITY AS c(ch, o)
	JOIN pg_temp.letter AS l ON l.ch = c.ch COLLATE "C"
$$;

CREATE FUNCTION pg_temp.words(t text) RETURNS boolean[]
LANGUAGE sql STABLE AS $$
	SELECT coalesce(array_agg(l.word ORDER BY o), '{}')
	FROM unnest(pg_temp.chars(t)) WITH ORDINALITY AS c(ch, o)
	JOIN pg_temp.letter AS l ON l.ch = c.ch COLLATE "C"
$$;

-- Bytes as a text of as many characters, so that one oracle serves both.
CREATE FUNCTION pg_temp.as_text(b bytea, fold boolean) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
	SELECT coalesce(string_agg(chr(256 + CASE WHEN fold AND byte BETWEEN 65 AND 90
											  THEN byte + 32 ELSE byte END),
							   '' ORDER BY i), '')
	FROM (SELECT i, get_byte(b, i) AS byte
		  FROM generate_series(0, octet_length(b) - 1) AS i) AS bytes
$$;

-- ---- random things ----

CREATE FUNCTION pg_temp.below(n int) RETURNS int
LANGUAGE sql VOLATILE AS $$ SELECT floor(random() * n)::int $$;

CREATE FUNCTION pg_temp.any_of(a anyarray) RETURNS anyelement
LANGUAGE sql VOLATILE AS $$ SELECT a[1 + floor(random() * cardinality(a))::int] $$;

-- A few letters: often those that fold to the same.
CREATE FUNCTION pg_temp.few_letters() RETURNS text[]
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	few text[] := '{}';
	letters int := (SELECT count(*) FROM pg_temp.letter);
	x text;
BEGIN
	FOR i IN 1 .. 1 + pg_temp.below(4) LOOP
		SELECT folded INTO x FROM pg_temp.letter WHERE n = 1 + pg_temp.below(letters) LIMIT 1;
		x := coalesce(x, 'a');
		few := few || CASE WHEN random() < 0.6
						   THEN ARRAY(SELECT ch FROM pg_temp.letter WHERE folded = x ORDER BY n)
						   ELSE ARRAY[x] END;
	END LOOP;
	RETURN few;
END $$;

CREATE FUNCTION pg_temp.some_text(few text[], size int) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	t text := '';
BEGIN
	FOR i IN 1 .. size LOOP
		t := t || pg_temp.any_of(few);
	END LOOP;
	RETURN t;
END $$;

-- Another spelling that folds to the same
CREATE FUNCTION pg_temp.respelled(t text) RETURNS text
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	result text := '';
	c text;
BEGIN
	FOREACH c IN ARRAY pg_temp.chars(t) LOOP
		result := result || pg_temp.any_of(ARRAY(
			SELECT other.ch FROM pg_temp.letter AS own
			JOIN pg_temp.letter AS other ON own.folded = other.folded
			WHERE own.ch = c COLLATE "C" ORDER BY other.n));
	END LOOP;
	RETURN result;
END $$;

-- Patterns that overlap: parts of the body and of each other, the same twice.
CREATE FUNCTION pg_temp.some_patterns(few text[], body text, how_many int) RETURNS text[]
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	patterns text[] := '{}';
	p text;
	size int := char_length(body);
BEGIN
	FOR i IN 1 .. how_many LOOP
		CASE pg_temp.below(8)
			WHEN 0, 1 THEN
				p := substr(body, 1 + pg_temp.below(size), 1 + pg_temp.below(6));
			WHEN 2 THEN
				p := coalesce(pg_temp.any_of(patterns), '');
			WHEN 3 THEN
				p := pg_temp.respelled(coalesce(pg_temp.any_of(patterns), ''));
			WHEN 4 THEN
				p := substr(coalesce(pg_temp.any_of(patterns), ''), 1 + pg_temp.below(3));
			WHEN 5 THEN
				p := coalesce(pg_temp.any_of(patterns), '') || pg_temp.any_of(few);
			ELSE
				p := pg_temp.some_text(few, 1 + pg_temp.below(4));
		END CASE;
		IF p = '' THEN
			p := pg_temp.any_of(few);
		END IF;
		patterns := patterns || p;
	END LOOP;
	RETURN patterns;
END $$;

-- Ids as they come: ordinal, shared, negative, the largest
CREATE FUNCTION pg_temp.some_ids(how_many int) RETURNS bigint[]
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	ids bigint[] := '{}';
	style int := pg_temp.below(4);
BEGIN
	IF style = 0 THEN
		RETURN NULL;
	END IF;
	FOR i IN 1 .. how_many LOOP
		ids := ids || CASE style
						WHEN 1 THEN pg_temp.below(4)::bigint
						WHEN 2 THEN pg_temp.any_of('{-9223372036854775808,-1,0,7,9223372036854775807}'::bigint[])
						ELSE i::bigint * 1000 - pg_temp.below(5000)
					  END;
	END LOOP;
	RETURN ids;
END $$;

-- ---- trials ----

CREATE TEMP TABLE trial (
	n int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	what text,					-- text, bytea, or text on bytea
	patterns text[] COLLATE "C",	-- as ac_find shows them
	ids bigint[],				-- NULL: not given
	ignore_case boolean,
	whole_words boolean,
	body text,
	bytes bytea,				-- the body, unless what = text
	rules acautomaton,
	folded text COLLATE "C",	-- the body as the oracle sees it
	words boolean[]
);
ALTER TABLE trial ALTER rules SET STORAGE external;

CREATE FUNCTION pg_temp.add_text_trial(body_size int, how_many int) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	t pg_temp.trial;
	few text[] := pg_temp.few_letters();
BEGIN
	t.body := pg_temp.some_text(few, body_size);
	-- often, a letter that splits words
	IF random() < 0.5 THEN
		t.body := replace(t.body, few[1], pg_temp.any_of(ARRAY[' ', '_', U&'\0301', U&'\4E2D']));
	END IF;
	t.ignore_case := random() < 0.5;
	t.whole_words := random() < 0.4;
	t.patterns := pg_temp.some_patterns(few, t.body, how_many);
	t.ids := pg_temp.some_ids(how_many);
	INSERT INTO pg_temp.trial (what, patterns, ids, ignore_case, whole_words, body,
							   rules, folded, words)
	VALUES ('text', t.patterns, t.ids, t.ignore_case, t.whole_words, t.body,
			ac_build(t.patterns, t.ids, t.ignore_case, t.whole_words),
			CASE WHEN t.ignore_case THEN pg_temp.folded(t.body) ELSE t.body END,
			pg_temp.words(t.body));
END $$;

CREATE FUNCTION pg_temp.some_bytes(few int[], size int) RETURNS bytea
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	hex text := '';
BEGIN
	FOR i IN 1 .. size LOOP
		hex := hex || lpad(to_hex(pg_temp.any_of(few)), 2, '0');
	END LOOP;
	RETURN decode(hex, 'hex');
END $$;

CREATE FUNCTION pg_temp.add_bytea_trial(body_size int, how_many int) RETURNS void
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	few int[] := (ARRAY['{0,65,97}', '{195,169,137,0}', '{255,254}', '{90,91,64,122}',
						'{0,1,128,255,75,107,226,132,170}'])[1 + pg_temp.below(5)];
	body bytea := pg_temp.some_bytes(few, body_size);
	patterns bytea[] := '{}';
	p bytea;
	ids bigint[] := pg_temp.some_ids(how_many);
	fold boolean := random() < 0.5;
BEGIN
	FOR i IN 1 .. how_many LOOP
		p := CASE WHEN random() < 0.4 AND body_size > 0
				  THEN substring(body FROM 1 + pg_temp.below(body_size) FOR 1 + pg_temp.below(5))
				  WHEN random() < 0.3 THEN pg_temp.any_of(patterns)
				  ELSE pg_temp.some_bytes(few, 1 + pg_temp.below(4)) END;
		patterns := patterns || coalesce(p, '\x00');
	END LOOP;
	INSERT INTO pg_temp.trial (what, patterns, ids, ignore_case, whole_words, bytes, rules, folded)
	VALUES ('bytea', ARRAY(SELECT '\x' || encode(b, 'hex')
						   FROM unnest(patterns) WITH ORDINALITY AS u(b, o) ORDER BY o),
			ids, fold, false, body, ac_build_bytea(patterns, ids, fold),
			pg_temp.as_text(body, fold));
END $$;

DO $$
DECLARE
	rounds int := coalesce(nullif(current_setting('ac_test.rounds', true), ''), '300');
BEGIN
	FOR i IN 1 .. rounds LOOP
		PERFORM pg_temp.add_text_trial(pg_temp.below(25), pg_temp.below(9));
	END LOOP;
	FOR i IN 1 .. rounds / 3 LOOP
		PERFORM pg_temp.add_bytea_trial(pg_temp.below(25), pg_temp.below(9));
	END LOOP;
	-- more than a vector, a buffer or a page holds, and many rules
	FOR i IN 1 .. 3 + rounds / 100 LOOP
		PERFORM pg_temp.add_text_trial(100 + pg_temp.below(1500), 1 + pg_temp.below(12));
		PERFORM pg_temp.add_text_trial(500 + pg_temp.below(500), 100 + pg_temp.below(100));
		PERFORM pg_temp.add_bytea_trial(100 + pg_temp.below(1500), 1 + pg_temp.below(40));
	END LOOP;
END $$;

-- the corners that chance may leave out
INSERT INTO trial (what, patterns, ids, ignore_case, whole_words, body, rules, folded, words)
	SELECT 'text', patterns, NULL, ignore_case, whole_words, body,
		   ac_build(patterns, ignore_case => ignore_case, whole_words => whole_words),
		   CASE WHEN ignore_case THEN pg_temp.folded(body) ELSE body END, pg_temp.words(body)
	FROM (VALUES ('{}'::text[], ''), ('{}', 'a'), ('{a}', ''), ('{a}', 'a'), ('{a,a,A}', 'aA'),
				 ('{aaaa,aaa,aa,a}', 'aaaaaaa'), ('{ab,ba}', 'ababab'), ('{a_b}', 'a_b a-b'),
				 (ARRAY[repeat('a', 3000)], repeat('a', 3001)),
				 (ARRAY[repeat('a', 299) || 'b', repeat('a', 20)], repeat('a', 300) || 'b'),
				 (ARRAY[U&'\212A', 'k'], U&'kK\212A'), (ARRAY[U&'\0301', U&'e\0301'], U&'e\0301\00E9'),
				 (ARRAY[U&'\+01F595'], U&'\+01F595\+01F595')) AS corner(patterns, body),
		 (VALUES (false), (true)) AS f(ignore_case),
		 (VALUES (false), (true)) AS w(whole_words);

-- text automata on the bytes of the body
INSERT INTO trial (what, patterns, ids, ignore_case, whole_words, bytes, rules, folded)
	SELECT 'text on bytea', patterns, ids, ignore_case, whole_words, convert_to(body, 'UTF8'),
		   rules, pg_temp.as_text(convert_to(body, 'UTF8'), false)
	FROM trial
	WHERE what = 'text' AND NOT ignore_case AND NOT whole_words;

-- ---- the oracle ----

CREATE TEMP TABLE entry AS
	SELECT n, o AS ord, coalesce(ids[o], o) AS id, p AS pattern,
		   CASE WHEN what = 'text' AND ignore_case THEN pg_temp.folded(p)
				WHEN what = 'text' THEN p
				WHEN what = 'bytea' THEN pg_temp.as_text(decode(substr(p, 3), 'hex'), ignore_case)
				ELSE pg_temp.as_text(convert_to(p, 'UTF8'), false) END COLLATE "C" AS folded
	FROM trial, unnest(patterns) WITH ORDINALITY AS u(p, o);
CREATE INDEX ON entry (n, folded);
ANALYZE entry;

-- Whether a match keeps to the words: not a word character on both sides of
-- either end.
CREATE FUNCTION pg_temp.keeps_words(words boolean[], pos int, len int) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
	SELECT NOT (words[pos] AND coalesce(words[pos - 1], false))
	   AND NOT (words[pos + len - 1] AND coalesce(words[pos + len], false))
$$;

CREATE TEMP TABLE occurrence AS
	SELECT t.n, pos, len, id, ord, pattern
	FROM trial AS t,
		 LATERAL (SELECT DISTINCT char_length(folded) AS len
				  FROM entry AS e WHERE e.n = t.n) AS lengths,
		 generate_series(1, char_length(t.folded) - len + 1) AS pos
	JOIN entry AS e ON true
	WHERE e.n = t.n AND e.folded = substr(t.folded, pos, len)
	  AND (NOT whole_words OR pg_temp.keeps_words(words, pos, len));
CREATE INDEX ON occurrence (n, pos);
ANALYZE occurrence;

CREATE TEMP TABLE winner (n int, kind text, pos int, len int, id bigint, ord bigint, pattern text);

DO $$
DECLARE
	w record;
	o record;
	at int;
BEGIN
	FOR w IN SELECT n, kind FROM pg_temp.trial,
		unnest('{leftmost-longest,leftmost-first}'::text[]) AS kind
	LOOP
		at := 1;
		LOOP
			SELECT * INTO o FROM pg_temp.occurrence
			WHERE n = w.n AND pos >= at
			ORDER BY pos, CASE w.kind WHEN 'leftmost-longest' THEN -len END, ord
			LIMIT 1;
			EXIT WHEN NOT FOUND;
			INSERT INTO pg_temp.winner VALUES (w.n, w.kind, o.pos, o.len, o.id, o.ord, o.pattern);
			at := o.pos + o.len;
		END LOOP;
	END LOOP;
END $$;
CREATE INDEX ON winner (n, kind);
ANALYZE winner;

CREATE TEMP VIEW kinds AS
	SELECT unnest('{all,leftmost-longest,leftmost-first}'::text[]) AS kind;

-- the rows of ac_find and of ac_matches as the contract orders them
CREATE FUNCTION pg_temp.want_find(t trial, k text) RETURNS text[]
LANGUAGE sql STABLE AS $$
	SELECT CASE k WHEN 'all' THEN
		ARRAY(SELECT concat_ws(' ', pos, len, id, pattern) FROM pg_temp.occurrence AS o
			  WHERE o.n = t.n ORDER BY pos + len, len DESC, id, ord)
	ELSE
		ARRAY(SELECT concat_ws(' ', pos, len, id, pattern) FROM pg_temp.winner AS w
			  WHERE w.n = t.n AND w.kind = k ORDER BY pos)
	END
$$;

CREATE FUNCTION pg_temp.want_matches(t trial, k text) RETURNS text[]
LANGUAGE sql STABLE AS $$
	SELECT CASE k WHEN 'all' THEN
		ARRAY(SELECT concat_ws(' ', pos, len)
			  FROM (SELECT DISTINCT pos, len FROM pg_temp.occurrence AS o WHERE o.n = t.n) AS spans
			  ORDER BY pos + len, len DESC)
	ELSE
		ARRAY(SELECT concat_ws(' ', pos, len) FROM pg_temp.winner AS w
			  WHERE w.n = t.n AND w.kind = k ORDER BY pos)
	END
$$;

-- ---- matching ----

CREATE FUNCTION pg_temp.got_find(t trial, k text) RETURNS text[]
LANGUAGE sql STABLE AS $$
	SELECT CASE t.what WHEN 'text' THEN
		ARRAY(SELECT concat_ws(' ', pos, len, id, pattern)
			  FROM ac_find(t.rules, t.body, k) WITH ORDINALITY ORDER BY ordinality)
	ELSE
		ARRAY(SELECT concat_ws(' ', pos, len, id, pattern)
			  FROM ac_find(t.rules, t.bytes, k) WITH ORDINALITY ORDER BY ordinality)
	END
$$;

CREATE FUNCTION pg_temp.got_matches(t trial, k text) RETURNS text[]
LANGUAGE sql STABLE AS $$
	SELECT CASE t.what WHEN 'text' THEN
		ARRAY(SELECT concat_ws(' ', pos, len)
			  FROM ac_matches(t.rules, t.body, k) WITH ORDINALITY ORDER BY ordinality)
	ELSE
		ARRAY(SELECT concat_ws(' ', pos, len)
			  FROM ac_matches(t.rules, t.bytes, k) WITH ORDINALITY ORDER BY ordinality)
	END
$$;

-- One line for what a trial is, to find it again
CREATE FUNCTION pg_temp.about(t trial) RETURNS text
LANGUAGE sql STABLE AS $$
	SELECT format('%s %s ic=%s ww=%s ids=%s %s', t.n, t.what, t.ignore_case, t.whole_words,
				  t.ids, left(t.patterns::text, 200)) || ' IN ' ||
		   quote_literal(left(coalesce(t.body, encode(t.bytes, 'hex')), 200))
$$;

SELECT cmp_ok(count(*), '>', 0::bigint, 'the trials have matches, of each sort')
FROM (SELECT what, ignore_case, whole_words FROM trial JOIN occurrence USING (n)
	  GROUP BY 1, 2, 3 HAVING count(*) > 20) AS sorts
HAVING count(*) >= 7;

SELECT is_empty(format($$
	SELECT pg_temp.about(t), pg_temp.want_find(t, %1$L), pg_temp.got_find(t, %1$L) FROM trial AS t
	WHERE pg_temp.want_find(t, %1$L) <> pg_temp.got_find(t, %1$L) LIMIT 3$$, kind),
	'ac_find, ' || kind)
FROM kinds;

SELECT is_empty(format($$
	SELECT pg_temp.about(t), pg_temp.want_matches(t, %1$L), pg_temp.got_matches(t, %1$L)
	FROM trial AS t
	WHERE pg_temp.want_matches(t, %1$L) <> pg_temp.got_matches(t, %1$L) LIMIT 3$$, kind),
	'ac_matches, ' || kind)
FROM kinds;

SELECT is_empty(format($$
	SELECT pg_temp.about(t) FROM trial AS t
	WHERE cardinality(pg_temp.want_matches(t, %1$L)) <>
		CASE what WHEN 'text' THEN ac_count(rules, body, %1$L)
		ELSE ac_count(rules, bytes, %1$L) END LIMIT 3$$, kind),
	'ac_count, ' || kind)
FROM kinds;

SELECT is_empty($$
	SELECT pg_temp.about(t) FROM trial AS t
	WHERE CASE what WHEN 'text'
		THEN ARRAY(SELECT f::text FROM ac_find(rules, body) AS f) <>
			ARRAY(SELECT f::text FROM ac_find(rules, body, 'all') AS f)
			OR ARRAY(SELECT m::text FROM ac_matches(rules, body) AS m) <>
			ARRAY(SELECT m::text FROM ac_matches(rules, body, 'all') AS m)
			OR ac_count(rules, body) <> ac_count(rules, body, 'all')
		ELSE ac_count(rules, bytes) <> ac_count(rules, bytes, 'all') END
	LIMIT 3$$, 'the default kind is all');

-- in a SELECT list the sets are made another way
SELECT is_empty($$
	SELECT pg_temp.about(t) FROM trial AS t
	WHERE what = 'text' AND
		(SELECT coalesce(array_agg(concat_ws(' ', (m).pos, (m).len)), '{}')
		 FROM (SELECT ac_matches(t.rules, t.body) AS m) AS s) <> pg_temp.want_matches(t, 'all')
	LIMIT 3$$, 'ac_matches in a SELECT list');

SELECT is_empty($$
	SELECT pg_temp.about(t) FROM trial AS t
	WHERE what = 'text' AND char_length(body) < 100 AND
		EXISTS (SELECT FROM ac_find(rules, body) AS f
				WHERE CASE WHEN ignore_case
						THEN pg_temp.folded(substr(body, f.pos, f.len)) <> pg_temp.folded(f.pattern)
						ELSE substr(body, f.pos, f.len) <> f.pattern END)
	LIMIT 3$$, 'substr of the body is the match');

SELECT is_empty($$
	SELECT pg_temp.about(t) FROM trial AS t,
		LATERAL (SELECT EXISTS (SELECT FROM occurrence AS o WHERE o.n = t.n) AS want) AS w
	WHERE CASE what WHEN 'text'
		THEN ac_contains(rules, body) <> want OR (body @~ rules) <> want
			OR (rules ~@ body) <> want OR ac_contained(body, rules) <> want
		ELSE ac_contains(rules, bytes) <> want OR (bytes @~ rules) <> want
			OR (rules ~@ bytes) <> want OR ac_contained(bytes, rules) <> want END
	LIMIT 3$$, 'ac_contains and its operators');

SELECT is_empty($$
	SELECT pg_temp.about(t) FROM trial AS t
	WHERE CASE what WHEN 'text' THEN ac_instr(rules, body) ELSE ac_instr(rules, bytes) END <>
		coalesce((SELECT min(pos) FROM occurrence AS o WHERE o.n = t.n), 0)
	LIMIT 3$$, 'ac_instr');

SELECT is_empty($$
	SELECT pg_temp.about(t) FROM trial AS t
	WHERE CASE what WHEN 'text' THEN ac_ids(rules, body) ELSE ac_ids(rules, bytes) END <>
		ARRAY(SELECT DISTINCT id FROM occurrence AS o WHERE o.n = t.n ORDER BY 1)
	LIMIT 3$$, 'ac_ids');

SELECT is_empty($$
	SELECT pg_temp.about(t) FROM trial AS t
	WHERE CASE what WHEN 'text' THEN ac_found(rules, body) ELSE ac_found(rules, bytes) END <>
		ARRAY(SELECT pattern FROM entry AS e
			  WHERE e.n = t.n AND pattern IN (SELECT pattern FROM occurrence AS o WHERE o.n = t.n)
			  GROUP BY pattern ORDER BY min(ord))
	LIMIT 3$$, 'ac_found');

SELECT is_empty($$
	SELECT pg_temp.about(t) FROM trial AS t
	WHERE CASE what WHEN 'text'
		THEN num_nulls(ac_contains(rules, body), ac_count(rules, body), ac_instr(rules, body),
					   ac_ids(rules, body), ac_found(rules, body), ac_replace(rules, body, ''),
					   ac_replace_each(rules, body, patterns), ac_mask(rules, body),
					   ac_highlight(rules, body))
		ELSE num_nulls(ac_contains(rules, bytes), ac_count(rules, bytes), ac_instr(rules, bytes),
					   ac_ids(rules, bytes), ac_found(rules, bytes)) END > 0
	LIMIT 3$$, 'no answer is NULL');

-- ---- replacing ----

-- the body with each of the winners' spans replaced; NULL: none
CREATE FUNCTION pg_temp.want_replace(t trial, k text, one text, each_one text[]) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
	w record;
	result text := '';
	at int := 1;
BEGIN
	FOR w IN SELECT * FROM pg_temp.winner WHERE n = t.n AND kind = k ORDER BY pos LOOP
		result := result || substr(t.body, at, w.pos - at) || coalesce(one, each_one[w.ord]);
		at := w.pos + w.len;
	END LOOP;
	RETURN result || substr(t.body, at);
END $$;

CREATE TEMP TABLE replacement AS
	SELECT n, pg_temp.any_of(ARRAY['', 'x', U&'\+01F595', '\1', '&', '$0', '%s', 'a', repeat('long ', 20),
								   coalesce(pg_temp.any_of(patterns), '-')]) AS one,
		   ARRAY(SELECT pg_temp.any_of(ARRAY['', 'b', o::text, p || p, U&'\0301', patterns[1]])
				 FROM unnest(patterns) WITH ORDINALITY AS u(p, o) ORDER BY o) AS each_one
	FROM trial
	WHERE what = 'text';

SELECT is_empty(format($$
	SELECT pg_temp.about(t), one, pg_temp.want_replace(t, %1$L, one, NULL), ac_replace(rules, body, one, %1$L)
	FROM trial AS t JOIN replacement USING (n)
	WHERE pg_temp.want_replace(t, %1$L, one, NULL) <> ac_replace(rules, body, one, %1$L)
	LIMIT 3$$, kind), 'ac_replace, ' || kind)
FROM kinds WHERE kind <> 'all';

SELECT is_empty(format($$
	SELECT pg_temp.about(t), each_one, pg_temp.want_replace(t, %1$L, NULL, each_one),
		ac_replace_each(rules, body, each_one, %1$L)
	FROM trial AS t JOIN replacement USING (n)
	WHERE pg_temp.want_replace(t, %1$L, NULL, each_one) <> ac_replace_each(rules, body, each_one, %1$L)
	LIMIT 3$$, kind), 'ac_replace_each, ' || kind)
FROM kinds WHERE kind <> 'all';

SELECT is_empty($$
	SELECT pg_temp.about(t) FROM trial AS t JOIN replacement USING (n)
	WHERE ac_replace(rules, body, one) <> ac_replace(rules, body, one, 'leftmost-longest')
		OR ac_replace_each(rules, body, each_one) <>
			ac_replace_each(rules, body, each_one, 'leftmost-longest')
	LIMIT 3$$, 'the default kind of replacing is leftmost-longest');

CREATE FUNCTION pg_temp.want_mask(t trial, mask text) RETURNS text
LANGUAGE sql STABLE AS $$
	SELECT coalesce(string_agg(CASE WHEN covered IS NULL THEN c ELSE mask END, '' ORDER BY o), '')
	FROM unnest(pg_temp.chars(t.body)) WITH ORDINALITY AS u(c, o)
	LEFT JOIN (SELECT DISTINCT generate_series(pos, pos + len - 1) AS covered
			   FROM pg_temp.occurrence AS x WHERE x.n = t.n) AS x ON covered = o
$$;

SELECT is_empty(format($$
	SELECT pg_temp.about(t), pg_temp.want_mask(t, %1$L), ac_mask(rules, body, %1$L)
	FROM trial AS t
	WHERE what = 'text' AND pg_temp.want_mask(t, %1$L) <> ac_mask(rules, body, %1$L)
	LIMIT 3$$, mask), 'ac_mask, ' || mask)
FROM unnest(ARRAY['*', U&'\00E9', U&'\+01F595']) AS mask;

SELECT is_empty($$
	SELECT pg_temp.about(t) FROM trial AS t
	WHERE what = 'text' AND ac_mask(rules, body, '*') <> ac_mask(rules, body)
	LIMIT 3$$, 'the default mask is *');

CREATE FUNCTION pg_temp.escaped(t text, escape_html boolean) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
	SELECT CASE WHEN escape_html THEN
		replace(replace(replace(replace(replace(t, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'),
						'"', '&quot;'), '''', '&#39;')
	ELSE t END
$$;

-- spans that share a character become one
CREATE FUNCTION pg_temp.want_highlight(t trial, start_sel text, stop_sel text, escape_html boolean)
RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
	o record;
	result text := '';
	done int := 1;				-- the first character that is not written
	first int;
	after int;
BEGIN
	FOR o IN SELECT DISTINCT pos, len FROM pg_temp.occurrence WHERE n = t.n ORDER BY pos LOOP
		IF o.pos < after THEN
			after := greatest(after, o.pos + o.len);
			CONTINUE;
		END IF;
		IF first IS NOT NULL THEN
			result := result || pg_temp.escaped(substr(t.body, done, first - done), escape_html)
				|| start_sel || pg_temp.escaped(substr(t.body, first, after - first), escape_html)
				|| stop_sel;
			done := after;
		END IF;
		first := o.pos;
		after := o.pos + o.len;
	END LOOP;
	IF first IS NOT NULL THEN
		result := result || pg_temp.escaped(substr(t.body, done, first - done), escape_html)
			|| start_sel || pg_temp.escaped(substr(t.body, first, after - first), escape_html)
			|| stop_sel;
		done := after;
	END IF;
	RETURN result || pg_temp.escaped(substr(t.body, done), escape_html);
END $$;

SELECT is_empty(format($$
	SELECT pg_temp.about(t), pg_temp.want_highlight(t, %1$L, %2$L, %3$L),
		ac_highlight(rules, body, %1$L, %2$L, %3$L)
	FROM trial AS t
	WHERE what = 'text'
		AND pg_temp.want_highlight(t, %1$L, %2$L, %3$L) <> ac_highlight(rules, body, %1$L, %2$L, %3$L)
	LIMIT 3$$, start_sel, stop_sel, escape_html),
	format('ac_highlight, %s %s %s', start_sel, stop_sel, escape_html))
FROM (VALUES ('<b>', '</b>', false), ('<b>', '</b>', true), ('', '', true),
			 ('', '', false), (U&'\00E9', 'a&', true)) AS v(start_sel, stop_sel, escape_html);

SELECT is_empty($$
	SELECT pg_temp.about(t) FROM trial AS t
	WHERE what = 'text' AND ac_highlight(rules, body) <>
		ac_highlight(rules, body, '<b>', '</b>', false)
	LIMIT 3$$, 'the default marks');

-- ---- long bodies ----

-- A body out of line is fetched piece by piece; the same in memory is not.
-- Pieces end in the middle of characters and matches.
CREATE TEMP TABLE long (n int, body text, rules acautomaton);
ALTER TABLE long ALTER body SET STORAGE external, ALTER rules SET STORAGE external;
INSERT INTO long
	SELECT n, left(repeat(long, 20000), 1100000 + n),
		   ac_build(patterns, ignore_case => n % 2 = 1, whole_words => n / 2 % 2 = 1)
	FROM (SELECT n, (array_agg(body ORDER BY random()))[1:30]::text AS long
		  FROM (SELECT DISTINCT body FROM trial WHERE char_length(body) BETWEEN 5 AND 30) AS b,
			   generate_series(0, 3) AS n GROUP BY n) AS bodies
	JOIN LATERAL (SELECT array_agg(p ORDER BY random()) AS patterns
				  FROM (SELECT DISTINCT unnest(patterns) COLLATE "C" AS p, n FROM trial
						WHERE what = 'text' AND cardinality(patterns) < 10) AS p
				  WHERE char_length(p) > 1 AND p.n % 8 = bodies.n) AS p ON true;

SELECT cmp_ok(min(octet_length(body)), '>', 1024 * 1024, 'long bodies have more than 1 MB') FROM long;

SELECT is_empty(format($$
	SELECT n, got, want FROM long,
		LATERAL (SELECT count(*), sum(pos::bigint * len * id) FROM ac_find(rules, body, %1$L)) AS got,
		LATERAL (SELECT count(*), sum(pos::bigint * len * id) FROM ac_find(rules, body || '', %1$L)) AS want
	WHERE got <> want OR want.count < 100
	LIMIT 3$$, kind), 'ac_find in long bodies, ' || kind)
FROM kinds;

SELECT is_empty($$
	SELECT n FROM long
	WHERE ac_count(rules, body) <> ac_count(rules, body || '')
		OR ac_instr(rules, body) <> ac_instr(rules, body || '')
		OR ac_ids(rules, body) <> ac_ids(rules, body || '')
		OR ac_found(rules, body) <> ac_found(rules, body || '')
		OR ac_mask(rules, body) <> ac_mask(rules, body || '')
		OR ac_replace(rules, body, 'x') <> ac_replace(rules, body || '', 'x')
		OR ac_highlight(rules, body) <> ac_highlight(rules, body || '')
	LIMIT 3$$, 'the other functions in long bodies');

-- ---- what an automaton tells of itself ----

SELECT is_empty($$
	SELECT pg_temp.about(t) FROM trial AS t, ac_info(rules) AS i
	WHERE what <> 'text on bytea' AND
		(i.patterns, i.pattern_bytes, i.min_len, i.max_len, i.ignore_case, i.whole_words,
		 i.is_bytea, i.format, i.image_bytes <= pg_column_size(rules)) IS DISTINCT FROM
		(SELECT (count(*)::int, coalesce(sum(size), 0)::bigint, coalesce(min(size), 0)::int,
				 coalesce(max(size), 0)::int, t.ignore_case, t.whole_words, t.what = 'bytea', 1,
				 true)
		 FROM (SELECT CASE t.what WHEN 'bytea' THEN octet_length(p) / 2 - 1
						ELSE octet_length(p) END AS size
			   FROM unnest(t.patterns) AS p) AS sizes)
	LIMIT 3$$, 'ac_info: sizes and options');

-- the folded pattern's bytes; those of bytea are characters to the oracle
SELECT is_empty($$
	SELECT pg_temp.about(t), states, (ac_info(rules)).states
	FROM (SELECT e.n, 1 + count(DISTINCT left(bytes, size)) AS states
		  FROM (SELECT n, CASE what WHEN 'text' THEN pg_temp.as_text(convert_to(e.folded, 'UTF8'), false)
								ELSE e.folded END COLLATE "C" AS bytes
				FROM entry AS e JOIN trial USING (n) OFFSET 0) AS e,
			   generate_series(1, char_length(bytes)) AS size
		  GROUP BY e.n) AS nodes
	JOIN trial AS t USING (n)
	WHERE states <> (ac_info(rules)).states
	LIMIT 3$$, 'ac_info: states');

SELECT is_empty($$
	SELECT pg_temp.about(t) FROM trial AS t
	WHERE ARRAY(SELECT concat_ws(' ', id, pattern) FROM ac_patterns(rules) WITH ORDINALITY ORDER BY ordinality)
		<> ARRAY(SELECT concat_ws(' ', id, pattern) FROM entry AS e WHERE e.n = t.n ORDER BY ord)
	LIMIT 3$$, 'ac_patterns gives the rules back');

SELECT is_empty($$
	SELECT pg_temp.about(t) FROM trial AS t
	WHERE CASE WHEN what = 'bytea'
		THEN ARRAY(SELECT '\x' || encode(b, 'hex')
				   FROM unnest(rules::bytea[]) WITH ORDINALITY AS u(b, o) ORDER BY o)
		ELSE rules::text[] END <> patterns
	LIMIT 3$$, 'casts to arrays give the patterns back');

-- ---- ways out and in ----

SELECT is_empty($$
	SELECT pg_temp.about(t), rules::text FROM trial AS t
	WHERE rules <> rules::text::acautomaton OR NOT rules = rules::text::acautomaton
		OR rules::text <> rules::text::acautomaton::text
		OR acautomaton_send(rules) <> acautomaton_send(rules::text::acautomaton)
		OR acautomaton_hash(rules) <> acautomaton_hash(rules::text::acautomaton)
	LIMIT 3$$, 'the text form reads back as an equal value');

SELECT is_empty($$
	SELECT pg_temp.about(t), rules::text FROM trial AS t
	WHERE what = 'text' AND NOT ignore_case AND NOT whole_words AND ids IS NULL
		AND (rules::text <> patterns::text OR rules <> patterns::acautomaton
			 OR rules <> ('  ' || patterns::text)::acautomaton)
	LIMIT 3$$, 'without options the text form is that of the array');

SELECT is_empty($$
	SELECT pg_temp.about(t), rules::text FROM trial AS t
	WHERE what <> 'text on bytea' AND rules::text COLLATE "C" <>
		(SELECT coalesce('[' || nullif(concat_ws(' ',
				CASE WHEN ignore_case THEN 'ignore_case' END,
				CASE WHEN whole_words THEN 'whole_words' END,
				CASE WHEN ids <> ARRAY(SELECT generate_series(1, cardinality(ids))::bigint)
					THEN 'ids=' || ids::text END,
				CASE WHEN what = 'bytea' THEN 'bytea' END), '') || ']', '') || patterns::text)
	LIMIT 3$$, 'options stand in front of the array, in their order');

CREATE TEMP TABLE received (n int, rules acautomaton);
\set file `mktemp`
\setenv AC_FILE :file
COPY (SELECT n, rules FROM trial) TO STDOUT (FORMAT binary) \g :file
\set restore '\\copy received FROM ' :'file' ' (FORMAT binary)'
:restore
\! rm -f "$AC_FILE"

SELECT is((SELECT count(*) FROM received JOIN trial USING (n)
		   WHERE received.rules = trial.rules
			 AND acautomaton_send(received.rules) = acautomaton_send(trial.rules)),
		  (SELECT count(*) FROM trial), 'binary COPY gives equal values');

SELECT is_empty($$
	SELECT pg_temp.about(a), pg_temp.about(b) FROM trial AS a JOIN trial AS b ON b.n = a.n + 1
	WHERE (a.rules = b.rules) <>
		((a.ignore_case, a.whole_words, a.what = 'bytea') = (b.ignore_case, b.whole_words, b.what = 'bytea')
		 AND (SELECT array_agg((id, pattern COLLATE "C")::text ORDER BY ord) FROM entry AS e WHERE e.n = a.n)
			IS NOT DISTINCT FROM
			(SELECT array_agg((id, pattern COLLATE "C")::text ORDER BY ord) FROM entry AS e WHERE e.n = b.n))
		OR (a.rules = b.rules) = (a.rules <> b.rules)
	LIMIT 3$$, 'different rules are different values');

-- ---- other ways to build ----

SELECT is_empty($$
	SELECT pg_temp.about(t) FROM trial AS t
	WHERE what = 'text' AND cardinality(patterns) > 0 AND
		((SELECT ac_agg(pattern ORDER BY ord) FROM entry AS e WHERE e.n = t.n) IS DISTINCT FROM
			ac_build(patterns)
		 OR (SELECT ac_agg(pattern, id ORDER BY ord) FROM entry AS e WHERE e.n = t.n) IS DISTINCT FROM
			ac_build(patterns, coalesce(ids, ARRAY(SELECT id FROM entry AS e WHERE e.n = t.n ORDER BY ord))))
	LIMIT 3$$, 'ac_agg builds what ac_build builds');

-- entries of a value in order, as one text each
CREATE FUNCTION pg_temp.entries(rules acautomaton) RETURNS text[]
LANGUAGE sql STABLE AS $$
	SELECT ARRAY(SELECT id || ' ' || pattern FROM ac_patterns(rules) WITH ORDINALITY ORDER BY ordinality)
$$;

-- pairs of neighbours that can be united
CREATE TEMP TABLE pair AS
	SELECT a.n, b.n AS other,
		   ac_build(a.patterns, a.ids, a.ignore_case, a.whole_words) AS rules,
		   ac_build(b.patterns, b.ids, a.ignore_case, a.whole_words) AS more,
		   b.patterns, b.ids
	FROM trial AS a JOIN trial AS b ON b.n IN (a.n, a.n + 1, a.n + 2)
	WHERE a.what = 'text' AND b.what = 'text' AND cardinality(a.patterns) < 50;

SELECT is_empty($$
	SELECT n, other FROM pair
	WHERE pg_temp.entries(ac_union(rules, more)) <>
		ARRAY(SELECT id || ' ' || pattern FROM entry WHERE entry.n = pair.n ORDER BY ord) ||
		ARRAY(SELECT id || ' ' || pattern FROM entry AS e WHERE e.n = pair.other
			  AND NOT EXISTS (SELECT FROM entry AS l WHERE l.n = pair.n AND l.id = e.id
							  AND l.pattern COLLATE "C" = e.pattern COLLATE "C") ORDER BY ord)
	LIMIT 3$$, 'ac_union: the entries of the left, then those it has not');

SELECT is_empty($$
	SELECT n, other FROM pair
	WHERE pg_temp.entries(ac_add(rules, patterns, ARRAY(SELECT id FROM entry AS e
														WHERE e.n = pair.other ORDER BY ord))) <>
		ARRAY(SELECT id || ' ' || pattern FROM entry WHERE entry.n = pair.n ORDER BY ord) ||
		ARRAY(SELECT id || ' ' || pattern
			  FROM (SELECT id, pattern COLLATE "C" AS pattern, min(ord) AS ord FROM entry AS e
					WHERE e.n = pair.other GROUP BY 1, 2) AS e
			  WHERE NOT EXISTS (SELECT FROM entry AS l WHERE l.n = pair.n AND l.id = e.id
								AND l.pattern COLLATE "C" = e.pattern) ORDER BY ord)
	LIMIT 3$$, 'ac_add with ids: the entries that are new');

SELECT is_empty($$
	SELECT n, other FROM pair
	WHERE coalesce((SELECT max(id) FROM entry AS e WHERE e.n = pair.n), 0) < 9223372036854770000
		AND pg_temp.entries(ac_add(rules, patterns)) <>
		ARRAY(SELECT id || ' ' || pattern FROM entry WHERE entry.n = pair.n ORDER BY ord) ||
		ARRAY(SELECT coalesce((SELECT max(id) FROM entry AS e WHERE e.n = pair.n), 0)
				+ row_number() OVER (ORDER BY ord) || ' ' || pattern
			  FROM (SELECT pattern COLLATE "C" AS pattern, min(ord) AS ord FROM entry AS e
					WHERE e.n = pair.other GROUP BY 1) AS e
			  WHERE NOT EXISTS (SELECT FROM entry AS l WHERE l.n = pair.n
								AND l.pattern COLLATE "C" = e.pattern) ORDER BY ord)
	LIMIT 3$$, 'ac_add without ids: the patterns that are new, numbered on');

SELECT is_empty($$
	SELECT n, other FROM pair
	WHERE pg_temp.entries(ac_remove(rules, patterns)) <>
		ARRAY(SELECT id || ' ' || pattern FROM entry AS e WHERE e.n = pair.n
			  AND NOT EXISTS (SELECT FROM unnest(pair.patterns) AS p
							  WHERE p COLLATE "C" = e.pattern COLLATE "C") ORDER BY ord)
		OR pg_temp.entries(ac_remove_ids(rules, coalesce(pair.ids, '{1,3}'))) <>
		ARRAY(SELECT id || ' ' || pattern FROM entry AS e WHERE e.n = pair.n
			  AND id <> ALL (coalesce(pair.ids, '{1,3}')) ORDER BY ord)
	LIMIT 3$$, 'ac_remove and ac_remove_ids: the entries that are left');

SELECT is_empty($$
	SELECT n, other FROM pair JOIN trial AS t USING (n),
		unnest(ARRAY[ac_union(pair.rules, more), ac_add(pair.rules, '{new}', '{5}'),
					 ac_remove(pair.rules, pair.patterns), ac_remove_ids(pair.rules, '{1}')]) AS u
	WHERE ((ac_info(u)).ignore_case, (ac_info(u)).whole_words) <> (t.ignore_case, t.whole_words)
	LIMIT 3$$, 'set operations keep the options');

SELECT * FROM finish();
ROLLBACK;
