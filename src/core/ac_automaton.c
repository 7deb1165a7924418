/*
 * ac_automaton.c
 *		The handle of an image: opening, accelerating, closing.
 */
#include "ac_engine.h"
#include "ac_image.h"
#include "ac_work.h"

/* The few tables that walking wants at hand. */
static AcStatus
prepare_walking(AcImage *im, const AcHost *host)
{
	AcWork		work;
	uint32_t	end = 0;
	uint32_t	i;

	acore_work_init(&work, host);

	memset(im->codes, 0xff, sizeof(im->codes));
	for (i = 0; i < im->counts[AC_N_ALPHABET]; i++)
	{
		im->bytes[i] = im->alphabet[i];
		im->codes[im->alphabet[i]] = (uint16_t) i;
	}
	for (i = 0; i < im->counts[AC_N_LEAVES]; i++)
	{
		uint32_t	depth = (uint32_t) ac_tall_get(&im->leaf_depths, i);

		if (depth > im->max_depth)
			im->max_depth = depth;
		if (ac_work_turn(&work, i))
			return AC_E_INTERRUPTED;
	}

	if (im->states == 1)
		return AC_OK;
	im->root_child[ac_label(im, 1)] = 1;
	if (ac_set_has(&im->branches, 0))
		end = im->counts[AC_N_BRANCHES] > 1 ?
			ac_set_select(&im->edge_starts, 1) : im->edge_count;
	for (i = 0; i < end; i++)
	{
		uint32_t	child = 2 + (uint32_t) ac_tall_get(&im->edges, i);

		im->root_child[ac_label(im, child)] = child;
	}
	return AC_OK;
}

AcStatus
acore_open(const void *image, size_t size, const AcHost *host,
		   AcAutomaton *automaton)
{
	AcStatus	status;

	memset(automaton, 0, sizeof(*automaton));
	automaton->host = host;
	status = acore_peek(image, size, &automaton->info);
	if (status != AC_OK)
		return status;
	automaton->image = host->allocate(host->context, sizeof(AcImage));
	if (automaton->image == NULL)
		return AC_E_MEMORY;
	status = acore_image_read(image, size, automaton->image);
	if (status == AC_OK)
		status = prepare_walking(automaton->image, host);
	if (status != AC_OK)
		acore_close(automaton);
	return status;
}

AcStatus
acore_accelerate(AcAutomaton *automaton)
{
	if (automaton->engine != NULL)
		return AC_OK;
	return acore_engine_build(automaton->image, automaton->host,
							  &automaton->engine);
}

/*
 * Deriving takes some 50 ns a state, and saves about as much a byte of text.
 */
size_t
acore_accelerate_after(const AcAutomaton *automaton)
{
	if (automaton->engine != NULL || !acore_engine_helps(automaton->image))
		return 0;
	return automaton->info.states;
}

void
acore_close(AcAutomaton *automaton)
{
	const AcHost *host = automaton->host;

	if (automaton->engine != NULL)
		acore_engine_free(automaton->engine, host);
	if (automaton->image != NULL)
		host->release(host->context, automaton->image, sizeof(AcImage));
	automaton->engine = NULL;
	automaton->image = NULL;
}
