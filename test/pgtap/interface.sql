-- interface.sql: every object of the extension is there and as documented:
-- arguments with names and defaults, results, volatility, parallel safety,
-- strictness, comments.  Needs pgTAP; run by "make test", or by
-- pg_prove -d DATABASE test/pgtap/interface.sql
\set QUIET 1
\set ON_ERROR_STOP 1
\pset format unaligned
\pset tuples_only true
\pset pager off

BEGIN;
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS pgtap;
CREATE EXTENSION IF NOT EXISTS ac;
SET client_min_messages = notice;

-- ---- what should be there ----

CREATE TEMP TABLE wanted (
	name text,
	arguments text,				-- of the call, with names and defaults
	result text,				-- "(column type, ...)" for a row, "set of" before a set
	kind "char" DEFAULT 'f',
	volatility "char" DEFAULT 'i',
	parallel "char" DEFAULT 's',
	strict boolean DEFAULT true
);

INSERT INTO wanted VALUES
	('ac_build', 'patterns text[], ids bigint[] DEFAULT NULL::bigint[], ignore_case boolean DEFAULT false, whole_words boolean DEFAULT false', 'acautomaton', 'f', 'i', 's', false),
	('ac_build_bytea', 'patterns bytea[], ids bigint[] DEFAULT NULL::bigint[], ignore_case boolean DEFAULT false', 'acautomaton', 'f', 'i', 's', false),
	('ac_agg', 'pattern text', 'acautomaton', 'a', 'i', 's', false),
	('ac_agg', 'pattern text, id bigint', 'acautomaton', 'a', 'i', 's', false),
	('ac_union', 'rules acautomaton, other acautomaton', 'acautomaton', 'f', 'i', 's', true),
	('ac_add', 'rules acautomaton, patterns text[], ids bigint[] DEFAULT NULL::bigint[]', 'acautomaton', 'f', 'i', 's', false),
	('ac_remove', 'rules acautomaton, patterns text[]', 'acautomaton', 'f', 'i', 's', true),
	('ac_remove_ids', 'rules acautomaton, ids bigint[]', 'acautomaton', 'f', 'i', 's', true),

	('ac_replace', 'rules acautomaton, body text, replacement text, kind text DEFAULT ''leftmost-longest''::text', 'text', 'f', 'i', 's', true),
	('ac_replace_each', 'rules acautomaton, body text, replacements text[], kind text DEFAULT ''leftmost-longest''::text', 'text', 'f', 'i', 's', true),
	('ac_mask', 'rules acautomaton, body text, mask text DEFAULT ''*''::text', 'text', 'f', 'i', 's', true),
	('ac_highlight', 'rules acautomaton, body text, start_sel text DEFAULT ''<b>''::text, stop_sel text DEFAULT ''</b>''::text, escape_html boolean DEFAULT false', 'text', 'f', 'i', 's', true),

	('ac_info', 'rules acautomaton', '(patterns integer, states integer, image_bytes bigint, pattern_bytes bigint, min_len integer, max_len integer, ignore_case boolean, whole_words boolean, is_bytea boolean, format integer)', 'f', 'i', 's', true),
	('ac_patterns', 'rules acautomaton', 'set of (id bigint, pattern text)', 'f', 'i', 's', true),
	('ac_dot', 'rules acautomaton', 'text', 'f', 'i', 's', true),
	('ac_cache', '', 'set of (source text, patterns integer, image_bytes bigint, memory_bytes bigint, hits bigint, last_used timestamp with time zone)', 'f', 'v', 'r', true),
	('ac_cache_stats', '', '(limit_bytes bigint, hits bigint, misses bigint, evictions bigint, detoasts bigint)', 'f', 'v', 'r', true),
	('ac_cache_reset', '', 'void', 'f', 'v', 'r', true);

INSERT INTO wanted
	SELECT name, replace(arguments, 'BODY', body), result
	FROM (VALUES
			('ac_matches', 'rules acautomaton, body BODY, kind text DEFAULT ''all''::text', 'set of (pos integer, len integer)'),
			('ac_find', 'rules acautomaton, body BODY, kind text DEFAULT ''all''::text', 'set of (pos integer, len integer, id bigint, pattern text)'),
			('ac_contains', 'rules acautomaton, body BODY', 'boolean'),
			('ac_contained', 'body BODY, rules acautomaton', 'boolean'),
			('ac_count', 'rules acautomaton, body BODY, kind text DEFAULT ''all''::text', 'bigint'),
			('ac_instr', 'rules acautomaton, body BODY', 'integer'),
			('ac_ids', 'rules acautomaton, body BODY', 'bigint[]'),
			('ac_found', 'rules acautomaton, body BODY', 'text[]')
		 ) AS f(name, arguments, result),
		 unnest(ARRAY['text', 'bytea']) AS body;

-- ---- what is there ----

