/*
 * peer_re2.cc
 *		RE2::Set over literals.
 *
 * It answers which patterns match, not where, so it takes part only in
 * "whether anything matches".
 */
#include <string>

#include <re2/set.h>

#include "bench.h"

struct Re2
{
	RE2::Set   *set;
	size_t		size;
};

static void *
build(const Set *set)
{
	size_t		before = memory_now();
	RE2::Options options;
	Re2		   *re2 = new Re2;

	options.set_literal(true);
	options.set_encoding(RE2::Options::EncodingLatin1);
	options.set_log_errors(false);
	options.set_max_mem(INT64_C(1) << 30);
	re2->set = new RE2::Set(options, RE2::UNANCHORED);
	for (uint32_t i = 0; i < set->count; i++)
		re2->set->Add(std::string(reinterpret_cast<const char *>(set->pool) +
								  set->offsets[i],
								  set->offsets[i + 1] - set->offsets[i]),
					  nullptr);
	if (!re2->set->Compile())
	{
		delete re2->set;
		delete re2;
		return nullptr;
	}
	re2->size = memory_now() - before;
	return re2;
}

static void
destroy(void *automaton)
{
	Re2		   *re2 = static_cast<Re2 *>(automaton);

	delete re2->set;
	delete re2;
}

static size_t
size_of(void *automaton)
{
	return static_cast<Re2 *>(automaton)->size;
}

static bool
any(void *automaton, const uint8_t *text, size_t size)
{
	return static_cast<Re2 *>(automaton)->set->Match(
		re2::StringPiece(reinterpret_cast<const char *>(text), size), nullptr);
}

static const Peer peers[] = {
	{"RE2::Set", build, destroy, size_of, nullptr, any, nullptr, 5000},
};

const Peer *
peer_re2(int index)
{
	return index < 1 ? &peers[index] : nullptr;
}
