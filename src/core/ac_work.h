/*
 * ac_work.h
 *		Workspace of a longer task: everything allocated, released in one go.
 *
 * A task takes its arrays from an AcWork and releases the whole of it when
 * it ends, well or badly, so that no path can forget one.
 *
 * A task also counts its work there, so that the host is asked every so often
 * whether to go on, whichever of the loops the work is done in.
 */
#ifndef AC_WORK_H
#define AC_WORK_H

#include "ac_core.h"

#pragma GCC visibility push(hidden)

#define AC_WORK_BLOCKS	32		/* more than any task takes */

/* Between two polls; a step takes some nanoseconds.  Tests want more polls. */
#ifndef AC_POLL_STEPS
#define AC_POLL_STEPS	65536
#endif

typedef struct AcWork
{
	const AcHost *host;
	bool		interrupted;	/* the host has said so */
	uint64_t	unpolled;		/* steps since the host was asked */
	int			count;
	struct
	{
		void	   *pointer;
		size_t		size;
	}			blocks[AC_WORK_BLOCKS];
} AcWork;

void		acore_work_init(AcWork *work, const AcHost *host);

/* An array of count * size bytes, never NULL for 0; NULL without memory. */
void	   *acore_work_take(AcWork *work, uint64_t count, size_t size);

/* The same, filled with zeros; polls. */
void	   *acore_work_zero(AcWork *work, uint64_t count, size_t size);

/* Fills with a byte, or copies; polls, and ends early when interrupted. */
void		acore_work_fill(AcWork *work, void *to, uint8_t byte,
							size_t bytes);
void		acore_work_copy(AcWork *work, void *to, const void *from,
							size_t bytes);

/* Gives one array back early. */
void		acore_work_drop(AcWork *work, void *pointer);

/* Gives everything back. */
void		acore_work_end(AcWork *work);

/* Counts steps; answers whether the task is to end. */
static inline bool
ac_work_poll(AcWork *work, uint64_t steps)
{
	work->unpolled += steps;
	if (work->unpolled >= AC_POLL_STEPS && !work->interrupted)
	{
		work->unpolled = 0;
		work->interrupted = work->host->interrupted(work->host->context);
	}
	return work->interrupted;
}

/*
 * The same for a loop, once in AC_POLL_STEPS turns; i counts the turns.  Where
 * the loop ends instead of the task, work->interrupted must be looked at
 * before anything but another such loop relies on what the loop did.
 */
static inline bool
ac_work_turn(AcWork *work, uint64_t i)
{
	if (i % AC_POLL_STEPS == AC_POLL_STEPS - 1)
		ac_work_poll(work, AC_POLL_STEPS);
	return work->interrupted;
}

#pragma GCC visibility pop

#endif							/* AC_WORK_H */
