/*
 * fuzz_recv.c
 *		libFuzzer target: any bytes as the binary form of a value.
 *
 * They are refused by one of the errors that the contract names, or give a
 * value whose binary form says the same; and what is allocated on the way to
 * either is bounded by the bytes that came.
 */
#include "server.h"

int			LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const int errors[] = {
	ERRCODE_PROTOCOL_VIOLATION, ERRCODE_CHARACTER_NOT_IN_REPERTOIRE,
	ERRCODE_INVALID_BINARY_REPRESENTATION, ERRCODE_FEATURE_NOT_SUPPORTED,
	ERRCODE_ZERO_LENGTH_CHARACTER_STRING
};

static int
receive(const char *data, size_t size, Datum *value)
{
	StringInfoData message;

	/* a block of its own, so that reads behind it show */
	message.data = palloc(size);
	memcpy(message.data, data, size);
	message.len = message.maxlen = (int) size;
	message.cursor = 0;
	return server_call(acautomaton_recv, PointerGetDatum(&message), value);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	Datum		value;
	Datum		sent;
	Datum		back;
	Datum		again;
	int			state = receive((const char *) data, size, &value);

	if (server_allocated() > 20000 + 200 * size)
		abort();
	if (state != 0)
		server_expect(state, errors, lengthof(errors));
	else
	{
		const char *bytes;

		if (server_call(acautomaton_send, value, &sent) != 0)
			abort();
		bytes = VARDATA(DatumGetPointer(sent));
		/* ids that count from 1 may have come spelled out */
		if (receive(bytes, VARSIZE(DatumGetPointer(sent)) - VARHDRSZ, &back) != 0 ||
			server_call(acautomaton_send, back, &again) != 0 ||
			VARSIZE(DatumGetPointer(sent)) != VARSIZE(DatumGetPointer(again)) ||
			memcmp(bytes, VARDATA(DatumGetPointer(again)),
				   VARSIZE(DatumGetPointer(sent)) - VARHDRSZ) != 0 ||
			VARSIZE(DatumGetPointer(value)) != VARSIZE(DatumGetPointer(back)) ||
			memcmp(DatumGetPointer(value), DatumGetPointer(back),
				   VARSIZE(DatumGetPointer(value))) != 0)
			abort();
	}
	server_reset();
	return 0;
}
