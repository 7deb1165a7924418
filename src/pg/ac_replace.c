/*
 * ac_replace.c
 *		Bodies rewritten: ac_replace, ac_replace_each, ac_mask, ac_highlight.
 *
 * All four walk the pieces of the body (ac_pieces.c) twice, counting and then
 * writing, so the result is allocated once and has its final size.  A body
 * without a piece is returned as it arrived, even as a TOAST pointer.  The
 * walks are rewrite(); the functions differ in what stands for a piece, which
 * is a Writer.
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

/* ---------- HTML ---------- */

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
put_body(char *out, const uint8 *data, size_t size, bool escape)
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

/* ---------- the two walks ---------- */

/*
 * What stands for a piece.  The first member of a struct that holds what a
 * function knows besides.
 */
typedef struct Writer
{
	/* how many bytes it has, and how they are written */
	uint64		(*size) (const struct Writer *writer, const AcPiece *piece);
	char	   *(*write) (const struct Writer *writer, char *out,
						  const AcPiece *piece, const uint8 *body);
	bool		escape;			/* the body is turned into HTML */
} Writer;

/*
 * The body with its pieces rewritten, or the body itself where nothing would
 * change.  "pieces" has been started.
 */
static Datum
rewrite(AcPieces *pieces, const Writer *writer)
{
	size_t		body_size = pieces->scan.body.size;
	uint64		size = body_size;
	size_t		done = 0;
	AcPiece		piece;
	const uint8 *body = NULL;
	text	   *result;
	char	   *out;

	while (ac_pieces_next(pieces, &piece))
		size += writer->size(writer, &piece) - (piece.end - piece.start);
	if (pieces->count > 0 || writer->escape)
		body = ac_pieces_again(pieces);
	if (writer->escape)
		size += html_growth(body, body_size);
	if (pieces->count == 0 && size == body_size)
	{
		ac_pieces_end(pieces);
		return pieces->datum;
	}
	result = new_text(size);
	out = VARDATA(result);
	while (ac_pieces_next(pieces, &piece))
	{
		out = put_body(out, body + done, piece.start - done, writer->escape);
		out = writer->write(writer, out, &piece, body);
		done = piece.end;
	}
	out = put_body(out, body + done, body_size - done, writer->escape);
	Assert(out == VARDATA(result) + size);
	ac_pieces_end(pieces);
	return PointerGetDatum(result);
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

/* One text, whatever the piece. */
typedef struct OneText
{
	Writer		writer;
	const char *data;
	size_t		size;
} OneText;

static uint64
one_text_size(const Writer *writer, const AcPiece *piece)
{
	(void) piece;
	return ((const OneText *) writer)->size;
}

static char *
one_text_write(const Writer *writer, char *out, const AcPiece *piece,
			   const uint8 *body)
{
	const OneText *by = (const OneText *) writer;

	(void) piece;
	(void) body;
	return put(out, by->data, by->size);
}

Datum
ac_replace(PG_FUNCTION_ARGS)
{
	text	   *replacement = PG_GETARG_TEXT_PP(2);
	OneText		by = {.writer = {one_text_size, one_text_write, false}};
	AcPieces	pieces;

	by.data = VARDATA_ANY(replacement);
	by.size = VARSIZE_ANY_EXHDR(replacement);
	ac_pieces_start(&pieces, fcinfo, leftmost_kind_arg(fcinfo, 3),
					AC_MODE_TEXT);
	return rewrite(&pieces, &by.writer);
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

/* The text for the pattern that won. */
typedef struct EachText
{
	Writer		writer;
	const AcAutomaton *automaton;
	const AcSpan *spans;		/* one an entry */
} EachText;

static uint64
each_text_size(const Writer *writer, const AcPiece *piece)
{
	const EachText *by = (const EachText *) writer;

	return by->spans[acore_key_first(by->automaton, piece->key)].size;
}

static char *
each_text_write(const Writer *writer, char *out, const AcPiece *piece,
				const uint8 *body)
{
	const EachText *by = (const EachText *) writer;
	const AcSpan *span = &by->spans[acore_key_first(by->automaton, piece->key)];

	(void) body;
	return put(out, span->data, span->size);
}

Datum
ac_replace_each(PG_FUNCTION_ARGS)
{
	AcKind		kind = leftmost_kind_arg(fcinfo, 3);
	const Replacements *replacements = replacements_get(fcinfo, 2);
	EachText	by = {.writer = {each_text_size, each_text_write, false}};
	AcPieces	pieces;

	ac_pieces_start(&pieces, fcinfo, kind, AC_MODE_TEXT);
	by.automaton = &pieces.entry->automaton;
	by.spans = replacements->spans;
	if (replacements->count != by.automaton->info.patterns)
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				 errmsg("number of replacements does not match number of patterns"),
				 errdetail("There are %u replacements for %u patterns.",
						   replacements->count,
						   by.automaton->info.patterns)));
	return rewrite(&pieces, &by.writer);
}

