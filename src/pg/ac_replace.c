/*
 * ac_replace.c
 *		Bodies rewritten: ac_replace, ac_replace_each, ac_mask, ac_highlight.
 *
 * All four walk the pieces of the body (ac_pieces.c) twice, counting and then
 * writing, so the result is allocated once and has its final size.  A body
 * without a piece is returned as it arrived, even as a TOAST pointer.
 *
 *		ac_replace('{he,she}', 'she said', 'they')
 *			pieces	[0,3)		kind leftmost-longest
 *			size	8 - 3 + 4
 *			result	"they" " said"
 */
#include "postgres.h"

#include "access/detoast.h"
#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "nodes/primnodes.h"
#include "utils/builtins.h"

#include "ac_pieces.h"
#include "ac_rules.h"

PG_FUNCTION_INFO_V1(ac_replace);
PG_FUNCTION_INFO_V1(ac_replace_each);
PG_FUNCTION_INFO_V1(ac_mask);
PG_FUNCTION_INFO_V1(ac_highlight);

/* ---------- writing ---------- */

/* A text of so many bytes, to be filled. */
static text *
new_text(uint64 size)
{
	text	   *result;

	if (size > AC_MAX_DATUM - VARHDRSZ)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("result of replacing is too large"),
				 errdetail("It would have " UINT64_FORMAT " bytes; the limit is 1 GB.",
						   size)));
	result = (text *) palloc(size + VARHDRSZ);
	SET_VARSIZE(result, size + VARHDRSZ);
	return result;
}

static inline char *
put(char *out, const void *data, size_t size)
{
	memcpy(out, data, size);
	return out + size;
}

static AcKind
leftmost_kind_arg(FunctionCallInfo fcinfo, int argno)
{
	AcKind		kind = ac_kind_arg(fcinfo, argno);

	if (kind == AC_ALL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("matches of kind \"all\" cannot be replaced, since they may overlap"),
				 errhint("Use \"leftmost-longest\" or \"leftmost-first\".")));
	return kind;
}

/* ---------- ac_replace ---------- */

Datum
ac_replace(PG_FUNCTION_ARGS)
{
	text	   *by = PG_GETARG_TEXT_PP(2);
	size_t		by_size = VARSIZE_ANY_EXHDR(by);
	AcPieces	pieces;
	AcPiece		piece;
	uint64		size;
	size_t		done = 0;
	const uint8 *body;
	text	   *result;
	char	   *out;

	ac_pieces_start(&pieces, fcinfo, leftmost_kind_arg(fcinfo, 3));
	size = pieces.scan.body.size;
	while (ac_pieces_next(&pieces, &piece))
		size = size - (piece.end - piece.start) + by_size;
	if (pieces.count == 0)
	{
		ac_pieces_end(&pieces);
		PG_RETURN_DATUM(PG_GETARG_DATUM(1));
	}
	result = new_text(size);
	out = VARDATA(result);
	body = ac_pieces_again(&pieces);
	while (ac_pieces_next(&pieces, &piece))
	{
		out = put(out, body + done, piece.start - done);
		out = put(out, VARDATA_ANY(by), by_size);
		done = piece.end;
	}
	put(out, body + done, pieces.scan.body.size - done);
	ac_pieces_end(&pieces);
	PG_RETURN_TEXT_P(result);
}

/* ---------- ac_replace_each ---------- */

/*
 * The replacements of a call site, one an entry.  Taking an array of thousands
 * apart costs more than a row, so this is done again only when the array has
 * changed: a constant never does, a TOAST pointer not while its bytes stay the
 * same within a statement, else the contents are compared.
 */
typedef struct Replacements
{
	MemoryContext context;		/* of the rest; NULL before the first call */
	bool		constant;
	TimestampTz statement;
	uint8		pointer[AC_POINTER_SIZE];	/* zero if the array was inline */
	ArrayType  *array;			/* copy; NULL while not valid */
	uint32		count;
	AcSpan	   *spans;			/* of the elements, in the copy */
} Replacements;

static bool
argument_is_constant(FunctionCallInfo fcinfo, int argno)
{
	Node	   *call = fcinfo->flinfo != NULL ? fcinfo->flinfo->fn_expr : NULL;

	return call != NULL && IsA(call, FuncExpr) &&
		argno < list_length(((FuncExpr *) call)->args) &&
		IsA(list_nth(((FuncExpr *) call)->args, argno), Const);
}