CREATE TEMP VIEW members AS
	SELECT d.classid, d.objid
	FROM pg_depend AS d
	JOIN pg_extension AS e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
	WHERE d.deptype = 'e' AND e.extname = 'ac'
		  -- array types are members since PostgreSQL 17
		  AND NOT EXISTS (SELECT FROM pg_type AS t WHERE d.classid = 'pg_type'::regclass
						  AND t.oid = d.objid AND t.typcategory = 'A');

CREATE TEMP VIEW present AS
	SELECT p.oid, p.proname AS name,
		   -- the arguments of a call; an aggregate's come without names of results
		   (SELECT coalesce(string_agg(concat_ws(' ', p.proargnames[n],
												 format_type(p.proargtypes[n - 1], NULL),
												 'DEFAULT ' || pg_get_function_arg_default(p.oid, n)),
									   ', ' ORDER BY n), '')
			FROM generate_series(1, p.pronargs) AS n) AS arguments,
		   CASE WHEN p.proretset THEN 'set of ' ELSE '' END ||
		   coalesce((SELECT '(' || string_agg(p.proargnames[n] || ' ' || format_type(p.proallargtypes[n], NULL),
											  ', ' ORDER BY n) || ')'
					 FROM generate_subscripts(p.proargmodes, 1) AS n
					 WHERE p.proargmodes[n] IN ('o', 't')),
					format_type(p.prorettype, NULL)) AS result,
		   p.prokind AS kind, p.provolatile AS volatility, p.proparallel AS parallel,
		   p.proisstrict AS strict
	FROM pg_proc AS p JOIN members AS m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid;

SELECT no_plan();

-- ---- functions ----

SELECT is((SELECT p.result FROM present AS p WHERE (p.name, p.arguments) = (w.name, w.arguments)),
		  w.result, format('%s(%s) returns %s', name, arguments, w.result))
FROM wanted AS w;

SELECT is((SELECT p.kind FROM present AS p WHERE (p.name, p.arguments) = (w.name, w.arguments)),
		  w.kind, format('%s(%s) is of kind "%s"', name, arguments, w.kind))
FROM wanted AS w;

SELECT is((SELECT p.volatility FROM present AS p WHERE (p.name, p.arguments) = (w.name, w.arguments)),
		  w.volatility, format('%s(%s) has volatility "%s"', name, arguments, w.volatility))
FROM wanted AS w;

SELECT is((SELECT p.parallel FROM present AS p WHERE (p.name, p.arguments) = (w.name, w.arguments)),
		  w.parallel, format('%s(%s) has parallel safety "%s"', name, arguments, w.parallel))
FROM wanted AS w;

SELECT is((SELECT p.strict FROM present AS p WHERE (p.name, p.arguments) = (w.name, w.arguments)),
		  w.strict, format('%s(%s) is %s', name, arguments, CASE WHEN w.strict THEN 'strict' ELSE 'not strict' END))
FROM wanted AS w;

SELECT ok(NOT proleakproof, format('%s is not leakproof', p.oid::regprocedure))
FROM present AS p JOIN pg_proc USING (oid);

SELECT ok(prolang = (SELECT oid FROM pg_language WHERE lanname = 'c') OR prokind = 'a',
		  format('%s is written in C', p.oid::regprocedure))
FROM present AS p JOIN pg_proc USING (oid);

SELECT is_empty($$
	SELECT oid::regprocedure FROM present AS p
	WHERE name LIKE 'ac\_%' AND name NOT LIKE '%support' AND name NOT LIKE 'ac\_agg\_%'
		  AND NOT EXISTS (SELECT FROM wanted AS w WHERE (p.name, p.arguments) = (w.name, w.arguments))$$,
	'no undocumented function');
SELECT is_empty($$SELECT oid::regprocedure FROM present WHERE volatility = 's'$$,
				'nothing is merely stable');
SELECT isnt_empty($$SELECT FROM pg_proc WHERE proname = 'ac_matches' AND prosupport <> 0$$,
				  'ac_matches tells the planner how many rows come');
SELECT isnt_empty($$SELECT FROM pg_proc WHERE proname = 'ac_find' AND prosupport <> 0$$,
				  'ac_find tells the planner how many rows come');
SELECT is_empty($$SELECT oid::regprocedure FROM pg_proc WHERE proname IN ('ac_contains', 'ac_contained') AND procost <= 1$$,
				'matching is known to cost more than comparing');

-- ---- the type ----

SELECT has_type('acautomaton'::name);
SELECT is(typlen, -1::smallint, 'acautomaton has no fixed length') FROM pg_type WHERE typname = 'acautomaton';
SELECT is(typstorage, 'e'::"char", 'acautomaton is stored out of line, uncompressed') FROM pg_type WHERE typname = 'acautomaton';
SELECT ok(typinput <> 0 AND typoutput <> 0 AND typreceive <> 0 AND typsend <> 0,
		  'acautomaton has text and binary forms') FROM pg_type WHERE typname = 'acautomaton';
SELECT ok(NOT EXISTS (SELECT FROM pg_opclass WHERE opcintype = 'acautomaton'::regtype
					  AND opcmethod = (SELECT oid FROM pg_am WHERE amname = 'btree')),
		  'acautomaton has no ordering');

