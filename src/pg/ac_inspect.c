/*
 * ac_inspect.c
 *		ac_info, ac_patterns and ac_dot.
 *
 * ac_info reads the header of the image alone, so it costs the same whatever
 * the size of the value.  ac_patterns returns a row a call: the rules are read
 * back once, at the first call.
 *
 * ac_dot draws the automaton of {ab,b} like this:
 *
 *		digraph acautomaton {
 *			rankdir=LR;
 *			node [shape=circle];
 *			0 [label="0"];
 *			1 [label="1"];
 *			2 [label="2\n1", shape=doublecircle];
 *			3 [label="3\n2", shape=doublecircle];
 *			0 -> 1 [label="a"];
 *			1 -> 0 [style=dashed, constraint=false];
 *			...
 *
 * States are numbered in preorder of the trie and show the ids of the patterns
 * that end there.  A state where only a suffix is a pattern is marked too.
 */
#include "ac_pg.h"

#include "funcapi.h"
#include "lib/stringinfo.h"
#include "utils/builtins.h"

#include "ac_cache.h"
#include "ac_image.h"
#include "ac_rules.h"

/* More states make no picture that anybody could read. */
#define MAX_DOT_STATES	2000

PG_FUNCTION_INFO_V1(ac_info);
PG_FUNCTION_INFO_V1(ac_patterns);
PG_FUNCTION_INFO_V1(ac_dot);

static TupleDesc
result_row(FunctionCallInfo fcinfo)
{
	TupleDesc	desc;

	if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	return BlessTupleDesc(desc);
}

Datum
ac_info(PG_FUNCTION_ARGS)
{
	AcInfo		info;
	Datum		values[10];
	bool		nulls[10] = {false};

	ac_peek_datum(PG_GETARG_DATUM(0), &info);
	values[0] = Int32GetDatum((int32) info.patterns);
	values[1] = Int32GetDatum((int32) info.states);
	values[2] = Int64GetDatum((int64) info.image_bytes);
	values[3] = Int64GetDatum((int64) info.pattern_bytes);
	values[4] = Int32GetDatum((int32) info.min_len);
	values[5] = Int32GetDatum((int32) info.max_len);
	values[6] = BoolGetDatum((info.options & AC_FOLD_MASK) != 0);
	values[7] = BoolGetDatum((info.options & AC_WORDS_MASK) != 0);
	values[8] = BoolGetDatum((info.options & AC_BYTEA) != 0);
	values[9] = Int32GetDatum((int32) info.format);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(result_row(fcinfo),
													  values, nulls)));
}

/* ---------- ac_patterns ---------- */

/*
 * Reads the rules of a value without the cache, whose place in fn_extra the
 * state of a set-returning function needs.
 */
static AcRules *
read_rules(Datum datum)
{
	struct varlena *value = PG_DETOAST_DATUM_PACKED(datum);
	const void *image = VARDATA_ANY(value);
	size_t		size = VARSIZE_ANY_EXHDR(value);
	AcRules    *rules = palloc(sizeof(AcRules));
	AcAutomaton automaton;
	AcHost		host;
	AcInfo		info;

	ac_peek_datum(datum, &info);
	ac_host_init(&host, CurrentMemoryContext);
	ac_check(acore_verify(image, size, &host));
	ac_check(acore_open(image, size, &host, &automaton));
	ac_extract(&automaton, rules);
	acore_close(&automaton);
	if ((Pointer) value != DatumGetPointer(datum))
		pfree(value);
	return rules;
}

Datum
ac_patterns(PG_FUNCTION_ARGS)
{
	FuncCallContext *call;
	const AcRules *rules;
	uint64		i;
	Datum		values[2];
	bool		nulls[2] = {false};

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext caller;

		call = SRF_FIRSTCALL_INIT();
		caller = MemoryContextSwitchTo(call->multi_call_memory_ctx);
		call->tuple_desc = result_row(fcinfo);
		call->user_fctx = read_rules(PG_GETARG_DATUM(0));
		MemoryContextSwitchTo(caller);
	}
	call = SRF_PERCALL_SETUP();
	rules = call->user_fctx;
	i = call->call_cntr;
	if (i >= rules->count)
		SRF_RETURN_DONE(call);

	values[0] = Int64GetDatum(rules->ids != NULL ? rules->ids[i] :
							  (int64) i + 1);
	values[1] = ac_pattern_datum(rules->options,
								 rules->pool + rules->offsets[i],
								 rules->offsets[i + 1] - rules->offsets[i]);
	SRF_RETURN_NEXT(call,
					HeapTupleGetDatum(heap_form_tuple(call->tuple_desc,
													  values, nulls)));
}

/* ---------- ac_dot ---------- */

/* The byte that leads to a state, as a label; not all are characters. */
static void
dot_byte(StringInfo out, uint8 byte)
{
	if (byte == '"' || byte == '\\')
		appendStringInfo(out, "\\%c", byte);
	else if (byte > ' ' && byte < 0x7f)
		appendStringInfoChar(out, (char) byte);
	else
		appendStringInfo(out, "\\\\x%02x", byte);
}

static void
dot_state(StringInfo out, const AcAutomaton *automaton, uint32 state)
{
	const AcImage *image = automaton->image;
	bool		terminal = ac_is_terminal(image, state);

	appendStringInfo(out, "\t%u [label=\"%u", state, state);
	if (terminal)
	{
		uint32		slot;
		uint32		n = acore_key_slots(automaton, ac_node_key(image, state),
										&slot);
		uint32		i;

		for (i = 0; i < n; i++)
			appendStringInfo(out, "%s%lld", i == 0 ? "\\n" : ",",
							 (long long) acore_entry_id(automaton,
														acore_slot_entry(automaton, slot + i)));
	}
	appendStringInfo(out, "\"%s];\n",
					 terminal || ac_output(image, state) != 0 ?
					 ", shape=doublecircle" : "");
}

/*
 * The edge to each state and the failure link from it.  In preorder the
 * parent of a state is the last one before it that is less deep by one.
 */
static void
dot_edges(StringInfo out, const AcImage *image)
{
	uint32	   *path = palloc(image->states * sizeof(uint32));
	uint32		state;

	path[0] = 0;
	for (state = 1; state < image->states; state++)
	{
		uint32		depth = ac_depth(image, state);

		path[depth] = state;
		appendStringInfo(out, "\t%u -> %u [label=\"", path[depth - 1], state);
		dot_byte(out, image->alphabet[ac_label(image, state)]);
		appendStringInfo(out, "\"];\n\t%u -> %u [style=dashed, constraint=false];\n",
						 state, ac_fail(image, state));
	}
	pfree(path);
}

Datum
ac_dot(PG_FUNCTION_ARGS)
{
	const AcAutomaton *automaton = ac_get_automaton(fcinfo, 0);
	uint32		states = automaton->info.states;
	StringInfoData out;
	uint32		state;

	if (states > MAX_DOT_STATES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("acautomaton has too many states to draw"),
				 errdetail("It has %u states; the limit is %d.",
						   states, MAX_DOT_STATES),
				 errhint("Draw an automaton of fewer or shorter patterns.")));

	initStringInfo(&out);
	appendStringInfoString(&out, "digraph acautomaton {\n"
						   "\trankdir=LR;\n"
						   "\tnode [shape=circle];\n");
	for (state = 0; state < states; state++)
		dot_state(&out, automaton, state);
	dot_edges(&out, automaton->image);
	appendStringInfoString(&out, "}\n");
	PG_RETURN_TEXT_P(cstring_to_text_with_len(out.data, out.len));
}
