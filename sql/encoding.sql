--
-- encoding: databases whose encoding is not UTF8, and clients of another one
--
-- Bodies and patterns are given as bytes, so that this file is ASCII.  In these
-- databases ASCII letters alone fold, and [A-Za-z0-9_] are the word characters.
--
\set home_utf8 'dbname=' :DBNAME ' client_encoding=UTF8'
SET client_min_messages = warning;
DROP DATABASE IF EXISTS regress_ac_eucjp;
DROP DATABASE IF EXISTS regress_ac_euckr;
DROP DATABASE IF EXISTS regress_ac_euccn;
DROP DATABASE IF EXISTS regress_ac_euctw;
DROP DATABASE IF EXISTS regress_ac_eucjis2004;
DROP DATABASE IF EXISTS regress_ac_mule;
DROP DATABASE IF EXISTS regress_ac_latin1;
DROP DATABASE IF EXISTS regress_ac_ascii;
CREATE DATABASE regress_ac_eucjp ENCODING 'EUC_JP' LOCALE 'C' TEMPLATE template0;
CREATE DATABASE regress_ac_euckr ENCODING 'EUC_KR' LOCALE 'C' TEMPLATE template0;
CREATE DATABASE regress_ac_euccn ENCODING 'EUC_CN' LOCALE 'C' TEMPLATE template0;
CREATE DATABASE regress_ac_euctw ENCODING 'EUC_TW' LOCALE 'C' TEMPLATE template0;
CREATE DATABASE regress_ac_eucjis2004 ENCODING 'EUC_JIS_2004' LOCALE 'C' TEMPLATE template0;
CREATE DATABASE regress_ac_mule ENCODING 'MULE_INTERNAL' LOCALE 'C' TEMPLATE template0;
CREATE DATABASE regress_ac_latin1 ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0;
CREATE DATABASE regress_ac_ascii ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0;
RESET client_min_messages;

-- EUC_JP: two characters, A4A4 and A2A4, hold the bytes of a third, A4A2, in
-- their middle.
\c -reuse-previous=on "dbname=regress_ac_eucjp client_encoding=EUC_JP"
CREATE EXTENSION ac;
CREATE TABLE t AS
	SELECT convert_from(body, 'EUC_JP') AS body,
		   ac_build(ARRAY[convert_from('\xa4a2', 'EUC_JP')]) AS rules
	FROM (VALUES (1, '\xa4a4a2a4'::bytea), (2, '\xa4a4a2a4a4a2'), (3, '\xa4a2a4a4a2a4'),
				 (4, '\x41a4a2a4a242'), (5, '\xa4a4a2a4a2a4a2a4')) AS v(n, body)
	ORDER BY n;
SELECT encode(convert_to(body, 'EUC_JP'), 'hex') AS body, body @~ rules AS contains,
	   ac_count(rules, body) AS count, ac_instr(rules, body) AS instr,
	   ARRAY(SELECT m::text FROM ac_matches(rules, body) AS m) AS matches,
	   ARRAY(SELECT m::text FROM ac_matches(rules, body, 'leftmost-first') AS m) AS leftmost,
	   ac_ids(rules, body) AS ids, cardinality(ac_found(rules, body)) AS found
FROM t;
SELECT encode(convert_to(ac_replace(rules, body, 'x'), 'EUC_JP'), 'hex') AS replaced,
	   encode(convert_to(ac_mask(rules, body), 'EUC_JP'), 'hex') AS masked,
	   encode(convert_to(ac_highlight(rules, body, '<', '>'), 'EUC_JP'), 'hex') AS highlit
FROM t;

-- a candidate that is no match does not hide one that is
SELECT kind, ARRAY(SELECT f.pos || '+' || f.len || '=' || f.id
				   FROM ac_find(ac_build(ARRAY[convert_from('\xa4a2', 'EUC_JP'),
											   convert_from('\xa2a4', 'EUC_JP'),
											   convert_from('\xa4a4a2a4', 'EUC_JP')]),
								convert_from('\xa4a4a2a4a4a2a4a4', 'EUC_JP'), kind) AS f) AS found
FROM unnest('{all,leftmost-longest,leftmost-first}'::text[]) AS kind;