-- ---- operators ----

SELECT has_operator('text', '@~', 'acautomaton', 'boolean', 'text @~ rules');
SELECT has_operator('bytea', '@~', 'acautomaton', 'boolean', 'bytea @~ rules');
SELECT has_operator('acautomaton', '~@', 'text', 'boolean', 'rules ~@ text');
SELECT has_operator('acautomaton', '~@', 'bytea', 'boolean', 'rules ~@ bytea');
SELECT has_operator('acautomaton', '=', 'acautomaton', 'boolean', 'rules = rules');
SELECT has_operator('acautomaton', '<>', 'acautomaton', 'boolean', 'rules <> rules');

CREATE TEMP VIEW operators AS
	SELECT o.* FROM pg_operator AS o JOIN members AS m ON m.classid = 'pg_operator'::regclass AND m.objid = o.oid;

SELECT is((SELECT count(*) FROM operators), 6::bigint, 'six operators');
SELECT is_empty($$SELECT oid::regoperator FROM operators WHERE oprname IN ('@~', '~@')
				  AND (oprrest::text, oprjoin::text) <> ('matchingsel', 'matchingjoinsel')$$,
				'matching operators have selectivity estimators');
SELECT is_empty($$
	SELECT a.oid::regoperator FROM operators AS a LEFT JOIN operators AS b ON a.oprcom = b.oid
	WHERE b.oprcom IS DISTINCT FROM a.oid
		  OR (a.oprleft, a.oprright) <> (b.oprright, b.oprleft)$$,
	'every operator has its commutator');
SELECT is_empty($$
	SELECT a.oid::regoperator FROM operators AS a LEFT JOIN operators AS b ON a.oprnegate = b.oid
	WHERE a.oprname IN ('=', '<>') AND b.oprnegate IS DISTINCT FROM a.oid$$,
	'= and <> negate each other');
SELECT ok(oprcanhash AND NOT oprcanmerge, '= can hash, not merge') FROM operators WHERE oprname = '=';

-- ---- hash operator class ----

SELECT is((SELECT array_agg(am.amname::text) FROM pg_opclass AS c JOIN pg_am AS am ON am.oid = c.opcmethod
		   WHERE c.opcintype = 'acautomaton'::regtype AND c.opcdefault),
		  ARRAY['hash'], 'the default operator class is for hash alone');
SELECT is((SELECT array_agg(p.amprocnum ORDER BY p.amprocnum)::int[]
		   FROM pg_amproc AS p WHERE p.amproclefttype = 'acautomaton'::regtype),
		  ARRAY[1, 2], 'with both support functions');

-- ---- casts ----

SELECT set_eq(
	$$SELECT castsource::regtype::text, casttarget::regtype::text, castcontext::text, castmethod::text
	  FROM pg_cast AS c JOIN members AS m ON m.classid = 'pg_cast'::regclass AND m.objid = c.oid$$,
	$$VALUES ('text[]', 'acautomaton', 'e', 'f'), ('acautomaton', 'text[]', 'e', 'f'),
			 ('acautomaton', 'bytea[]', 'e', 'f')$$,
	'three casts, explicit, by functions');

-- ---- settings ----

LOAD 'ac';
SELECT is((SELECT setting || unit FROM pg_settings WHERE name = 'ac.cache_size'), '65536kB',
		  'ac.cache_size is 64MB');
SELECT is((SELECT context FROM pg_settings WHERE name = 'ac.cache_size'), 'user',
		  'anybody may set ac.cache_size');
SELECT throws_ok($$SET ac.no_such_setting = 1$$,
				 CASE WHEN current_setting('server_version_num')::int >= 150000 THEN '42602' ELSE '42704' END,
				 NULL, 'the prefix "ac" is reserved')
	WHERE current_setting('server_version_num')::int >= 150000
UNION ALL
SELECT skip('prefixes are reserved since PostgreSQL 15', 1)
	WHERE current_setting('server_version_num')::int < 150000;

-- ---- the extension ----

SELECT ok(extrelocatable, 'the extension is relocatable') FROM pg_extension WHERE extname = 'ac';
SELECT ok(trusted, 'the extension is trusted') FROM pg_available_extension_versions
	WHERE name = 'ac' AND installed;
SELECT isnt(obj_description(oid, 'pg_extension'), NULL, 'the extension has a comment')
	FROM pg_extension WHERE extname = 'ac';
SELECT is_empty($$SELECT p.oid::regprocedure FROM present AS p JOIN pg_proc USING (oid)
				  WHERE proconfig IS NOT NULL OR prosecdef$$,
				'no function changes settings or privileges');
CREATE SCHEMA elsewhere;
SELECT lives_ok('ALTER EXTENSION ac SET SCHEMA elsewhere', 'the extension can move');

-- ---- comments ----

SELECT isnt(obj_description(objid, (SELECT relname FROM pg_class WHERE oid = classid)), NULL,
			'comment on ' || pg_describe_object(classid, objid, 0))
FROM members ORDER BY classid, objid;

SELECT finish();
ROLLBACK;
