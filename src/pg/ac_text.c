/*
 * ac_text.c
 *		The text form of a rule set: what psql, COPY and pg_dump show.
 *
 *		{foo,"b a r"}									an array literal, or
 *		[ignore_case whole_words ids={7,9}]{foo,bar}	options before it
 *		[bytea]{"\\x00ff"}								bytes, always in hex
 *
 * The patterns are an array literal of PostgreSQL.  Reading leaves them to
 * array_in().  Writing follows the quoting of array_out() byte for byte but
 * writes straight into a result of known size, because the size of the text form
 * must be known anyway: a value whose text form is too long is never built.
 *
 * Options come out in the order above, each only when it differs from the
 * default; they may come in in any order.  A '[' before a sign or a digit is
 * no bracket of options but the bounds of the array, which array_in() drops.
 */
#include "ac_text.h"

#include "catalog/pg_type.h"
#include "common/int.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"

#define MALFORMED_HINT	"Write {foo,bar}."
#define OPTIONS_HINT	"The options are ignore_case, whole_words, ids={1,2,3} and bytea; whole_words cannot be used with bytea."

/* Room for the longest bracket without its ids. */
#define MAX_BRACKET		64

/* Room for the longest bigint as decimals. */
#define MAX_DECIMAL		20

/* White space as array_in() and array_out() know it. */
static bool
is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* ---------- sizes ---------- */

/*
 * How array_out() writes a text element: answers the backslashes that it puts
 * in, and whether quotes go around it.
 */
