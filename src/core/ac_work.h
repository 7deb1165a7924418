/*
 * ac_work.h
 *		Workspace of a longer task: everything allocated, released in one go.
 *
 * A task takes its arrays from an AcWork and releases the whole of it when
 * it ends, well or badly, so that no path can forget one.
 */
#ifndef AC_WORK_H
#define AC_WORK_H

#include "ac_core.h"

#pragma GCC visibility push(hidden)

#define AC_WORK_BLOCKS	32		/* more than any task takes */

typedef struct AcWork
{
	const AcHost *host;
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

/* The same, filled with zeros. */
void	   *acore_work_zero(AcWork *work, uint64_t count, size_t size);

/* Gives one array back early. */
void		acore_work_drop(AcWork *work, void *pointer);

/* Gives everything back. */
void		acore_work_end(AcWork *work);

#pragma GCC visibility pop

#endif							/* AC_WORK_H */