-- half-width kana have two bytes (8E..), supplementary kanji three (8F....)
SELECT ARRAY(SELECT f.pos || '+' || f.len || '=' || f.id
			 FROM ac_find(ac_build(ARRAY[convert_from('\xb1b1', 'EUC_JP'),
										 convert_from('\x8eb1', 'EUC_JP'),
										 convert_from('\x8fb0b1', 'EUC_JP')]),
						  convert_from('\x8eb18fb0b1b1b1618eb1', 'EUC_JP')) AS f) AS found;

-- ASCII letters fold, full-width ones do not
SELECT ac_count(ac_build('{select}', ignore_case => true), 'SELECT sElEcT') AS ascii,
	   ac_count(ac_build(ARRAY[convert_from('\xa3e1', 'EUC_JP')], ignore_case => true),
				convert_from('\xa3c1a3e1', 'EUC_JP')) AS full_width,
	   ac_count(ac_build('{b}', whole_words => true),
				convert_from('\xa4a262a4a22062c1a13f62', 'EUC_JP')) AS words;

-- the same through a long body that is cut into pieces anywhere
SELECT ac_count(rules, long) AS count, ac_instr(rules, long) AS instr,
	   (SELECT sum(pos) FROM ac_matches(rules, long)) AS positions
FROM (SELECT rules, repeat(convert_from('\xa4a4a2a4', 'EUC_JP'), 100001)
		|| convert_from('\xa4a2', 'EUC_JP') AS long FROM t LIMIT 1) AS l;
CREATE TABLE long (body text);
ALTER TABLE long ALTER body SET STORAGE external;
INSERT INTO long
	SELECT 'x' || repeat(convert_from('\xa4a4a2a4', 'EUC_JP'), 400000)
		|| convert_from('\xa4a2', 'EUC_JP');
SELECT octet_length(body), ac_count(rules, body) AS count, ac_instr(rules, body) AS instr
FROM long, (SELECT rules FROM t LIMIT 1) AS r;

-- random rules and bodies of characters that overlap in their bytes, against
-- positions found by substr
SELECT setseed(0.25) \g /dev/null
CREATE FUNCTION some_text(size int) RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT coalesce(string_agg(convert_from(
				('{\\xa4a4,\\xa4a2,\\xa2a4,\\xa2a2,\\x8ea4,\\x8fa4a2,\\x8fa2a4,\\x41,\\x61,\\x5f,\\x20}'::bytea[])
					[1 + floor(random() * 11)::int], 'EUC_JP'), ''), '')
	FROM generate_series(1, size)
$$;
CREATE FUNCTION occurrences(patterns text[], body text, fold boolean, words boolean)
RETURNS TABLE (pos int, len int, id bigint) LANGUAGE sql STABLE AS $$
	SELECT p, l, i
	FROM unnest(patterns) WITH ORDINALITY AS u(pattern, i), char_length(pattern) AS l,
		 generate_series(1, char_length(body) - l + 1) AS p
	WHERE CASE WHEN fold THEN translate(substr(body, p, l), 'A', 'a') = translate(pattern, 'A', 'a')
			ELSE substr(body, p, l) = pattern END
		AND NOT (words AND (substr(body, p - 1, 2) ~ '^[Aa_][Aa_]$'
							OR substr(body, p + l - 1, 2) ~ '^[Aa_][Aa_]$'))
$$;
DO $$
DECLARE
	patterns text[];
	body text;
	fold boolean;
	words boolean;
	rules acautomaton;
	o record;
	longest text;
	replaced text;
	at int;
	matches int := 0;
