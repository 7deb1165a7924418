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

CREATE FUNCTION ac_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION ac_support(internal) IS 'planner support: costs and rows of matching';

CREATE FUNCTION ac_matches(rules acautomaton, body text,
						   kind text DEFAULT 'all',
						   OUT pos integer, OUT len integer)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5 ROWS 10
	SUPPORT ac_support;
COMMENT ON FUNCTION ac_matches(acautomaton, text, text) IS 'places where any pattern matches';

CREATE FUNCTION ac_matches(rules acautomaton, body bytea,
						   kind text DEFAULT 'all',
						   OUT pos integer, OUT len integer)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'ac_matches_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5 ROWS 10
	SUPPORT ac_support;
COMMENT ON FUNCTION ac_matches(acautomaton, bytea, text) IS 'places where any pattern matches';

CREATE FUNCTION ac_find(rules acautomaton, body text,
						kind text DEFAULT 'all',
						OUT pos integer, OUT len integer,
						OUT id bigint, OUT pattern text)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5 ROWS 10
	SUPPORT ac_support;
COMMENT ON FUNCTION ac_find(acautomaton, text, text) IS 'places where patterns match, and which do';

CREATE FUNCTION ac_find(rules acautomaton, body bytea,
						kind text DEFAULT 'all',
						OUT pos integer, OUT len integer,
						OUT id bigint, OUT pattern text)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'ac_find_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5 ROWS 10
	SUPPORT ac_support;
COMMENT ON FUNCTION ac_find(acautomaton, bytea, text) IS 'places where patterns match, and which do';

CREATE FUNCTION ac_contains(rules acautomaton, body text)
	RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5
	SUPPORT ac_support;
COMMENT ON FUNCTION ac_contains(acautomaton, text) IS 'whether any pattern matches';

CREATE FUNCTION ac_contains(rules acautomaton, body bytea)
	RETURNS boolean
	AS 'MODULE_PATHNAME', 'ac_contains_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5
	SUPPORT ac_support;
COMMENT ON FUNCTION ac_contains(acautomaton, bytea) IS 'whether any pattern matches';

CREATE FUNCTION ac_contained(body text, rules acautomaton)
	RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5
	SUPPORT ac_support;
COMMENT ON FUNCTION ac_contained(text, acautomaton) IS 'implementation of @~ operator';

CREATE FUNCTION ac_contained(body bytea, rules acautomaton)
	RETURNS boolean
	AS 'MODULE_PATHNAME', 'ac_contained_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5
	SUPPORT ac_support;
COMMENT ON FUNCTION ac_contained(bytea, acautomaton) IS 'implementation of @~ operator';

CREATE OPERATOR @~ (
	LEFTARG = text,
	RIGHTARG = acautomaton,
	FUNCTION = ac_contained,
	COMMUTATOR = ~@ ,
	RESTRICT = matchingsel,
	JOIN = matchingjoinsel
);
COMMENT ON OPERATOR @~ (text, acautomaton) IS 'any pattern matches';

CREATE OPERATOR ~@ (
	LEFTARG = acautomaton,
	RIGHTARG = text,
	FUNCTION = ac_contains,
	COMMUTATOR = @~ ,
	RESTRICT = matchingsel,
	JOIN = matchingjoinsel
);
COMMENT ON OPERATOR ~@ (acautomaton, text) IS 'any pattern matches';

CREATE OPERATOR @~ (
	LEFTARG = bytea,
	RIGHTARG = acautomaton,
	FUNCTION = ac_contained,
	COMMUTATOR = ~@ ,
	RESTRICT = matchingsel,
	JOIN = matchingjoinsel
);
COMMENT ON OPERATOR @~ (bytea, acautomaton) IS 'any pattern matches';

CREATE OPERATOR ~@ (
	LEFTARG = acautomaton,
	RIGHTARG = bytea,
	FUNCTION = ac_contains,
	COMMUTATOR = @~ ,
	RESTRICT = matchingsel,
	JOIN = matchingjoinsel
);
COMMENT ON OPERATOR ~@ (acautomaton, bytea) IS 'any pattern matches';

CREATE FUNCTION ac_count(rules acautomaton, body text,
						 kind text DEFAULT 'all')
	RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5
	SUPPORT ac_support;
