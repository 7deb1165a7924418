/*
 * fuzz_text.c
 *		libFuzzer target: any text as the text form of a value.
 *
 * It is refused by one of the errors that the contract names, or it gives a
 * value whose text form reads back as the same value, and so does its binary
 * form.
 */
#include "server.h"

#include "mb/pg_wchar.h"

int			LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const int errors[] = {
	ERRCODE_INVALID_TEXT_REPRESENTATION, ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE,
	ERRCODE_NULL_VALUE_NOT_ALLOWED, ERRCODE_ARRAY_SUBSCRIPT_ERROR,
	ERRCODE_ZERO_LENGTH_CHARACTER_STRING,
	ERRCODE_INVALID_PARAMETER_VALUE	/* bytea's own */
};

static bool
same_image(Datum a, Datum b)
{
	const struct varlena *x = (struct varlena *) DatumGetPointer(a);
	const struct varlena *y = (struct varlena *) DatumGetPointer(b);

	return VARSIZE(x) == VARSIZE(y) && memcmp(x, y, VARSIZE(x)) == 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char	   *literal = palloc(size + 1);
	StringInfoData message;
	Datum		value;
	Datum		form;
	Datum		back;
	int			state;

	memcpy(literal, data, size);
	literal[size] = '\0';
	size = strlen(literal);
	/* the server has looked at the encoding before */
	if (pg_encoding_verifymbstr(PG_UTF8, literal, (int) size) != (int) size)
	{
		server_reset();
		return 0;
	}
	state = server_call(acautomaton_in, CStringGetDatum(literal), &value);
	if (state != 0)
		server_expect(state, errors, lengthof(errors));
	else
	{
		if (server_call(acautomaton_out, value, &form) != 0 ||
			server_call(acautomaton_in, form, &back) != 0 ||
			!same_image(value, back))
			abort();
		if (server_call(acautomaton_send, value, &form) != 0)
			abort();
		message.data = VARDATA(DatumGetPointer(form));
		message.len = message.maxlen = (int) VARSIZE(DatumGetPointer(form)) - VARHDRSZ;
		message.cursor = 0;
		if (server_call(acautomaton_recv, PointerGetDatum(&message), &back) != 0 ||
			!same_image(value, back))
			abort();
	}
	server_reset();
	return 0;
}