BEGIN
	FOR round IN 1 .. 400 LOOP
		body := some_text((random() * 15)::int);
		patterns := ARRAY(SELECT some_text(1 + (random() * random() * 4)::int)
						  FROM generate_series(1, 1 + (random() * 5)::int));
		fold := random() < 0.5;
		words := random() < 0.3;
		rules := ac_build(patterns, ignore_case => fold, whole_words => words);
		IF ARRAY(SELECT concat_ws(' ', f.pos, f.len, f.id) FROM ac_find(rules, body) AS f) <>
			ARRAY(SELECT concat_ws(' ', f.pos, f.len, f.id)
				  FROM occurrences(patterns, body, fold, words) AS f
				  ORDER BY f.pos + f.len, f.len DESC, f.id) THEN
			RAISE 'all: % % % %', patterns, body, fold, words;
		END IF;
		longest := '';
		replaced := '';
		at := 1;
		LOOP
			SELECT * INTO o FROM occurrences(patterns, body, fold, words) AS f
			WHERE f.pos >= at ORDER BY f.pos, f.len DESC, f.id LIMIT 1;
			EXIT WHEN NOT FOUND;
			longest := longest || concat_ws(' ', o.pos, o.len, o.id) || ';';
			replaced := replaced || substr(body, at, o.pos - at) || 'x';
			at := o.pos + o.len;
			matches := matches + 1;
		END LOOP;
		IF longest <> coalesce((SELECT string_agg(concat_ws(' ', f.pos, f.len, f.id) || ';', '')
								FROM ac_find(rules, body, 'leftmost-longest') AS f), '')
			OR replaced || substr(body, at) <> ac_replace(rules, body, 'x')
			OR ac_contains(rules, body) <> (longest <> '') THEN
			RAISE 'leftmost: % % % %', patterns, body, fold, words;
		END IF;
	END LOOP;
	IF matches < 100 THEN
		RAISE 'only % matches', matches;
	END IF;
END $$;

-- a client with UTF8 sees and gives the same characters
SET client_encoding = 'UTF8';
\set hiragana_a '\343\201\202'
SELECT ac_build(ARRAY[:'hiragana_a']) = rules AS same, length(rules::text) FROM t LIMIT 1;
SELECT rules = ('{' || :'hiragana_a' || '}')::acautomaton AS same FROM t LIMIT 1;
RESET client_encoding;

-- EUC_KR and EUC_CN: B0A1 twice holds A1B0; EUC_TW: A4A4 twice holds itself
-- three times.
\c -reuse-previous=on "dbname=regress_ac_euckr client_encoding=EUC_KR"
CREATE EXTENSION ac;
SELECT ac_matches(ac_build(ARRAY[convert_from('\xa1b0', 'EUC_KR')]),
				  convert_from('\xb0a1b0a1a1b0', 'EUC_KR'));
\c -reuse-previous=on "dbname=regress_ac_euccn client_encoding=EUC_CN"
CREATE EXTENSION ac;
SELECT ac_matches(ac_build(ARRAY[convert_from('\xa1b0', 'EUC_CN')]),
				  convert_from('\xb0a1b0a1a1b0', 'EUC_CN'));
\c -reuse-previous=on "dbname=regress_ac_euctw client_encoding=EUC_TW"
CREATE EXTENSION ac;
SELECT ac_matches(ac_build(ARRAY[convert_from('\xa4a4', 'EUC_TW')]),
				  convert_from('\xa4a4a4a48ea2a4a4a4a4', 'EUC_TW'));
\c -reuse-previous=on "dbname=regress_ac_eucjis2004 client_encoding=EUC_JIS_2004"
CREATE EXTENSION ac;
SELECT ac_matches(ac_build(ARRAY[convert_from('\xa4a2', 'EUC_JIS_2004')]),
				  convert_from('\xa4a4a2a4a4a2', 'EUC_JIS_2004'));
-- characters of two to four bytes
\c -reuse-previous=on "dbname=regress_ac_mule client_encoding=MULE_INTERNAL"
CREATE EXTENSION ac;
SELECT ac_matches(ac_build(ARRAY[convert_from('\x92a4a2', 'MULE_INTERNAL'),
								 convert_from('\x81e9', 'MULE_INTERNAL'), 'a']),
				  convert_from('\x92a4a481e992a4a261', 'MULE_INTERNAL'));

-- LATIN1: one byte is one character; letters beyond ASCII do not fold, and
-- end a word.
\c -reuse-previous=on "dbname=regress_ac_latin1 client_encoding=LATIN1"
CREATE EXTENSION ac;
SELECT m.pos, m.len
FROM ac_matches(ac_build(ARRAY[convert_from('\xe974', 'LATIN1')], ignore_case => true),
				convert_from('\xe974e9c954c9e954', 'LATIN1')) AS m;
SELECT ac_count(ac_build('{caf}', whole_words => true), convert_from('\x636166e9', 'LATIN1')) AS before_accent,
	   ac_count(ac_build('{caf}', whole_words => true), 'cafe caf_ caf1') AS before_word,
	   ac_count(ac_build(ARRAY[convert_from('\xdf', 'LATIN1')], ignore_case => true),
				convert_from('\xdf7373', 'LATIN1')) AS sharp_s;
