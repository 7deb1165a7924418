/* sql/ac--1.0.sql */

-- complain if the script is sourced in psql rather than by CREATE EXTENSION
\echo Use "CREATE EXTENSION ac" to load this file. \quit

--
-- The type
--

CREATE TYPE acautomaton;

CREATE FUNCTION acautomaton_in(cstring) RETURNS acautomaton
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;

CREATE FUNCTION acautomaton_out(acautomaton) RETURNS cstring
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

CREATE FUNCTION acautomaton_recv(internal) RETURNS acautomaton
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;

CREATE FUNCTION acautomaton_send(acautomaton) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

CREATE TYPE acautomaton (
	INPUT = acautomaton_in,
	OUTPUT = acautomaton_out,
	RECEIVE = acautomaton_recv,
	SEND = acautomaton_send,
	INTERNALLENGTH = VARIABLE,
	ALIGNMENT = int4,
	STORAGE = external
);

COMMENT ON TYPE acautomaton IS 'compiled set of patterns that are searched for all at once';
COMMENT ON FUNCTION acautomaton_in(cstring) IS 'I/O';
COMMENT ON FUNCTION acautomaton_out(acautomaton) IS 'I/O';
COMMENT ON FUNCTION acautomaton_recv(internal) IS 'I/O';
COMMENT ON FUNCTION acautomaton_send(acautomaton) IS 'I/O';

--
-- Equality and hashing
--

CREATE FUNCTION acautomaton_eq(acautomaton, acautomaton) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION acautomaton_eq(acautomaton, acautomaton) IS 'implementation of = operator';

CREATE FUNCTION acautomaton_ne(acautomaton, acautomaton) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION acautomaton_ne(acautomaton, acautomaton) IS 'implementation of <> operator';

CREATE FUNCTION acautomaton_hash(acautomaton) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION acautomaton_hash(acautomaton) IS 'hash';

CREATE FUNCTION acautomaton_hash_extended(acautomaton, bigint) RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION acautomaton_hash_extended(acautomaton, bigint) IS 'hash with a seed';

CREATE OPERATOR = (
	LEFTARG = acautomaton,
	RIGHTARG = acautomaton,
	FUNCTION = acautomaton_eq,
	COMMUTATOR = =,
	NEGATOR = <>,
	RESTRICT = eqsel,
	JOIN = eqjoinsel,
	HASHES
);
COMMENT ON OPERATOR = (acautomaton, acautomaton) IS 'equal';

CREATE OPERATOR <> (
	LEFTARG = acautomaton,
	RIGHTARG = acautomaton,
	FUNCTION = acautomaton_ne,
	COMMUTATOR = <>,
	NEGATOR = =,
	RESTRICT = neqsel,
	JOIN = neqjoinsel
);
COMMENT ON OPERATOR <> (acautomaton, acautomaton) IS 'not equal';

CREATE OPERATOR FAMILY acautomaton_ops USING hash;
COMMENT ON OPERATOR FAMILY acautomaton_ops USING hash IS 'equality of automata';

CREATE OPERATOR CLASS acautomaton_ops
	DEFAULT FOR TYPE acautomaton USING hash FAMILY acautomaton_ops AS
	OPERATOR 1 =,
	FUNCTION 1 acautomaton_hash(acautomaton),
	FUNCTION 2 acautomaton_hash_extended(acautomaton, bigint);
COMMENT ON OPERATOR CLASS acautomaton_ops USING hash IS 'equality of automata';

--
-- Casts
--

CREATE FUNCTION acautomaton_from_text_array(text[]) RETURNS acautomaton
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
COMMENT ON FUNCTION acautomaton_from_text_array(text[]) IS 'compile the patterns of an array';