static void
replacements_parse(Replacements *replacements)
{
	ArrayType  *array = replacements->array;
	uint32		count = ac_check_array(array, "replacements");
	AcArrayWalk walk;
	uint32		i;

	replacements->spans = (AcSpan *)
		MemoryContextAllocExtended(replacements->context,
								   Max(count, 1) * sizeof(AcSpan),
								   MCXT_ALLOC_HUGE);
	ac_array_start(&walk, array);
	for (i = 0; i < count; i++)
	{
		struct varlena *element = ac_array_next(&walk);

		if (element == NULL)
			ac_error_null(NULL, "replacement", walk.subscript);
		replacements->spans[i].data = VARDATA_ANY(element);
		replacements->spans[i].size = VARSIZE_ANY_EXHDR(element);
	}
	replacements->count = count;
}

/* Takes an array apart and remembers it. */
static void
replacements_set(Replacements *replacements, const struct varlena *arrived,
				 const ArrayType *array)
{
	MemoryContextReset(replacements->context);
	replacements->array = (ArrayType *)
		MemoryContextAlloc(replacements->context, VARSIZE(array));
	memcpy(replacements->array, array, VARSIZE(array));
	PG_TRY();
	{
		replacements_parse(replacements);
	}
	PG_CATCH();
	{
		replacements->array = NULL;
		PG_RE_THROW();
	}
	PG_END_TRY();
	memset(replacements->pointer, 0, AC_POINTER_SIZE);
	if (VARATT_IS_EXTERNAL_ONDISK(arrived))
		memcpy(replacements->pointer, arrived, AC_POINTER_SIZE);
	replacements->statement = GetCurrentStatementStartTimestamp();
}

static Replacements *
replacements_get(FunctionCallInfo fcinfo, int argno)
{
	AcPieceRoom *room = ac_pieces_room(fcinfo);
	Replacements *replacements = (Replacements *) room->extra;
	struct varlena *arrived = (struct varlena *)
	DatumGetPointer(PG_GETARG_DATUM(argno));
	ArrayType  *array;

	if (replacements == NULL)
	{
		replacements = (Replacements *)
			MemoryContextAllocZero(room->context, sizeof(Replacements));
		replacements->context = AllocSetContextCreate(room->context,
													  "ac replacements",
													  ALLOCSET_SMALL_SIZES);
		replacements->constant = argument_is_constant(fcinfo, argno);
		room->extra = replacements;
	}
	if (replacements->array != NULL &&
		(replacements->constant ||
		 (VARATT_IS_EXTERNAL_ONDISK(arrived) &&
		  memcmp(replacements->pointer, arrived, AC_POINTER_SIZE) == 0 &&
		  replacements->statement == GetCurrentStatementStartTimestamp())))
		return replacements;
	array = DatumGetArrayTypeP(PG_GETARG_DATUM(argno));
	if (replacements->array == NULL ||
		VARSIZE(replacements->array) != VARSIZE(array) ||
		memcmp(replacements->array, array, VARSIZE(array)) != 0)
		replacements_set(replacements, arrived, array);
	if ((Pointer) array != (Pointer) arrived)
		pfree(array);
	return replacements;
}

Datum
ac_replace_each(PG_FUNCTION_ARGS)
{
	AcKind		kind = leftmost_kind_arg(fcinfo, 3);
	const Replacements *by = replacements_get(fcinfo, 2);
	const AcAutomaton *automaton;
	const AcSpan *span;
	AcPieces	pieces;
	AcPiece		piece;
	uint64		size;
	size_t		done = 0;
	const uint8 *body;
	text	   *result;
	char	   *out;

	ac_pieces_start(&pieces, fcinfo, kind);
	automaton = &pieces.entry->automaton;
	if (by->count != automaton->info.patterns)
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				 errmsg("number of replacements does not match number of patterns"),
				 errdetail("There are %u replacements for %u patterns.",
						   by->count, automaton->info.patterns)));
	size = pieces.scan.body.size;
	while (ac_pieces_next(&pieces, &piece))
		size = size - (piece.end - piece.start) +
			by->spans[acore_key_first(automaton, piece.key)].size;
	if (pieces.count == 0)
	{
		ac_pieces_end(&pieces);
		PG_RETURN_DATUM(PG_GETARG_DATUM(1));
	}
	result = new_text(size);
	out = VARDATA(result);
	body = ac_pieces_again(&pieces);
	while (ac_pieces_next(&pieces, &piece))
	{
		span = &by->spans[acore_key_first(automaton, piece.key)];
		out = put(out, body + done, piece.start - done);
		out = put(out, span->data, span->size);
		done = piece.end;
	}
	put(out, body + done, pieces.scan.body.size - done);
	ac_pieces_end(&pieces);
	PG_RETURN_TEXT_P(result);
}

/* ---------- ac_mask ---------- */