CREATE TABLE t AS
	SELECT ac_build(ARRAY[convert_from('\xe974e9', 'LATIN1'), 'plain'], '{7,9}', true) AS rules;

-- to another client and back, as text and binary
\set file `mktemp`
\setenv AC_FILE :file
SET client_encoding = 'UTF8';
COPY t TO STDOUT (FORMAT binary) \g :file
\set restore '\\copy t FROM ' :'file' ' (FORMAT binary)'
:restore
COPY t TO STDOUT \g :file
\set restore '\\copy t FROM ' :'file'
:restore
SELECT count(*), count(DISTINCT md5(rules::text)), bool_and(rules = (SELECT rules FROM t LIMIT 1)) AS same
FROM t;

-- into a database of another encoding: the same characters
COPY (SELECT rules FROM t LIMIT 1) TO STDOUT (FORMAT binary) \g :file
\c -reuse-previous=on :home_utf8
CREATE TABLE t (rules acautomaton);
\set restore '\\copy t FROM ' :'file' ' (FORMAT binary)'
:restore
SELECT rules = ac_build(ARRAY[U&'\00e9t\00e9', 'plain'], '{7,9}', true) AS same,
	   ac_count(rules, U&'\00c9T\00c9') AS folds_here
FROM t;

-- a binary value in a client's encoding: bytes that are none, characters that
-- the client or the server has not
\set VERBOSITY sqlstate
SET client_encoding = 'LATIN1';
COPY t TO STDOUT (FORMAT binary) \g :file
:restore
SELECT count(*), bool_and(rules = (SELECT rules FROM t LIMIT 1)) AS same FROM t;
SET client_encoding = 'UTF8';
:restore
SET client_encoding = 'LATIN1';
SELECT ac_build(ARRAY[U&'\3042']);
SELECT octet_length(acautomaton_send(ac_build(ARRAY[U&'\3042'])));
SELECT octet_length(acautomaton_send(ac_build(ARRAY[U&'\00e9'])))
	 - octet_length(acautomaton_send(ac_build(ARRAY['e']))) AS longer;
\set e_acute '\351'
SELECT ac_build(ARRAY[:'e_acute']) = ac_build(ARRAY[U&'\00e9']) AS same,
	   ac_matches(ac_build(ARRAY[:'e_acute']), U&'\00e9');
SET client_encoding = 'UTF8';
COPY (SELECT ac_build(ARRAY[U&'\3042'])) TO STDOUT (FORMAT binary) \g :file
\c -reuse-previous=on "dbname=regress_ac_latin1 client_encoding=UTF8"
\set VERBOSITY sqlstate
:restore
\set VERBOSITY default
\! rm -f "$AC_FILE"

-- SQL_ASCII: bytes are characters, whatever they are
\c -reuse-previous=on "dbname=regress_ac_ascii client_encoding=SQL_ASCII"
CREATE EXTENSION ac;
SELECT m.pos, m.len FROM ac_matches(ac_build(ARRAY[E'\xc3\xa9', E'\xa9']), E'x\xc3\xa9\xff\xa9') AS m;
SELECT ac_count(ac_build(ARRAY[E'\xc3\xa9'], ignore_case => true), E'\xc3\x89 \xc3\xa9') AS folded,
	   ac_count(ac_build('{k}', ignore_case => true, whole_words => true), E'K \xe2\x84\xaaK Kk k\xff') AS words,
	   encode(convert_to(ac_mask(ac_build(ARRAY[E'\xa9']), E'\xc3\xa9'), 'SQL_ASCII'), 'hex') AS masked;
SELECT ac_build(ARRAY[E'\xff']) = ac_build(ARRAY[E'\xff'])::text::acautomaton AS same;

\c -reuse-previous=on :home_utf8
DROP TABLE t;
DROP DATABASE regress_ac_eucjp;
DROP DATABASE regress_ac_euckr;
DROP DATABASE regress_ac_euccn;
DROP DATABASE regress_ac_euctw;
DROP DATABASE regress_ac_eucjis2004;
DROP DATABASE regress_ac_mule;
DROP DATABASE regress_ac_latin1;
DROP DATABASE regress_ac_ascii;
