--
-- Errors of building, by SQLSTATE; the session goes on after each
--

\set VERBOSITY terse

-- an empty pattern 2200F, a null pattern or id 22004, by subscript
SELECT ac_build('{foo,"",bar}');
SELECT ac_build('{foo,bar,NULL}');
SELECT ac_build('[5:6]={foo,NULL}') AS subscripts_count_from_1;
SELECT ac_build('{foo,bar}', '{1,NULL}');
SELECT ac_build_bytea(ARRAY['foo', '']::bytea[]);
SELECT ac_build_bytea(ARRAY['foo', NULL]::bytea[]);
SELECT '{foo,""}'::acautomaton;
SELECT '{foo,NULL}'::acautomaton;
SELECT '[ids={1,NULL}]{foo,bar}'::acautomaton;

\set VERBOSITY sqlstate
SELECT ac_build('{foo,"",bar}');
SELECT ac_build('{foo,bar,NULL}');
SELECT ac_build('{foo,bar}', '{1,NULL}');
SELECT ac_build_bytea(ARRAY['foo', '']::bytea[]);
SELECT ac_build_bytea(ARRAY['foo', NULL]::bytea[]);
SELECT '{foo,""}'::acautomaton;
SELECT '{foo,NULL}'::acautomaton;
SELECT '{foo,nUlL}'::acautomaton;
SELECT '[ids={1,NULL}]{foo,bar}'::acautomaton;
SELECT '[bytea]{foo,NULL}'::acautomaton;
SELECT '[bytea]{foo,""}'::acautomaton;

-- options are not null
SELECT ac_build('{foo}', ignore_case => NULL);
SELECT ac_build('{foo}', whole_words => NULL);
SELECT ac_build_bytea('{foo}', ignore_case => NULL);

-- ids of another length, arrays of other shapes 2202E
SELECT ac_build('{foo,bar}', '{1}');
SELECT ac_build('{foo,bar}', '{1,2,3}');
SELECT ac_build('{foo,bar}', '{}');
SELECT ac_build('{}', '{1}');
SELECT ac_build('{{foo,bar}}');
SELECT ac_build('{{foo},{bar}}');
SELECT ac_build('{foo,bar}', '{{1,2}}');
SELECT ac_build_bytea('{{foo,bar}}');
SELECT ARRAY[ARRAY['foo', 'bar']]::acautomaton;
SELECT '{{foo,bar}}'::acautomaton;
SELECT ' [1:1][1:2]={ {foo,bar}}'::acautomaton;
SELECT '[ignore_case]{{foo},{bar}}'::acautomaton;
SELECT '[ids={1}]{foo,bar}'::acautomaton;
SELECT '[ids={}]{foo}'::acautomaton;
SELECT '[ids={1,2}]{}'::acautomaton;

-- ids out of range 22003
SELECT '[ids={9223372036854775808}]{foo}'::acautomaton;
SELECT '[ids={-9223372036854775809}]{foo}'::acautomaton;
SELECT '[ids={1,100000000000000000000000000}]{foo,bar}'::acautomaton;

-- malformed text 22P02, with a hint
CREATE FUNCTION pg_temp.try(command text, OUT state text, OUT hint text) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE command;
	state := 'ok';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, hint = PG_EXCEPTION_HINT;
END
$$;
SELECT literal, t.*
FROM unnest(ARRAY[
	'', 'foo', 'foo,bar', '{', '}', '{foo', '{foo}}', '{foo}bar', '{foo,}', '{"foo}', '{foo"bar"}', E'{foo\\',
	'[1:2]={foo}', '[1:2]{foo,bar}', '[2]', '[', '[ignore_case', '[ignore_case]', '[ignore_case]foo', '[ids={1}{foo}',
	'[ids={1,}]{foo}', '[ids={1', '[ids={,1}]{foo}', '[ids={x}]{foo}', '[ids={1.5}]{foo}', '[ids={1 2}]{foo}', '[ids={-}]{foo}',
	'[ids={1}ignore_case]{foo}', '[ids={"1"}]{foo}', '[ids={{1}}]{foo}']) AS literal,
	pg_temp.try(format('SELECT %L::acautomaton', literal)) AS t;
-- unknown, repeated, unsuitable options 22P02, named in the hint
SELECT literal, t.*
FROM unnest(ARRAY[
	'[fold]{foo}', '[Ignore_Case]{foo}', '[ignore_case,whole_words]{foo}', '[ids]{foo}', '[ids=1]{foo}', '[ids=]{foo}', '[ bytea=1]{foo}',
	'[ignore_case ignore_case]{foo}', '[ids={1} ids={1}]{foo}', '[bytea bytea]{foo}', '[whole_words whole_words]{foo}',
	'[bytea whole_words]{foo}', '[whole_words bytea]{foo}', '[[ignore_case]]{foo}', '[{foo}]']) AS literal,
	pg_temp.try(format('SELECT %L::acautomaton', literal)) AS t;
-- an input that is an error of the element type
SELECT '[bytea]{"\\xzz"}'::acautomaton;

-- text that is not valid in its encoding never gets in
SELECT ac_build(ARRAY[convert_from('\xff', 'UTF8')]);

-- a rule set whose text form would pass 511 MB is not built; quotes and
-- backslashes count double
\set VERBOSITY terse
SELECT ac_build(array_fill(repeat('"', 1000000), ARRAY[268]));
\set VERBOSITY sqlstate
SELECT ac_build_bytea(array_fill(decode(repeat('78', 1000000), 'hex'), ARRAY[268]));
\set VERBOSITY default

-- the functions do what they say after all that
SELECT ac_build('{foo,bar}');