CREATE FUNCTION acautomaton_to_text_array(acautomaton) RETURNS text[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION acautomaton_to_text_array(acautomaton) IS 'patterns of a text automaton as they were given';

CREATE FUNCTION acautomaton_to_bytea_array(acautomaton) RETURNS bytea[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION acautomaton_to_bytea_array(acautomaton) IS 'patterns of a bytea automaton as they were given';

CREATE CAST (text[] AS acautomaton)
	WITH FUNCTION acautomaton_from_text_array(text[]);
COMMENT ON CAST (text[] AS acautomaton) IS 'compile the patterns of an array';

CREATE CAST (acautomaton AS text[])
	WITH FUNCTION acautomaton_to_text_array(acautomaton);
COMMENT ON CAST (acautomaton AS text[]) IS 'patterns of a text automaton as they were given';

CREATE CAST (acautomaton AS bytea[])
	WITH FUNCTION acautomaton_to_bytea_array(acautomaton);
COMMENT ON CAST (acautomaton AS bytea[]) IS 'patterns of a bytea automaton as they were given';

--
-- Building
--

CREATE FUNCTION ac_build(patterns text[], ids bigint[] DEFAULT NULL,
						 ignore_case boolean DEFAULT false,
						 whole_words boolean DEFAULT false)
	RETURNS acautomaton
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;
COMMENT ON FUNCTION ac_build(text[], bigint[], boolean, boolean) IS 'compile patterns of text';

CREATE FUNCTION ac_build_bytea(patterns bytea[], ids bigint[] DEFAULT NULL,
							   ignore_case boolean DEFAULT false)
	RETURNS acautomaton
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;
COMMENT ON FUNCTION ac_build_bytea(bytea[], bigint[], boolean) IS 'compile patterns of bytes';

CREATE FUNCTION ac_agg_transfn(internal, text) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ac_agg_transfn(internal, text) IS 'aggregate transition function';

CREATE FUNCTION ac_agg_id_transfn(internal, text, bigint) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
COMMENT ON FUNCTION ac_agg_id_transfn(internal, text, bigint) IS 'aggregate transition function';

CREATE FUNCTION ac_agg_finalfn(internal) RETURNS acautomaton
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;
COMMENT ON FUNCTION ac_agg_finalfn(internal) IS 'aggregate final function';

CREATE AGGREGATE ac_agg(pattern text) (
	SFUNC = ac_agg_transfn,
	STYPE = internal,
	FINALFUNC = ac_agg_finalfn,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE ac_agg(text) IS 'compile patterns of text, numbered in the order of the input';

CREATE AGGREGATE ac_agg(pattern text, id bigint) (
	SFUNC = ac_agg_id_transfn,
	STYPE = internal,
	FINALFUNC = ac_agg_finalfn,
	PARALLEL = SAFE
);
COMMENT ON AGGREGATE ac_agg(text, bigint) IS 'compile patterns of text under the ids given';

--
-- Set operations
--

CREATE FUNCTION ac_union(rules acautomaton, other acautomaton) RETURNS acautomaton
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
COMMENT ON FUNCTION ac_union(acautomaton, acautomaton) IS 'patterns of both automata';

CREATE FUNCTION ac_add(rules acautomaton, patterns text[],
					   ids bigint[] DEFAULT NULL)
	RETURNS acautomaton
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;
COMMENT ON FUNCTION ac_add(acautomaton, text[], bigint[]) IS 'automaton with more patterns';

CREATE FUNCTION ac_remove(rules acautomaton, patterns text[]) RETURNS acautomaton
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
COMMENT ON FUNCTION ac_remove(acautomaton, text[]) IS 'automaton without these patterns';

CREATE FUNCTION ac_remove_ids(rules acautomaton, ids bigint[]) RETURNS acautomaton
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
COMMENT ON FUNCTION ac_remove_ids(acautomaton, bigint[]) IS 'automaton without the patterns under these ids';

--
-- Looking inside
--

CREATE FUNCTION ac_info(rules acautomaton,
						OUT patterns integer, OUT states integer,
						OUT image_bytes bigint, OUT pattern_bytes bigint,
						OUT min_len integer, OUT max_len integer,
						OUT ignore_case boolean, OUT whole_words boolean,
						OUT is_bytea boolean, OUT format integer)
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
COMMENT ON FUNCTION ac_info(acautomaton) IS 'sizes and options of an automaton';

CREATE FUNCTION ac_patterns(rules acautomaton, OUT id bigint, OUT pattern text)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	ROWS 1000;
COMMENT ON FUNCTION ac_patterns(acautomaton) IS 'patterns and ids in the order given';

CREATE FUNCTION ac_dot(rules acautomaton) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
COMMENT ON FUNCTION ac_dot(acautomaton) IS 'picture of an automaton for Graphviz';

--
-- Matching
--

--
-- Replacing
--

--
-- Cache
--