static size_t
count_escapes(const uint8_t *pattern, size_t size, bool *quote)
{
	size_t		escapes = 0;
	size_t		i;

	*quote = size == 0 ||
		(size == 4 && pg_strncasecmp((const char *) pattern, "NULL", 4) == 0);
	for (i = 0; i < size; i++)
	{
		char		c = (char) pattern[i];

		if (i % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
		if (c == '"' || c == '\\')
			escapes++;
		else if (c == '{' || c == '}' || c == ',' || is_space(c))
			*quote = true;
	}
	if (escapes > 0)
		*quote = true;
	return escapes;
}

void
ac_sizes_add_pattern(AcSizes *sizes, uint32 options, const uint8_t *pattern,
					 size_t size)
{
	sizes->count++;
	sizes->pattern_bytes += size;
	sizes->array_bytes += INTALIGN(VARHDRSZ + size);
	if (options & AC_BYTEA)
		sizes->text_bytes += strlen("\"\\\\x\",") + 2 * (uint64) size;
	else
	{
		bool		quote;
		size_t		escapes = count_escapes(pattern, size, &quote);

		sizes->text_bytes += size + escapes + (quote ? 2 : 0) + 1;
	}
}

/* Writes an id and a zero; answers the length without it. */
static size_t
write_id(char *out, int64 id)
{
	/* what this returns depends on the server's version */
	(void) pg_lltoa(id, out);
	return strlen(out);
}

void
ac_sizes_add_id(AcSizes *sizes, int64 id)
{
	char		decimal[MAX_DECIMAL + 1];

	sizes->id_bytes += write_id(decimal, id) + 1;
}

/* The bracket of options up to "ids={" or its end; answers its length. */
static size_t
write_bracket(char *out, uint32 options, bool ordinal)
{
	const char *separator = "[";
	char	   *p = out;

	*p = '\0';
	if (options & AC_FOLD_MASK)
	{
		p += sprintf(p, "%signore_case", separator);
		separator = " ";
	}
	if (options & AC_WORDS_MASK)
	{
		p += sprintf(p, "%swhole_words", separator);
		separator = " ";
	}
	if (!ordinal)
		p += sprintf(p, "%sids={", separator);
	return p - out;
}

/* What follows the ids, or the bracket without ids. */
static size_t
write_bracket_end(char *out, uint32 options, bool ordinal)
{
	bool		first = (options & ~AC_BYTEA) == 0 && ordinal;

	if (options & AC_BYTEA)
		return sprintf(out, "%sbytea]", first ? "[" : " ");
	return sprintf(out, "%s", first ? "" : "]");
}

uint64
ac_text_form_bytes(const AcSizes *sizes, uint32 options, bool ordinal)
{
	char		bracket[MAX_BRACKET];
	uint64		bytes = 1 + (sizes->count > 0 ? sizes->text_bytes : 1);

	bytes += write_bracket(bracket, options, ordinal);
	bytes += write_bracket_end(bracket, options, ordinal);
	return ordinal ? bytes : bytes + sizes->id_bytes;
}

/* ---------- writing ---------- */

static char *
write_text_pattern(char *out, const uint8_t *pattern, size_t size)
{
	bool		quote;
	size_t		escapes = count_escapes(pattern, size, &quote);
	size_t		i;

	if (quote)
		*out++ = '"';
	if (escapes == 0)
	{
		memcpy(out, pattern, size);
		out += size;
	}
	else
		for (i = 0; i < size; i++)
		{
			if (pattern[i] == '"' || pattern[i] == '\\')
				*out++ = '\\';
			*out++ = (char) pattern[i];
		}
	if (quote)
		*out++ = '"';
	return out;
}

static char *
write_bytea_pattern(char *out, const uint8_t *pattern, size_t size)
{
	memcpy(out, "\"\\\\x", 4);
	out += 4;
	out += hex_encode((const char *) pattern, size, out);
	*out++ = '"';
	return out;
}

static char *
write_ids(char *out, const AcRules *rules)
{
	uint32		i;

	for (i = 0; i < rules->count; i++)
	{
		out += write_id(out, rules->ids[i]);
		*out++ = i + 1 < rules->count ? ',' : '}';
	}
	return out;
}

static char *
write_patterns(char *out, const AcRules *rules)
{
	uint32		i;

	*out++ = '{';
	for (i = 0; i < rules->count; i++)
	{
		const uint8_t *pattern = rules->pool + rules->offsets[i];
		size_t		size = rules->offsets[i + 1] - rules->offsets[i];

		CHECK_FOR_INTERRUPTS();
		out = rules->options & AC_BYTEA ?
			write_bytea_pattern(out, pattern, size) :
			write_text_pattern(out, pattern, size);
		*out++ = i + 1 < rules->count ? ',' : '}';
	}
	if (rules->count == 0)
		*out++ = '}';
	return out;
}

static uint64
measure(const AcRules *rules)
{
	AcSizes		sizes = {0};
	uint32		i;

	for (i = 0; i < rules->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		ac_sizes_add_pattern(&sizes, rules->options,
							 rules->pool + rules->offsets[i],
							 rules->offsets[i + 1] - rules->offsets[i]);
		if (rules->ids != NULL)
			ac_sizes_add_id(&sizes, rules->ids[i]);
	}
	return ac_text_form_bytes(&sizes, rules->options, rules->ids == NULL);
}

char *
ac_text_write(const AcRules *rules)
{
	bool		ordinal = rules->ids == NULL;
	uint64		bytes = measure(rules);
	char	   *text = palloc(bytes + 1);
	char	   *p = text;

	p += write_bracket(p, rules->options, ordinal);
	if (!ordinal)
		p = write_ids(p, rules);
	p += write_bracket_end(p, rules->options, ordinal);
	p = write_patterns(p, rules);
	*p = '\0';
	Assert((uint64) (p - text) == bytes);
	return text;
}

Datum
ac_pattern_datum(uint32 options, const void *pattern, size_t size)
{
	text	   *result;

	if ((options & AC_BYTEA) == 0)
		return PointerGetDatum(cstring_to_text_with_len(pattern, (int) size));

	result = palloc(VARHDRSZ + 2 + 2 * size);
	memcpy(VARDATA(result), "\\x", 2);
	hex_encode(pattern, size, VARDATA(result) + 2);
	SET_VARSIZE(result, VARHDRSZ + 2 + 2 * size);
	return PointerGetDatum(result);
}

/* ---------- reading ---------- */

/* What stands in the bracket. */
typedef struct Bracket
{
	bool		ignore_case;
	bool		whole_words;
	bool		is_bytea;
	bool		has_ids;
	int64	   *ids;
	uint32		nids;
} Bracket;

static const char *
skip_space(const char *p)
{
	while (is_space(*p))
		p++;
	return p;
}

static void
error_malformed(const char *message, const char *detail, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
			 errmsg_internal("%s", message),
			 errdetail_internal("%s", detail),
			 errhint("%s", hint)));
}

static void
error_option(const char *message, const char *option, size_t length)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
			 errmsg(message, pnstrdup(option, Min(length, NAMEDATALEN))),
			 errhint(OPTIONS_HINT)));
}

static void
error_ids(void)
{
	error_malformed("malformed ids of acautomaton",
					"The ids must be integers in braces.", OPTIONS_HINT);
}

/* Parses one id, moving *text behind it. */
static int64
parse_id(const char **text, uint32 subscript)
{
	const char *start = *text;
	const char *p = start;
	bool		negative = *p == '-';
	bool		overflow = false;
	int64		id = 0;

	if (pg_strncasecmp(p, "NULL", 4) == 0)
		ac_error_null(NULL, "id", subscript);
	if (*p == '-' || *p == '+')
		p++;
	if (*p < '0' || *p > '9')
		error_ids();
	for (; *p >= '0' && *p <= '9'; p++)
		if (pg_mul_s64_overflow(id, 10, &id) ||
			pg_sub_s64_overflow(id, *p - '0', &id))
			overflow = true;
	/* gathered below zero, where there is one more */
	if (overflow || (!negative && pg_mul_s64_overflow(id, -1, &id)))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("id %u is out of range for type bigint", subscript)));
	*text = p;
	return id;
}

