/*
 * survive.c
 *		What an image must stand that verification has accepted.
 *
 * A mutated image whose checksum was made right again may say anything, but
 * reading it and matching with it must end soon and stay inside.
 */
#include "survive.h"

static volatile uint32_t sink;	/* keeps reads from being optimised away */

/*
 * Scans a body by a mutated image.  The answers are anything, but they are
 * spans of the body with a key of the automaton, and there are not more of
 * them than keys at each position.
 */
static bool
scan_ends(TestHost *host, const AcAutomaton *automaton, AcKind kind,
		  AcEncoding encoding, AcSpan body)
{
	uint64_t	most = (uint64_t) body.size * automaton->info.patterns;
	uint64_t	found = 0;
	AcScanner  *scanner;
	AcStatus	status;
	AcMatch		match;
	bool		good = true;

	if (acore_scanner_create(automaton, kind, encoding, true, euc_char_len,
							 &scanner) != AC_OK)
		return false;
	host->polls = 0;
	host->interrupt_at = 100 + most / 100;
	acore_scan_start(scanner);
	acore_scan_feed(scanner, body.data, body.size, true);
	while (good && (status = acore_scan_next(scanner, &match)) == AC_MATCH)
	{
		uint32_t	slot = UINT32_MAX;
		uint32_t	slots = acore_key_slots(automaton, match.key, &slot);

		good = ++found <= most && match.start < match.end &&
			match.end <= body.size && slots > 0 &&
			slot < automaton->info.patterns &&
			slots <= automaton->info.patterns - slot &&
			acore_key_first(automaton, match.key) < automaton->info.patterns;
	}
	acore_scanner_free(scanner);
	host->interrupt_at = 0;
	return good && status == AC_DONE;
}

/* Reads everything that an accepted image holds. */
static bool
reads_end(TestHost *host, const AcAutomaton *automaton)
{
	AcRules		rules;
	void	   *block;
	size_t		size;
	uint32_t	slot;
	uint32_t	sum = 0;
	AcStatus	status;

	for (slot = 0; slot < automaton->info.patterns; slot++)
	{
		AcSpan		spelling;
		uint32_t	entry = acore_slot_entry(automaton, slot);

		if (entry >= automaton->info.patterns)
			return false;
		sum += (uint32_t) acore_entry_id(automaton, entry);
		if (acore_slot_spelling(automaton, slot, &spelling) &&
			spelling.size > 0)
			sum += ((const uint8_t *) spelling.data)[spelling.size - 1];
	}
	status = acore_extract(automaton, &rules, &block, &size);
	if (status == AC_OK)
	{
		uint32_t	i;

		if (rules.count != automaton->info.patterns || rules.offsets[0] != 0)
			return false;
		for (i = 0; i < rules.count; i++)
			if (rules.offsets[i] > rules.offsets[i + 1])
				return false;
		for (i = 0; i < rules.offsets[rules.count]; i++)
			sum += rules.pool[i];
		host->host.release(host, block, size);
	}
	sink += sum;
	return true;
}

bool
image_survives(TestHost *host, const uint8_t *image, size_t size,
			   const AcSpan *bodies, int nbodies, Rng *rng)
{
	size_t		before = host->current;
	AcAutomaton automaton;
	bool		good;
	int			i;

	if (acore_open(image, size, &host->host, &automaton) != AC_OK)
		return false;
	good = reads_end(host, &automaton);
	for (i = 0; good && i < 2 * nbodies; i++)
	{
		if (i == nbodies)
			good = acore_accelerate(&automaton) == AC_OK;
		good = good && scan_ends(host, &automaton, (AcKind) rng_below(rng, 3),
								 (AcEncoding) rng_below(rng, 3),
								 bodies[i % nbodies]);
	}
	acore_close(&automaton);
	return good && host->current == before && host->faults == 0;
}
