/*
 * peer_rust.c
 *		Rust's aho-corasick; rust/lib.rs is the other side.
 */
#include "bench.h"

typedef struct Automaton Automaton;

extern Automaton *rust_build(uint32_t kind, bool prefilter,
							 const uint8_t *pool, const uint64_t *offsets,
							 uint32_t count);
extern void rust_destroy(Automaton *automaton);
extern size_t rust_size(const Automaton *automaton);
extern Found rust_all(const Automaton *automaton, const uint8_t *text,
					  size_t size);
extern bool rust_any(const Automaton *automaton, const uint8_t *text,
					 size_t size);

static void *
build_noncontiguous(const Set *set)
{
	return rust_build(0, false, set->pool, set->offsets, set->count);
}

static void *
build_contiguous(const Set *set)
{
	return rust_build(1, false, set->pool, set->offsets, set->count);
}

static void *
build_prefiltered(const Set *set)
{
	return rust_build(1, true, set->pool, set->offsets, set->count);
}

static void *
build_dfa(const Set *set)
{
	return rust_build(2, false, set->pool, set->offsets, set->count);
}

static void
destroy(void *automaton)
{
	rust_destroy(automaton);
}

static size_t
size_of(void *automaton)
{
	return rust_size(automaton);
}

static Found
all(void *automaton, const uint8_t *text, size_t size)
{
	return rust_all(automaton, text, size);
}

static bool
any(void *automaton, const uint8_t *text, size_t size)
{
	return rust_any(automaton, text, size);
}

static const Peer peers[] = {
	{"Rust noncontiguous", build_noncontiguous, destroy, size_of, all, any,
	NULL, 20000},
	{"Rust contiguous", build_contiguous, destroy, size_of, all, any, NULL, 0},
	{"Rust contiguous, prefilter", build_prefiltered, destroy, size_of, NULL,
	any, NULL, 20000},
	{"Rust DFA", build_dfa, destroy, size_of, all, any, NULL, 200000},
};

const Peer *
peer_rust(int index)
{
	return index < 4 ? &peers[index] : NULL;
}
