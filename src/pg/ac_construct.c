/*
 * ac_construct.c
 *		ac_build, ac_build_bytea and the aggregate ac_agg.
 *
 * ac_build is not strict, because a null "ids" means the default while null
 * patterns give null.  ac_agg keeps one AcRuleSet in the memory of the
 * aggregate: a pool that grows, no allocation a row.  The final function only
 * reads it, so that ac_agg works as a window function too.
 */
#include "ac_rules.h"

PG_FUNCTION_INFO_V1(ac_build);
PG_FUNCTION_INFO_V1(ac_build_bytea);
PG_FUNCTION_INFO_V1(ac_agg_transfn);
PG_FUNCTION_INFO_V1(ac_agg_id_transfn);
PG_FUNCTION_INFO_V1(ac_agg_finalfn);

/* ---------- from arrays ---------- */

static bool
get_option(FunctionCallInfo fcinfo, int argno, const char *name)
{
	if (PG_ARGISNULL(argno))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("option \"%s\" must not be null", name)));
	return PG_GETARG_BOOL(argno);
}

/* Builds from the patterns and ids that are the first two arguments. */
static Datum
build(FunctionCallInfo fcinfo, uint32 options)
{
	AcRuleSet	rules;
	const int64 *ids = NULL;
	uint32		nids = 0;

	if (!PG_ARGISNULL(1))
		ids = ac_ids_from_array(PG_GETARG_ARRAYTYPE_P(1), &nids);
	ac_rules_init(&rules, options, CurrentMemoryContext);
	ac_rules_add_array(&rules, PG_GETARG_ARRAYTYPE_P(0), ids, nids);
	return ac_rules_build(&rules);
}

Datum
ac_build(PG_FUNCTION_ARGS)
{
	bool		ignore_case;
	bool		whole_words;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	ignore_case = get_option(fcinfo, 2, "ignore_case");
	whole_words = get_option(fcinfo, 3, "whole_words");
	PG_RETURN_DATUM(build(fcinfo,
						  ac_options(false, ignore_case, whole_words)));
}

Datum
ac_build_bytea(PG_FUNCTION_ARGS)
{
	bool		ignore_case;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	ignore_case = get_option(fcinfo, 2, "ignore_case");
	PG_RETURN_DATUM(build(fcinfo, ac_options(true, ignore_case, false)));
}

/* ---------- from rows ---------- */

typedef struct AggState
{
	AcRuleSet	rules;
	int64		row;			/* input rows so far, skipped ones too */
} AggState;

static AggState *
get_state(FunctionCallInfo fcinfo)
{
	MemoryContext context;
	AggState   *state;

	if (!AggCheckCallContext(fcinfo, &context))
		elog(ERROR, "aggregate function called in non-aggregate context");
	if (!PG_ARGISNULL(0))
		return (AggState *) PG_GETARG_POINTER(0);

	state = MemoryContextAllocZero(context, sizeof(AggState));
	ac_rules_init(&state->rules, ac_options(false, false, false), context);
	state->rules.by_row = true;
	return state;
}

/* Takes the pattern of a row, which is argument 1, under an id. */
static void
add_row(FunctionCallInfo fcinfo, AggState *state, int64 id)
{
	text	   *pattern = PG_GETARG_TEXT_PP(1);

	ac_rules_add(&state->rules, VARDATA_ANY(pattern),
				 VARSIZE_ANY_EXHDR(pattern), id, state->row);
	PG_FREE_IF_COPY(pattern, 1);
}

Datum
ac_agg_transfn(PG_FUNCTION_ARGS)
{
	AggState   *state = get_state(fcinfo);

	state->row++;
	if (!PG_ARGISNULL(1))
		add_row(fcinfo, state, (int64) state->rules.count + 1);
	PG_RETURN_POINTER(state);
}

Datum
ac_agg_id_transfn(PG_FUNCTION_ARGS)
{
	AggState   *state = get_state(fcinfo);

	state->row++;
	if (!PG_ARGISNULL(1))
	{
		if (PG_ARGISNULL(2))
			ac_error_null(&state->rules, "id", state->row);
		add_row(fcinfo, state, PG_GETARG_INT64(2));
	}
	PG_RETURN_POINTER(state);
}

Datum
ac_agg_finalfn(PG_FUNCTION_ARGS)
{
	AggState   *state;

	if (!AggCheckCallContext(fcinfo, NULL))
		elog(ERROR, "aggregate function called in non-aggregate context");
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	state = (AggState *) PG_GETARG_POINTER(0);
	if (state->rules.count == 0)
		PG_RETURN_NULL();
	PG_RETURN_DATUM(ac_rules_build(&state->rules));
}
