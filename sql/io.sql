--
-- The forms that leave the server: binary, COPY, client encodings
--

-- version, flags, count, ids, patterns
SELECT acautomaton_send('{foo,b}');
SELECT acautomaton_send('[ignore_case whole_words ids={7,-1}]{foo,b}');
SELECT acautomaton_send('[bytea]{"\\x00ff"}');
SELECT acautomaton_send('{}');

-- odd patterns
CREATE TABLE odd (n int, a acautomaton);
INSERT INTO odd VALUES
	(1, '{foo,"b a r"}'),
	(2, ac_build(ARRAY['"', '\', '{', '}', ',', ' ', '''', 'NULL', 'null', '\N', '\.', '{}', '[', ']', '""', '\\', '\x41'])),
	(3, ac_build(ARRAY[E'\n', E'\t', E'\r', E'\v', E'\f', E'\b', E'a\nb\tc', E'\x01'])),
	(4, '{}'),
	(5, ac_build(ARRAY['é', 'ß', 'ẞ', '日本語', U&'\+01F600', U&'e\0301', 'Ж'])),
	(6, ac_build('{x,y,z}', '{9223372036854775807,-9223372036854775808,0}')),
	(7, ac_build('{x,x,X}', '{1,1,3}', true, true)),
	(8, ac_build_bytea(ARRAY['\x00', '\xff', '\x5c', '\x22', 'NULL', '\x0a']::bytea[])),
	(9, ac_build_bytea(ARRAY['\x00', '\x00']::bytea[], '{5,5}', true)),
	(10, ac_build_bytea('{}', NULL, true)),
	(11, NULL),
	(12, (SELECT ac_build(array_agg('w' || i || E'"\\' ORDER BY i), array_agg(-i ORDER BY i), true) FROM generate_series(1, 5000) AS i));

CREATE TABLE back (way text, n int, a acautomaton);
-- by the text form
INSERT INTO back SELECT 'text', n, a::text::acautomaton FROM odd;
-- by COPY
\copy odd TO 'results/io.copy'
\copy back (n, a) FROM 'results/io.copy'
UPDATE back SET way = 'copy' WHERE way IS NULL;
\copy odd TO 'results/io.copy' WITH (FORMAT csv)
\copy back (n, a) FROM 'results/io.copy' WITH (FORMAT csv)
UPDATE back SET way = 'csv' WHERE way IS NULL;
\copy odd TO 'results/io.copy' WITH (FORMAT binary)
\copy back (n, a) FROM 'results/io.copy' WITH (FORMAT binary)
UPDATE back SET way = 'binary' WHERE way IS NULL;
-- by what pg_dump --inserts would write
DO $$
DECLARE
	r record;
BEGIN
	FOR r IN SELECT * FROM odd LOOP
		EXECUTE format('INSERT INTO back VALUES (%L, %s, %L)', 'insert', r.n, r.a::text);
	END LOOP;
END
$$;
SELECT way, count(*), count(*) FILTER (WHERE back.a = odd.a) AS equal,
	   count(*) FILTER (WHERE acautomaton_send(back.a) = acautomaton_send(odd.a)) AS same,
	   count(*) FILTER (WHERE back.a IS NULL AND odd.a IS NULL) AS nulls
FROM back JOIN odd USING (n) GROUP BY way ORDER BY way;

-- text in the client's encoding
TRUNCATE back;
CREATE TABLE latin (n int, a acautomaton);
INSERT INTO latin VALUES (1, '{é,ß,"ÿ x"}'), (2, '[bytea]{"\\xe9"}');
SET client_encoding = 'LATIN1';
\copy latin TO 'results/io.copy' WITH (FORMAT binary)
\copy back (n, a) FROM 'results/io.copy' WITH (FORMAT binary)
SELECT count(*) FILTER (WHERE back.a = latin.a) AS equal FROM back JOIN latin USING (n);
\set VERBOSITY sqlstate
\copy (SELECT ac_build(ARRAY[chr(7838)])) TO 'results/io.bad' WITH (FORMAT binary)
RESET client_encoding;
\set VERBOSITY default

-- what recv refuses: the message goes out as a large object and in by COPY
CREATE TABLE received (a acautomaton);
CREATE TEMP TABLE messages (lo oid);
CREATE FUNCTION pg_temp.message(body bytea) RETURNS oid LANGUAGE sql AS $$
	INSERT INTO messages
	SELECT lo_from_bytea(0, '\x5047434f50590aff0d0a0000000000000000000001'::bytea
						 || int4send(octet_length(body)) || body || '\xffff')
	RETURNING lo
$$;
SELECT pg_temp.message('\x0108000000020000000000000007000000000000000900000003666f6f0000000162') AS lo \gset
\lo_export :lo 'results/io.copy'
\copy received FROM 'results/io.copy' WITH (FORMAT binary)
SELECT pg_temp.message('\x010000000000') AS lo \gset
\lo_export :lo 'results/io.copy'
\copy received FROM 'results/io.copy' WITH (FORMAT binary)
TABLE received;

\set VERBOSITY sqlstate
\echo 'empty'
SELECT pg_temp.message('\x') AS lo \gset
\lo_export :lo 'results/io.bad'
\copy received FROM 'results/io.bad' WITH (FORMAT binary)
\echo 'unknown version'
SELECT pg_temp.message('\x020000000000') AS lo \gset
\lo_export :lo 'results/io.bad'
\copy received FROM 'results/io.bad' WITH (FORMAT binary)
\echo 'unknown flag'
SELECT pg_temp.message('\x011000000000') AS lo \gset
\lo_export :lo 'results/io.bad'
\copy received FROM 'results/io.bad' WITH (FORMAT binary)
\echo 'whole words of bytea'
SELECT pg_temp.message('\x010600000000') AS lo \gset
\lo_export :lo 'results/io.bad'
\copy received FROM 'results/io.bad' WITH (FORMAT binary)
\echo 'truncated flags'
SELECT pg_temp.message('\x01') AS lo \gset
\lo_export :lo 'results/io.bad'
\copy received FROM 'results/io.bad' WITH (FORMAT binary)
\echo 'truncated count'
SELECT pg_temp.message('\x01000000') AS lo \gset
\lo_export :lo 'results/io.bad'
\copy received FROM 'results/io.bad' WITH (FORMAT binary)
\echo 'truncated ids'
SELECT pg_temp.message('\x01080000000100000000') AS lo \gset
\lo_export :lo 'results/io.bad'
\copy received FROM 'results/io.bad' WITH (FORMAT binary)
\echo 'truncated pattern'
SELECT pg_temp.message('\x01000000000100000003666f') AS lo \gset
\lo_export :lo 'results/io.bad'
\copy received FROM 'results/io.bad' WITH (FORMAT binary)
\echo 'more patterns than there are'
SELECT pg_temp.message('\x01000010000000000003666f6f') AS lo \gset
\lo_export :lo 'results/io.bad'
\copy received FROM 'results/io.bad' WITH (FORMAT binary)
\echo 'impossible count'
SELECT pg_temp.message('\x01007fffffff00000003666f6f') AS lo \gset
\lo_export :lo 'results/io.bad'
\copy received FROM 'results/io.bad' WITH (FORMAT binary)
\echo 'negative count'
SELECT pg_temp.message('\x0100ffffffff00000003666f6f') AS lo \gset
\lo_export :lo 'results/io.bad'
\copy received FROM 'results/io.bad' WITH (FORMAT binary)
\echo 'long length'
SELECT pg_temp.message('\x0100000000017fffffff666f6f') AS lo \gset
\lo_export :lo 'results/io.bad'
\copy received FROM 'results/io.bad' WITH (FORMAT binary)
\echo 'negative length'
SELECT pg_temp.message('\x010000000001ffffffff666f6f') AS lo \gset
\lo_export :lo 'results/io.bad'
\copy received FROM 'results/io.bad' WITH (FORMAT binary)
\echo 'empty pattern'
SELECT pg_temp.message('\x0100000000020000000000000003666f6f') AS lo \gset
\lo_export :lo 'results/io.bad'
\copy received FROM 'results/io.bad' WITH (FORMAT binary)
\echo 'nothing but an empty pattern'
SELECT pg_temp.message('\x01000000000100000000') AS lo \gset
\lo_export :lo 'results/io.bad'
\copy received FROM 'results/io.bad' WITH (FORMAT binary)
\echo 'trailing bytes'
SELECT pg_temp.message('\x01000000000100000003666f6f00') AS lo \gset
\lo_export :lo 'results/io.bad'
\copy received FROM 'results/io.bad' WITH (FORMAT binary)
\echo 'invalid encoding'
SELECT pg_temp.message('\x0100000000010000000366ff6f') AS lo \gset
\lo_export :lo 'results/io.bad'
\copy received FROM 'results/io.bad' WITH (FORMAT binary)
\echo 'zero byte in text'
SELECT pg_temp.message('\x0100000000010000000366006f') AS lo \gset
\lo_export :lo 'results/io.bad'
\copy received FROM 'results/io.bad' WITH (FORMAT binary)
\echo 'untranslatable'
SELECT pg_temp.message('\x0100000000010000000366816f') AS lo \gset
\lo_export :lo 'results/io.bad'
SET client_encoding = 'WIN1252';
\copy received FROM 'results/io.bad' WITH (FORMAT binary)
RESET client_encoding;
\set VERBOSITY default
SELECT count(*) FROM received;

SELECT count(lo_unlink(lo)) FROM messages;
DROP TABLE odd, back, latin, received;
