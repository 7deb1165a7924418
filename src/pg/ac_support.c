/*
 * ac_support.c
 *		What the planner should know: how long matching takes, and how many
 *		rows ac_matches and ac_find return.
 *
 * Time grows with the length of the body and does not depend on the number
 * of patterns, so the width of the body is all that is asked for.  Statistics
 * know how wide a column is inside its row; of values out of line they see
 * the TOAST pointer alone.  Their share is estimated from the size of the TOAST
 * table, as if it held nothing but bodies:
 *
 *		width = average width in the row + bytes of the TOAST table / rows
 *
 * This is what makes a scan of a few thousand long documents look as expensive
 * as it is, and worth parallel workers.
 *
 * A match a kilobyte is a guess; that a constant body has its own length is
 * known.  Selectivity is left to matchingsel.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "access/htup_details.h"
#include "access/relation.h"
#include "catalog/pg_class.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "storage/bufmgr.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/selfuncs.h"
#include "utils/syscache.h"

#include "ac_pg.h"

PG_FUNCTION_INFO_V1(ac_support);

/* Bytes that are matched in the time of one operator call. */
#define BYTES_PER_OPERATOR	32.0

/* The cost of a call besides. */
#define OPERATORS_PER_CALL	2.0

/* One row of ac_matches for so many bytes of body, and one at least. */
#define BYTES_PER_ROW		1024.0

/* Bytes out of line for each of so many rows of a relation. */
static double
toasted_width(Oid relid, double rows)
{
	Oid			toast = InvalidOid;
	double		bytes;
	HeapTuple	tuple;
	Relation	relation;

	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	if (HeapTupleIsValid(tuple))
	{
		Form_pg_class class = (Form_pg_class) GETSTRUCT(tuple);

		toast = class->reltoastrelid;
		if (rows < 1)
			rows = class->reltuples;
		ReleaseSysCache(tuple);
	}
	if (!OidIsValid(toast) || rows < 1)
		return 0;
	relation = try_relation_open(toast, AccessShareLock);
	if (relation == NULL)
		return 0;
	bytes = (double) RelationGetNumberOfBlocks(relation) * BLCKSZ;
	relation_close(relation, AccessShareLock);
	return bytes / rows;
}

/*
 * The width of a column of a relation that the planner has looked at, which
 * may be a subquery; not positive if unknown.
 */
static double
known_width(PlannerInfo *root, Var *var)
{
	VariableStatData stats;
	RangeTblEntry *rte = planner_rt_fetch(var->varno, root);
	double		width = 0;

	examine_variable(root, (Node *) var, 0, &stats);
	if (HeapTupleIsValid(stats.statsTuple))
		width = ((Form_pg_statistic) GETSTRUCT(stats.statsTuple))->stawidth;
	if (rte->rtekind == RTE_RELATION && stats.rel != NULL)
		width += toasted_width(rte->relid, stats.rel->tuples);
	ReleaseVariableStats(stats);
	return width;
}

/*
 * The same before it has looked at any: some versions ask early for the costs
 * of aggregates.
 */
static double
unknown_width(PlannerInfo *root, Var *var)
{
	List	   *rtable = root->parse->rtable;
	RangeTblEntry *rte;

	if (var->varno < 1 || (int) var->varno > list_length(rtable))
		return 0;
	rte = rt_fetch(var->varno, rtable);
	if (rte->rtekind != RTE_RELATION)
		return 0;
	return get_attavgwidth(rte->relid, var->varattno) +
		toasted_width(rte->relid, 0);
}

static double
column_width(PlannerInfo *root, Var *var)
{
	if (root == NULL || var->varlevelsup != 0)
		return 0;
	if (root->simple_rel_array != NULL &&
		(int) var->varno < root->simple_rel_array_size &&
		root->simple_rel_array[var->varno] != NULL)
		return known_width(root, var);
	return unknown_width(root, var);
}

/* The average length of an expression's values. */
static double
expression_width(PlannerInfo *root, Node *node)
{
	double		width = 0;

	while (IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	if (IsA(node, Const))
		return ((Const *) node)->constisnull ? 0 :
			toast_raw_datum_size(((Const *) node)->constvalue);
	if (IsA(node, Var))
		width = column_width(root, (Var *) node);
	return width > 0 ? width :
		get_typavgwidth(exprType(node), exprTypmod(node));
}

/* The average length of the body among the arguments; negative if unknown. */
static double
body_width(PlannerInfo *root, Node *call)
{
	List	   *args = NIL;
	ListCell   *cell;

	if (call != NULL && IsA(call, FuncExpr))
		args = ((FuncExpr *) call)->args;
	else if (call != NULL && IsA(call, OpExpr))
		args = ((OpExpr *) call)->args;
	foreach(cell, args)
	{
		Node	   *arg = (Node *) lfirst(cell);
		Oid			type = exprType(arg);

		if (type == TEXTOID || type == BYTEAOID)
			return expression_width(root, arg);
	}
	return -1;
}

Datum
ac_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);
	double		width;

	if (IsA(request, SupportRequestCost))
	{
		SupportRequestCost *cost = (SupportRequestCost *) request;

		width = body_width(cost->root, cost->node);
		if (width < 0)
			PG_RETURN_POINTER(NULL);
		cost->startup = 0;
		cost->per_tuple = cpu_operator_cost *
			(OPERATORS_PER_CALL + width / BYTES_PER_OPERATOR);
		PG_RETURN_POINTER(request);
	}
	if (IsA(request, SupportRequestRows))
	{
		SupportRequestRows *rows = (SupportRequestRows *) request;

		width = body_width(rows->root, rows->node);
		if (width < 0)
			PG_RETURN_POINTER(NULL);
		rows->rows = 1 + width / BYTES_PER_ROW;
		PG_RETURN_POINTER(request);
	}
	PG_RETURN_POINTER(NULL);
}
