--
-- replace: ac_replace, ac_replace_each, ac_mask, ac_highlight
--
SET client_encoding = 'UTF8';

-- one text for every match
SELECT ac_replace('{elvis}'::acautomaton, 'elvis lives', 'Elvis');
SELECT b, ac_replace('{a,ab,bc}'::acautomaton, b, '-') AS longest, ac_replace('{a,ab,bc}'::acautomaton, b, '-', 'leftmost-first') AS first
FROM (VALUES (''), ('x'), ('a'), ('ab'), ('abc'), ('xabcx'), ('aaaa')) AS t (b);
-- the replacement is literal, and may be empty
SELECT ac_replace('{a}'::acautomaton, 'banana', '\&\1$1');
SELECT ac_replace('{a}'::acautomaton, 'banana', '') AS shorter, ac_replace('{banana}'::acautomaton, 'banana', '') = '' AS empty;
SELECT ac_replace(ac_build(ARRAY[U&'stra\00DFe'], ignore_case => true), U&'Die STRA\1E9EE, die Stra\00DFe', U&'\65E5\672C');
SELECT ac_replace(ac_build('{ann}', whole_words => true), 'ann, anna, joann, Ann, (ann)', 'X');

-- a text for each pattern
SELECT ac_replace_each('{cat,dog,catdog}'::acautomaton, 'cat dog catdog', '{dog,cat,"a, b"}') AS longest,
	   ac_replace_each('{cat,dog,catdog}'::acautomaton, 'cat dog catdog', '{dog,cat,"a, b"}', 'leftmost-first') AS first;
-- the same pattern twice: the one given first; ids play no part
SELECT ac_replace_each(ac_build('{a,b,a}', '{3,2,1}'), 'aba', '{x,y,z}');
SELECT ac_replace_each(ac_build('{A,b,a}', ignore_case => true), 'aAbB', '{x,y,z}');
SELECT ac_replace_each('{}'::acautomaton, 'aba', '{}');
-- replacements that change from row to row, in every form
CREATE TEMP TABLE replacements (n int PRIMARY KEY, by text[]);
ALTER TABLE replacements ALTER by SET STORAGE EXTERNAL;
INSERT INTO replacements VALUES (1, '{x,y}'), (2, '{y,x}'), (3, ARRAY[repeat('x', 3000), 'y']), (4, ARRAY['x', repeat('y', 3000)]), (5, '{"",""}'), (6, '[0:1]={p,q}');
SELECT n, m, ac_replace_each('{a,b}'::acautomaton, 'abc', by) = by[array_lower(by, 1)] || by[array_upper(by, 1)] || 'c' AS right
FROM generate_series(1, 2) AS m, replacements ORDER BY m, n;
SELECT n, m, ac_replace_each('{a,b}'::acautomaton, 'ab', by) = by[array_lower(by, 1)] || by[array_upper(by, 1)] AS right
FROM replacements, generate_series(1, 2) AS m ORDER BY n, m;

-- every character of any match
SELECT ac_mask('{and,bands}'::acautomaton, 'political bands which and');
SELECT b, ac_mask('{abc,cd,x,gh,fghi}'::acautomaton, b), ac_mask('{abc,cd,x,gh,fghi}'::acautomaton, b, U&'\2588')
FROM (VALUES ('abcd'), ('ab cd'), ('xx'), ('efghi'), ('none'), ('')) AS t (b);
SELECT m, length(m) FROM ac_mask(ac_build(ARRAY[U&'\+01F600', U&'\00FCb'], ignore_case => true), U&'a\+01F600\+01F600 \00DCB') AS m;

-- marks around merged spans; those that only touch stay apart
SELECT ac_highlight('{and,bands}'::acautomaton, 'political bands which');
SELECT b, ac_highlight('{abc,cd,x,gh,fghi}'::acautomaton, b, '[', ']')
FROM (VALUES ('abcd'), ('ab cd'), ('xx'), ('efghi'), ('abccd'), ('abcx'), ('none'), ('')) AS t (b);
SELECT ac_highlight('{b,bcd,de,f,abcdefg,h}'::acautomaton, 'abcdefgh abcdef', '<', '>');
SELECT ac_highlight('{a}'::acautomaton, 'banana', '', '');
SELECT ac_highlight('{<,&lt;,"''"}'::acautomaton, E'a < b & c > d "e" ''f'' &lt;', escape_html => true);
SELECT ac_highlight('{<}'::acautomaton, E'a < b & c > d "e" ''f''');
SELECT ac_highlight('{nothing}'::acautomaton, '1 < 2 & "3" > ''4''', escape_html => true);
SELECT ac_highlight('{1}'::acautomaton, '1 < 2', '<mark class="hit">', '</mark>', true);

-- more pieces than are kept for the second walk, long bodies, long reaches
SELECT n, ac_replace('{ab}'::acautomaton, repeat('abc', n), 'XYZ') = repeat('XYZc', n) AS replace,
	ac_replace_each('{ab,c}'::acautomaton, repeat('abc', n), '{1,""}') = repeat('1', n) AS each,
	ac_mask('{ab}'::acautomaton, repeat('abc', n)) = repeat('**c', n) AS mask,
	ac_highlight('{ab}'::acautomaton, repeat('abc', n), '<', '>', true) = repeat('<ab>c', n) AS highlight