/* ---------- ac_mask ---------- */

/* A character for each of the piece's. */
typedef struct Mask
{
	Writer		writer;
	const char *data;
	size_t		size;
} Mask;

static uint64
mask_size(const Writer *writer, const AcPiece *piece)
{
	return (piece->char_end - piece->char_start) *
		(uint64) ((const Mask *) writer)->size;
}

static char *
mask_write(const Writer *writer, char *out, const AcPiece *piece,
		   const uint8 *body)
{
	const Mask *mask = (const Mask *) writer;
	uint32		chars = piece->char_end - piece->char_start;

	(void) body;
	if (mask->size == 1)
	{
		memset(out, *mask->data, chars);
		return out + chars;
	}
	while (chars-- > 0)
		out = put(out, mask->data, mask->size);
	return out;
}

Datum
ac_mask(PG_FUNCTION_ARGS)
{
	text	   *character = PG_GETARG_TEXT_PP(2);
	Mask		mask = {.writer = {mask_size, mask_write, false}};
	AcPieces	pieces;

	mask.data = VARDATA_ANY(character);
	mask.size = VARSIZE_ANY_EXHDR(character);
	if (mask.size > MAX_MULTIBYTE_CHAR_LEN ||
		pg_mbstrlen_with_len(mask.data, (int) mask.size) != 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("mask must be a single character")));
	ac_pieces_start(&pieces, fcinfo, AC_ALL, AC_MODE_CHARS);
	return rewrite(&pieces, &mask.writer);
}

/* ---------- ac_highlight ---------- */

/* The piece between two marks. */
typedef struct Marks
{
	Writer		writer;
	AcSpan		start;
	AcSpan		stop;
} Marks;

static uint64
marks_size(const Writer *writer, const AcPiece *piece)
{
	const Marks *marks = (const Marks *) writer;

	return (uint64) marks->start.size + marks->stop.size +
		(piece->end - piece->start);
}

static char *
marks_write(const Writer *writer, char *out, const AcPiece *piece,
			const uint8 *body)
{
	const Marks *marks = (const Marks *) writer;

	out = put(out, marks->start.data, marks->start.size);
	out = put_body(out, body + piece->start, piece->end - piece->start,
				   writer->escape);
	return put(out, marks->stop.data, marks->stop.size);
}

Datum
ac_highlight(PG_FUNCTION_ARGS)
{
	text	   *start = PG_GETARG_TEXT_PP(2);
	text	   *stop = PG_GETARG_TEXT_PP(3);
	Marks		marks = {.writer = {marks_size, marks_write, PG_GETARG_BOOL(4)}};
	AcPieces	pieces;

	marks.start.data = VARDATA_ANY(start);
	marks.start.size = VARSIZE_ANY_EXHDR(start);
	marks.stop.data = VARDATA_ANY(stop);
	marks.stop.size = VARSIZE_ANY_EXHDR(stop);
	ac_pieces_start(&pieces, fcinfo, AC_ALL, AC_MODE_TEXT);
	return rewrite(&pieces, &marks.writer);
}