COMMENT ON FUNCTION ac_count(acautomaton, text, text) IS 'number of matches';

CREATE FUNCTION ac_count(rules acautomaton, body bytea,
						 kind text DEFAULT 'all')
	RETURNS bigint
	AS 'MODULE_PATHNAME', 'ac_count_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5
	SUPPORT ac_support;
COMMENT ON FUNCTION ac_count(acautomaton, bytea, text) IS 'number of matches';

CREATE FUNCTION ac_instr(rules acautomaton, body text)
	RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5
	SUPPORT ac_support;
COMMENT ON FUNCTION ac_instr(acautomaton, text) IS 'smallest position of a match, 0 if there is none';

CREATE FUNCTION ac_instr(rules acautomaton, body bytea)
	RETURNS integer
	AS 'MODULE_PATHNAME', 'ac_instr_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5
	SUPPORT ac_support;
COMMENT ON FUNCTION ac_instr(acautomaton, bytea) IS 'smallest position of a match, 0 if there is none';

CREATE FUNCTION ac_ids(rules acautomaton, body text)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5
	SUPPORT ac_support;
COMMENT ON FUNCTION ac_ids(acautomaton, text) IS 'ids of the patterns that match, sorted';

CREATE FUNCTION ac_ids(rules acautomaton, body bytea)
	RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'ac_ids_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5
	SUPPORT ac_support;
COMMENT ON FUNCTION ac_ids(acautomaton, bytea) IS 'ids of the patterns that match, sorted';

CREATE FUNCTION ac_found(rules acautomaton, body text)
	RETURNS text[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5
	SUPPORT ac_support;
COMMENT ON FUNCTION ac_found(acautomaton, text) IS 'patterns that match, in the order given';

CREATE FUNCTION ac_found(rules acautomaton, body bytea)
	RETURNS text[]
	AS 'MODULE_PATHNAME', 'ac_found_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5
	SUPPORT ac_support;
COMMENT ON FUNCTION ac_found(acautomaton, bytea) IS 'patterns that match, in the order given';

--
-- Replacing
--

CREATE FUNCTION ac_replace(rules acautomaton, body text, replacement text,
						   kind text DEFAULT 'leftmost-longest')
	RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5
	SUPPORT ac_support;
COMMENT ON FUNCTION ac_replace(acautomaton, text, text, text) IS 'body with every match replaced by one text';

CREATE FUNCTION ac_replace_each(rules acautomaton, body text, replacements text[],
								kind text DEFAULT 'leftmost-longest')
	RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5
	SUPPORT ac_support;
COMMENT ON FUNCTION ac_replace_each(acautomaton, text, text[], text) IS 'body with every match replaced by the text for its pattern';

CREATE FUNCTION ac_mask(rules acautomaton, body text,
						mask text DEFAULT '*')
	RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5
	SUPPORT ac_support;
COMMENT ON FUNCTION ac_mask(acautomaton, text, text) IS 'body with every character of a match masked';

CREATE FUNCTION ac_highlight(rules acautomaton, body text,
							 start_sel text DEFAULT '<b>',
							 stop_sel text DEFAULT '</b>',
							 escape_html boolean DEFAULT false)
	RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 5
	SUPPORT ac_support;
COMMENT ON FUNCTION ac_highlight(acautomaton, text, text, text, boolean) IS 'body with every match between two marks';

--
-- Cache
--

CREATE FUNCTION ac_cache(OUT source text, OUT patterns integer,
						 OUT image_bytes bigint, OUT memory_bytes bigint,
						 OUT hits bigint, OUT last_used timestamptz)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED ROWS 10;
COMMENT ON FUNCTION ac_cache() IS 'automata that this backend keeps in memory';

CREATE FUNCTION ac_cache_stats(OUT limit_bytes bigint, OUT hits bigint,
							   OUT misses bigint, OUT evictions bigint,
							   OUT detoasts bigint)
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION ac_cache_stats() IS 'counters of this backend''s cache of automata';

CREATE FUNCTION ac_cache_reset() RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
COMMENT ON FUNCTION ac_cache_reset() IS 'empty this backend''s cache of automata and its counters';
