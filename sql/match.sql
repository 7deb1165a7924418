--
-- match: ac_contains with its operators, ac_count, ac_instr, ac_ids, ac_found
--
SET client_encoding = 'UTF8';

-- the textbook example
SELECT ac_contains(r, 'ushers') AS contains, ac_count(r, 'ushers'), ac_instr(r, 'ushers'),
	   ac_ids(r, 'ushers'), ac_found(r, 'ushers')
FROM ac_build('{he,she,his,hers}') AS r;
SELECT ac_contains(r, 'USHERS') AS contains, ac_count(r, 'USHERS'), ac_instr(r, 'USHERS'),
	   ac_ids(r, 'USHERS'), ac_found(r, 'USHERS')
FROM ac_build('{he,she,his,hers}') AS r;

-- operators, both ways round; a cast makes rules of an array
SELECT 'ushers' @~ ac_build('{he}') AS yes, ac_build('{he}') ~@ 'ushers' AS yes,
	   'users' @~ ac_build('{he}') AS no, ac_build('{he}') ~@ 'users' AS no,
	   'ushers' @~ ARRAY['he']::acautomaton AS yes, 'ushers' @~ '{he}'::acautomaton AS yes,
	   ac_contained('ushers', ac_build('{he}')) AS yes;
SELECT body, body @~ '{needle,haystack}' AS matches
FROM (VALUES ('a needle'), ('nothing'), (''), (NULL), ('haystackneedle')) AS t (body);

-- no patterns, no body, no match; bodies of every size of header
SELECT ac_contains(r, b), ac_count(r, b), ac_instr(r, b), ac_ids(r, b), ac_found(r, b)
FROM ac_build('{}') AS r, (VALUES (''), ('a'), (repeat('a', 1000))) AS t (b);
SELECT ac_contains(r, ''), ac_count(r, ''), ac_instr(r, ''), ac_ids(r, ''), ac_found(r, '')
FROM ac_build('{a}') AS r;
SELECT n, ac_count(ac_build('{aa}'), repeat('a', n))
FROM unnest(ARRAY[1, 2, 125, 126, 127, 128, 1000, 100000]) AS n;

-- everything is strict
SELECT ac_contains(NULL, 'a'::text), ac_contains(ac_build('{a}'), NULL::text),
	   NULL::text @~ ac_build('{a}'), 'a' @~ NULL::acautomaton,
	   ac_count(ac_build('{a}'), 'a', NULL), ac_count(NULL, 'a'::text),
	   ac_instr(NULL, 'a'::text), ac_ids(NULL, 'a'::text), ac_found(ac_build('{a}'), NULL::text);

-- ids need not be unique and come sorted, each once; patterns in the order given
SELECT ac_ids(r, b), ac_found(r, b)
FROM ac_build('{she,he,ers,he,h}', '{7,-2,7,9223372036854775807,-9223372036854775808}') AS r,
	 (VALUES ('ushers'), ('he he he'), ('xyz')) AS t (b);
SELECT ac_ids(r, 'zyx'), ac_found(r, 'zyx') FROM ac_build('{x,z,y,zy,w}') AS r;

-- more ids than fit on the stack, and a call site that is used again
SELECT cardinality(ac_ids(r, b)), (ac_ids(r, b))[1:3], cardinality(ac_found(r, b)), (ac_found(r, b))[1:3]
FROM (SELECT ac_agg('<' || n || '>' ORDER BY n) AS r FROM generate_series(1, 500) AS n) AS a,
	 (SELECT string_agg('<' || n || '>', ' ' ORDER BY n DESC) AS b FROM generate_series(1, 500) AS n
	  UNION ALL SELECT '<7><3>' UNION ALL SELECT '<7>' UNION ALL SELECT 'none') AS t;

-- ignore_case: spellings come back as they were given
SELECT ac_ids(r, b), ac_found(r, b), ac_count(r, b), ac_instr(r, b)
FROM ac_build('{Straße,STRASSE,strasse,straße,Elvis,ELVIS,Elvis}', ignore_case => true) AS r,
	 (VALUES ('die strasse'), (U&'STRA\1E9EE'), ('elvis'), ('nobody')) AS t (b);

-- whole_words
SELECT b, b @~ ac_build('{ann,joann}', whole_words => true), ac_count(ac_build('{ann,joann}', whole_words => true), b)
FROM (VALUES ('ann'), ('joann'), ('ann_'), ('(ann)'), ('joanna ann'), (U&'\00FCann'), (U&'\672Cann')) AS t (b);

-- positions count characters in text, bytes in bytea
SELECT ac_instr(ac_build(ARRAY[p]), b), substr(b, ac_instr(ac_build(ARRAY[p]), b), length(p)) = p AS is_there
FROM (VALUES (U&'\20AC', U&'\00FC\+01F600\20AC'), (U&'\+01F600', U&'\00FC\+01F600\20AC'), ('x', U&'\65E5\672C\8A9Ex')) AS t (p, b);
SELECT ac_instr(ac_build('{bar}'), convert_to(U&'\00FCbar', 'UTF8'));