static char *
put_mask(char *out, const char *mask, size_t mask_size, size_t chars)
{
	if (mask_size == 1)
	{
		memset(out, *mask, chars);
		return out + chars;
	}
	while (chars-- > 0)
		out = put(out, mask, mask_size);
	return out;
}

Datum
ac_mask(PG_FUNCTION_ARGS)
{
	text	   *mask = PG_GETARG_TEXT_PP(2);
	size_t		mask_size = VARSIZE_ANY_EXHDR(mask);
	AcPieces	pieces;
	AcPiece		piece;
	uint64		size;
	size_t		done = 0;
	const uint8 *body;
	text	   *result;
	char	   *out;

	if (mask_size > MAX_MULTIBYTE_CHAR_LEN ||
		pg_mbstrlen_with_len(VARDATA_ANY(mask), (int) mask_size) != 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("mask must be a single character")));
	ac_pieces_start(&pieces, fcinfo, AC_ALL);
	size = pieces.scan.body.size;
	while (ac_pieces_next(&pieces, &piece))
		size = size - (piece.end - piece.start) +
			(piece.char_end - piece.char_start) * mask_size;
	if (pieces.count == 0)
	{
		ac_pieces_end(&pieces);
		PG_RETURN_DATUM(PG_GETARG_DATUM(1));
	}
	result = new_text(size);
	out = VARDATA(result);
	body = ac_pieces_again(&pieces);
	while (ac_pieces_next(&pieces, &piece))
	{
		out = put(out, body + done, piece.start - done);
		out = put_mask(out, VARDATA_ANY(mask), mask_size,
					   piece.char_end - piece.char_start);
		done = piece.end;
	}
	put(out, body + done, pieces.scan.body.size - done);
	ac_pieces_end(&pieces);
	PG_RETURN_TEXT_P(result);
}

/* ---------- ac_highlight ---------- */

/* What stands for a byte in HTML; NULL: the byte itself.  In none of the
 * server's encodings are these bytes part of a longer character. */
static inline const char *
html_entity(uint8 byte)
{
	switch (byte)
	{
		case '&':
			return "&amp;";
		case '<':
			return "&lt;";
		case '>':
			return "&gt;";
		case '"':
			return "&quot;";
		case '\'':
			return "&#39;";
		default:
			return NULL;
	}
}

/* How many bytes escaping adds. */
static size_t
html_growth(const uint8 *data, size_t size)
{
	size_t		growth = 0;
	size_t		i;

	for (i = 0; i < size; i++)
	{
		const char *entity = html_entity(data[i]);

		if (entity != NULL)
			growth += strlen(entity) - 1;
	}
	return growth;
}

static char *
put_html(char *out, const uint8 *data, size_t size, bool escape)
{
	size_t		i;

	if (!escape)
		return put(out, data, size);
	for (i = 0; i < size; i++)
	{
		const char *entity = html_entity(data[i]);

		if (entity != NULL)
			out = put(out, entity, strlen(entity));
		else
			*out++ = (char) data[i];
	}
	return out;
}

Datum
ac_highlight(PG_FUNCTION_ARGS)
{
	text	   *start = PG_GETARG_TEXT_PP(2);
	text	   *stop = PG_GETARG_TEXT_PP(3);
	bool		escape = PG_GETARG_BOOL(4);
	AcPieces	pieces;
	AcPiece		piece;
	uint64		growth;
	size_t		size;
	size_t		done = 0;
	const uint8 *body;
	text	   *result;
	char	   *out;

	ac_pieces_start(&pieces, fcinfo, AC_ALL);
	size = pieces.scan.body.size;
	while (ac_pieces_next(&pieces, &piece))
		;
	body = pieces.count > 0 || escape ? ac_pieces_again(&pieces) : NULL;
	growth = (uint64) pieces.count *
		(VARSIZE_ANY_EXHDR(start) + VARSIZE_ANY_EXHDR(stop)) +
		(escape ? html_growth(body, size) : 0);
	if (pieces.count == 0 && growth == 0)
	{
		ac_pieces_end(&pieces);
		PG_RETURN_DATUM(PG_GETARG_DATUM(1));
	}
	result = new_text(size + growth);
	out = VARDATA(result);
	while (ac_pieces_next(&pieces, &piece))
	{
		out = put_html(out, body + done, piece.start - done, escape);
		out = put(out, VARDATA_ANY(start), VARSIZE_ANY_EXHDR(start));
		out = put_html(out, body + piece.start, piece.end - piece.start,
					   escape);
		out = put(out, VARDATA_ANY(stop), VARSIZE_ANY_EXHDR(stop));
		done = piece.end;
	}
	put_html(out, body + done, size - done, escape);
	ac_pieces_end(&pieces);
	PG_RETURN_TEXT_P(result);
}
