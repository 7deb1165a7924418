--
-- kinds: all, leftmost-longest, leftmost-first, and the order of rows
--

CREATE FUNCTION pg_temp.spans(rules acautomaton, body text, kind text) RETURNS text
	LANGUAGE sql AS
	$$ SELECT string_agg(format('%s+%s', pos, len), ' ') FROM ac_matches(rules, body, kind) $$;
CREATE FUNCTION pg_temp.rows(rules acautomaton, body text, kind text) RETURNS text
	LANGUAGE sql AS
	$$ SELECT string_agg(format('%s+%s:%s:%s', pos, len, id, pattern), ' ') FROM ac_find(rules, body, kind) $$;
CREATE TEMP TABLE kinds AS
	SELECT * FROM unnest(ARRAY['all', 'leftmost-longest', 'leftmost-first']) WITH ORDINALITY AS k (kind, n);

SELECT p, b, kind, pg_temp.spans(p::acautomaton, b, kind) AS matches,
	   pg_temp.rows(p::acautomaton, b, kind) AS find, ac_count(p::acautomaton, b, kind)
FROM (VALUES
	('{a,ab,abc}', 'abcd'),
	('{abc,ab,a}', 'abcd'),
	('{abcd,bc,b}', 'abce'),
	('{abcde,bcdx,cd}', 'abcdzabcde'),
	('{ab,ba}', 'ababa'),
	('{a,aa,aaa}', 'aaaaa'),
	('{aaa,aa}', 'aaaaa'),
	('{Samwise,Sam}', 'Samwise'),
	('{Sam,Samwise}', 'Samwise'),
	('{b,abcd,c}', 'abcx'),
	('{x}', 'abc')) AS t (p, b), kinds
ORDER BY p, b, n;

-- order of all: by end, longest first, then id, then the order of the patterns
SELECT * FROM ac_find(ac_build('{bc,abc,c,bc,abc}', '{5,4,9,-1,4}'), 'xabc');
-- ties of the leftmost kinds: the one given first, whatever its id
SELECT * FROM ac_find(ac_build('{bc,abc,c,bc,abc}', '{5,8,9,-1,4}'), 'xabc bc', 'leftmost-longest');
SELECT * FROM ac_find(ac_build('{bc,abc,c,bc,abc}', '{5,8,9,-1,4}'), 'xabc bc', 'leftmost-first');
-- the same with patterns that are the same but for their case
SELECT * FROM ac_find(ac_build('{AB,ab,aB}', '{3,2,1}', ignore_case => true), 'Ab');
SELECT * FROM ac_find(ac_build('{AB,ab,aB}', '{3,2,1}', ignore_case => true), 'Ab', 'leftmost-longest');
SELECT * FROM ac_find(ac_build('{AB,ab,aB}', '{3,2,1}', ignore_case => true), 'Ab', 'leftmost-first');

-- whole words are decided before the leftmost kinds choose
SELECT kind, pg_temp.rows(ac_build('{foo bar,foo,bar baz}', whole_words => true), 'foo barx foo bar baz', kind)
FROM kinds ORDER BY n;

-- a match that is only decided at the end of a long stretch
SELECT kind, pg_temp.spans(ac_build(ARRAY['a', repeat('a', 1000) || 'b']), repeat('a', 1000) || 'c', kind)
	   = (SELECT string_agg(i || '+1', ' ') FROM generate_series(1, 1000) AS i) AS each_alone
FROM kinds ORDER BY n;
SELECT kind, pg_temp.spans(ac_build(ARRAY['a', repeat('a', 1000) || 'b']), repeat('a', 1000) || 'b', kind)
	   = '1+1001' AS one
FROM kinds WHERE kind = 'leftmost-longest';

-- the kind is taken from each row
SELECT kind, ac_count('{a,ab}', 'abab', kind) FROM kinds ORDER BY n;

-- any other word
SELECT ac_count('{a}'::acautomaton, 'a', 'longest');
\set VERBOSITY terse
SELECT ac_count('{a}'::acautomaton, 'a', '');
SELECT ac_count('{a}'::acautomaton, 'a', 'ALL');
SELECT ac_count('{a}'::acautomaton, 'a', ' all');
SELECT ac_count('{a}'::acautomaton, ''::bytea, 'first');
SELECT * FROM ac_matches('{a}'::acautomaton, 'b', 'leftmost');
SELECT * FROM ac_find('{a}'::acautomaton, 'b', 'leftmost-');
SELECT ac_find('{a}'::acautomaton, 'b', repeat('x', 20));
\set VERBOSITY sqlstate
SELECT ac_count('{a}'::acautomaton, 'a', 'longest');
SELECT ac_matches('{a}'::acautomaton, 'a', 'longest');
SELECT * FROM ac_find('{a}'::acautomaton, 'a', 'longest');
\set VERBOSITY default
SELECT ac_count('{a}'::acautomaton, 'a', NULL), ac_count('{a}'::acautomaton, 'a', 'all') AS goes_on;