-- bytea: rules of bytea, and of text without options
SELECT ac_contains(r, b), b @~ r, r ~@ b, ac_count(r, b), ac_instr(r, b), ac_ids(r, b), ac_found(r, b)
FROM ac_build_bytea(ARRAY['\x00', '\xff00', '\x0001']::bytea[]) AS r,
	 (VALUES ('\x00ff0001'::bytea), ('\x'), ('\xffff')) AS t (b);
SELECT ac_contains(r, b), b @~ r, ac_count(r, b), ac_instr(r, b), ac_ids(r, b), ac_found(r, b)
FROM ac_build('{he,she}') AS r, (VALUES ('\x00736865'::bytea), ('\x00')) AS t (b);
SELECT ac_found(ac_build_bytea('{GET,get,Host}', ignore_case => true), 'gEt / HOST'::bytea);

-- what does not go together
\set VERBOSITY terse
SELECT ac_contains(ac_build_bytea('{a}'), 'a'::text);
SELECT 'a'::text @~ ac_build_bytea('{a}');
SELECT ac_count(ac_build_bytea('{}'), ''::text);
SELECT ac_instr(ac_build_bytea('{a}'), 'a'::text);
SELECT ac_ids(ac_build_bytea('{a}'), 'a'::text);
SELECT ac_found(ac_build_bytea('{a}'), 'a'::text);
SELECT ac_contains(ac_build('{a}', ignore_case => true), 'a'::bytea);
SELECT 'a'::bytea @~ ac_build('{a}', whole_words => true);
SELECT ac_count(ac_build('{a}', ignore_case => true), 'a'::bytea);
SELECT ac_instr(ac_build('{a}', ignore_case => true), 'a'::bytea);
SELECT ac_ids(ac_build('{a}', whole_words => true), 'a'::bytea);
SELECT ac_found(ac_build('{a}', whole_words => true), 'a'::bytea);
\set VERBOSITY sqlstate
SELECT ac_contains(ac_build_bytea('{a}'), 'a'::text);
SELECT ac_contains(ac_build('{a}', ignore_case => true), 'a'::bytea);
\set VERBOSITY default
SELECT ac_contains(ac_build('{a}'), 'a') AS goes_on;

-- collations change nothing, not even those that ignore case (where the server has ICU)
DO $$
BEGIN
	CREATE COLLATION match_no_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
EXCEPTION WHEN OTHERS THEN
	CREATE COLLATION match_no_case FROM "C";
END
$$;
SELECT ac_contains(ac_build('{a}'), 'A' COLLATE match_no_case), ac_count(ac_build('{a}'), 'Aa' COLLATE match_no_case);
DROP COLLATION match_no_case;

-- CHECK constraints, generated columns, indexes on expressions: all immutable
CREATE TEMP TABLE comments (
	body text CHECK (NOT body @~ '{spam,scam}'::acautomaton),
	greetings bigint GENERATED ALWAYS AS (ac_count('{hello,hi}'::acautomaton, body)) STORED
);
CREATE INDEX ON comments ((body @~ '{hello}'::acautomaton));
INSERT INTO comments VALUES ('hello, hi, hello'), ('good bye');
\set VERBOSITY sqlstate
INSERT INTO comments VALUES ('buy spam');
\set VERBOSITY default
SELECT * FROM comments;

-- a list of words, many within others, against each of its own and a sentence
CREATE TEMP TABLE words (n int GENERATED ALWAYS AS IDENTITY, word text);
INSERT INTO words (word) SELECT DISTINCT left(translate(md5(i::text), '0123456789abcdef', 'etaoinshrdlcumwf'), 2 + i % 9)
	FROM generate_series(1, 2400) AS i ORDER BY 1;
INSERT INTO words (word) VALUES ('etc/postgresql/pg_hba.conf'), ('yaml_emit');
ANALYZE words;
CREATE TEMP TABLE word_rules AS SELECT ac_agg(word, n ORDER BY n) AS a FROM words;
SELECT patterns, states, pattern_bytes, min_len, max_len FROM word_rules, ac_info(a);
SELECT count(*) AS patterns, sum(length(word)) AS pattern_bytes,
	   (SELECT 1 + count(DISTINCT left(word, i)) FROM words, generate_series(1, length(word)) AS i) AS states FROM words;
SELECT sum(ac_count(a, word)) AS spans FROM word_rules, words;
SELECT count(*) AS spans
FROM words AS w, generate_series(1, length(w.word)) AS pos, generate_series(1, length(w.word) - pos + 1) AS len,
	 words AS other
WHERE other.word = substr(w.word, pos, len);
SELECT m.* FROM word_rules, ac_matches(a, 'hello etc/postgresql/pg_hba.conf world, this is a yaml_emit foo bar test.') AS m
WHERE len > 8;