/* Parses "{7,9}"; "text" stands before the brace. */
static const char *
parse_ids(const char *text, Bracket *bracket)
{
	const char *p = skip_space(text + 1);
	const char *q;
	size_t		room = 1;

	/* there are no more ids than commas and one */
	for (q = p; *q != '\0' && *q != '}'; q++)
		room += *q == ',';
	bracket->ids = palloc_extended(room * sizeof(int64), MCXT_ALLOC_HUGE);
	bracket->has_ids = true;
	if (*p == '}')
		return p + 1;
	for (;;)
	{
		CHECK_FOR_INTERRUPTS();
		bracket->ids[bracket->nids] = parse_id(&p, bracket->nids + 1);
		bracket->nids++;
		p = skip_space(p);
		if (*p == '}')
			return p + 1;
		if (*p != ',')
			error_ids();
		p = skip_space(p + 1);
	}
}

static void
set_option(bool *option, const char *word, size_t length)
{
	if (*option)
		error_option("option \"%s\" of acautomaton is repeated", word, length);
	*option = true;
}

/* Parses one option of the bracket. */
static const char *
parse_option(const char *word, Bracket *bracket)
{
	size_t		length = strcspn(word, " \t\n\r\v\f]");

	if (length == strlen("bytea") && strncmp(word, "bytea", length) == 0)
		set_option(&bracket->is_bytea, word, length);
	else if (length == strlen("ignore_case") &&
			 strncmp(word, "ignore_case", length) == 0)
		set_option(&bracket->ignore_case, word, length);
	else if (length == strlen("whole_words") &&
			 strncmp(word, "whole_words", length) == 0)
		set_option(&bracket->whole_words, word, length);
	else if (strncmp(word, "ids={", strlen("ids={")) == 0)
	{
		if (bracket->has_ids)
			error_option("option \"%s\" of acautomaton is repeated", "ids", 3);
		word = parse_ids(word + strlen("ids="), bracket);
		if (*word != ']' && !is_space(*word))
			error_malformed("malformed options of acautomaton",
							"The options must be separated by spaces.",
							OPTIONS_HINT);
		return word;
	}
	else
		error_option("unrecognized option \"%s\" of acautomaton", word,
					 length);
	return word + length;
}

/* Parses the bracket, if there is one; answers where the array begins. */
static const char *
parse_bracket(const char *text, Bracket *bracket)
{
	const char *p = skip_space(text);

	memset(bracket, 0, sizeof(*bracket));
	if (p[0] != '[' || p[1] == '+' || p[1] == '-' ||
		(p[1] >= '0' && p[1] <= '9'))
		return p;

	for (p = skip_space(p + 1); *p != ']'; p = skip_space(p))
	{
		if (*p == '\0')
			error_malformed("malformed acautomaton literal",
							"The bracket of options is not closed.",
							MALFORMED_HINT);
		p = parse_option(p, bracket);
	}
	if (bracket->is_bytea && bracket->whole_words)
		error_option("option \"%s\" of acautomaton cannot be used with \"bytea\"",
					 "whole_words", strlen("whole_words"));
	return p + 1;
}

/* Whether an array literal has braces within its braces. */
static bool
is_nested(const char *literal)
{
	const char *p = literal + strspn(literal, " \t\n\r\v\f[]:=+-0123456789");

	return *p == '{' && *skip_space(p + 1) == '{';
}

/* Gives the errors of array_in() the hint of ours. */
static void
add_hint(void *arg)
{
	(void) arg;
	if (geterrcode() == ERRCODE_INVALID_TEXT_REPRESENTATION)
		errhint(MALFORMED_HINT);
}

/*
 * array_in() with array_nulls on, whatever the setting: only then does an
 * unquoted NULL show as one.
 */
static ArrayType *
parse_array(const char *literal, Oid element_type)
{
	ErrorContextCallback callback;
	bool		saved = Array_nulls;
	volatile Datum array = (Datum) 0;

	if (is_nested(literal))
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				 errmsg("array of patterns must be one-dimensional"),
				 errhint(MALFORMED_HINT)));
	callback.callback = add_hint;
	callback.arg = NULL;
	callback.previous = error_context_stack;
	error_context_stack = &callback;
	Array_nulls = true;
	PG_TRY();
	{
		array = OidInputFunctionCall(F_ARRAY_IN, unconstify(char *, literal),
									 element_type, -1);
	}
	PG_FINALLY();
	{
		Array_nulls = saved;
	}
	PG_END_TRY();
	error_context_stack = callback.previous;
	return DatumGetArrayTypeP(array);
}

void
ac_text_parse(const char *text, AcRuleSet *rules)
{
	Bracket		bracket;
	const char *literal = parse_bracket(text, &bracket);
	ArrayType  *array = parse_array(literal, bracket.is_bytea ?
									BYTEAOID : TEXTOID);

	ac_rules_init(rules, ac_options(bracket.is_bytea, bracket.ignore_case,
									bracket.whole_words),
				  CurrentMemoryContext);
	ac_rules_add_array(rules, array, bracket.has_ids ? bracket.ids : NULL,
					   bracket.nids);
	pfree(array);
}