FROM unnest(ARRAY[1, 15, 16, 17, 1000, 65535, 65536, 65537, 100000]) AS n;
SELECT ac_mask(ac_build(ARRAY['b', repeat('ab', 500) || 'c']), repeat('ab', 1000) || b) = m AS mask,
	ac_highlight(ac_build(ARRAY['b', repeat('ab', 500) || 'c']), repeat('ab', 1000) || b, '<', '>') = h AS highlight
FROM (VALUES ('c', repeat('a*', 500) || repeat('*', 1001), repeat('a<b>', 500) || '<' || repeat('ab', 500) || 'c>'),
	('d', repeat('a*', 1000) || 'd', repeat('a<b>', 1000) || 'd')) AS t (b, m, h);
SELECT ac_mask(ac_build(ARRAY[repeat('a', 300), 'a']), repeat('a', 100000)) = repeat('*', 100000) AS mask,
	ac_highlight(ac_build(ARRAY[repeat('a', 300), 'a']), repeat('a', 100000), '<', '>') = '<' || repeat('a', 100000) || '>' AS one,
	ac_highlight('{a}'::acautomaton, repeat('a', 10000), '<', '>') = repeat('<a>', 10000) AS apart;

-- nothing matched: the body as it was stored, not even detoasted
CREATE TEMP TABLE untouched (body text);
INSERT INTO untouched VALUES ('short'), (repeat('x', 100000)), (repeat('<', 100000));
ALTER TABLE untouched ALTER body SET STORAGE EXTERNAL;
INSERT INTO untouched VALUES (repeat('x', 100000)), (repeat('x', 2000000));
SELECT length(body), pg_column_size(ac_replace('{a}'::acautomaton, body, 'b')) = pg_column_size(body) AS replaced,
	   pg_column_size(ac_replace_each('{a}'::acautomaton, body, '{b}')) = pg_column_size(body) AS each,
	   pg_column_size(ac_mask('{a}'::acautomaton, body)) = pg_column_size(body) AS masked,
	   pg_column_size(ac_highlight('{a}'::acautomaton, body)) = pg_column_size(body) AS highlighted,
	   pg_column_size(ac_highlight('{a}'::acautomaton, body, escape_html => true)) = pg_column_size(body) AS escaped
FROM untouched;

-- strict
SELECT ac_replace(NULL, 'a', 'b'), ac_replace('{a}', NULL, 'b'), ac_replace('{a}', 'a', NULL), ac_mask('{a}', 'a', NULL),
	   ac_highlight('{a}', 'a', NULL), ac_replace_each('{a}', 'a', NULL);

-- errors
SELECT ac_replace('{a}', 'a', 'b', 'all');
SELECT ac_replace_each('{a}', 'a', '{b}', 'longest');
SELECT ac_replace_each('{a}', 'x', '{b,c}');
SELECT ac_replace_each('{a,b}', 'x', '{b,NULL}');
SELECT ac_replace_each('{a,b}', 'x', '{{b,c}}');
SELECT ac_mask('{a}', 'x', '**');
\set VERBOSITY sqlstate
SELECT ac_replace('{a}', 'a', 'b', 'all');
SELECT ac_replace_each('{a}', 'a', '{b}', 'all');
SELECT ac_replace('{a}', 'a', 'b', 'longest');
SELECT ac_replace_each('{a}', 'x', '{}');
SELECT ac_replace_each('{a}', 'x', '{b,c}');
SELECT ac_replace_each('{a,b}', 'x', '{b,NULL}');
SELECT ac_replace_each('{a,b}', 'x', '{{b,c}}');
SELECT ac_mask('{a}', 'x', '');
SELECT ac_mask('{a}', 'x', '**');
SELECT ac_mask('{a}', 'x', repeat('*', 100));
SELECT ac_mask('{a}', 'x', U&'e\0301');
SELECT ac_replace(ac_build_bytea('{a}'), 'a', 'b');
SELECT ac_replace_each(ac_build_bytea('{a}'), 'a', '{b}');
SELECT ac_mask(ac_build_bytea('{a}'), 'x');
SELECT ac_highlight(ac_build_bytea('{a}'), 'x');
-- a result over 1 GB is refused before anything is allocated
SELECT ac_replace('{a}', repeat('a', 100000), repeat('b', 20000));
SELECT ac_replace_each('{a,b}', repeat('a', 100000), ARRAY[repeat('b', 20000), '']);
SELECT ac_highlight('{a}', repeat('a', 100000), repeat('b', 20000));
\set VERBOSITY terse
SELECT ac_replace('{a}', repeat('a', 100000), repeat('b', 20000));
\set VERBOSITY default
SELECT ac_replace('{a}', 'goes on', 'b');
-- an array in a row that was wrong is not remembered as right
CREATE FUNCTION pg_temp.try_each(by text[]) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN ac_replace_each('{a,b}', 'ab', by);
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
SELECT pg_temp.try_each(by) FROM (VALUES ('{x,y}'::text[]), ('{x,NULL}'), ('{x,NULL}'), ('{x,y}'), ('{x}'), (NULL), ('{}')) AS t (by);
