/*
 * ac_work.c
 *		Workspace of a longer task.
 */
#include "ac_work.h"

#include <string.h>

#define PIECE		(1 << 20)	/* bytes written between two polls at most */
#define STEP_BYTES	16			/* bytes that take as long as a step */

void
acore_work_init(AcWork *work, const AcHost *host)
{
	work->host = host;
	work->interrupted = false;
	work->unpolled = 0;
	work->count = 0;
}

void *
acore_work_take(AcWork *work, uint64_t count, size_t size)
{
	uint64_t	bytes = count * size;
	void	   *pointer;

	/* some bytes more let packed arrays be read in eight-byte steps */
	bytes += 8;
	if (bytes > SIZE_MAX / 2 || work->count == AC_WORK_BLOCKS)
		return NULL;
	pointer = work->host->allocate(work->host->context, (size_t) bytes);
	if (pointer == NULL)
		return NULL;
	work->blocks[work->count].pointer = pointer;
	work->blocks[work->count].size = (size_t) bytes;
	work->count++;
	return pointer;
}

void *
acore_work_zero(AcWork *work, uint64_t count, size_t size)
{
	void	   *pointer = acore_work_take(work, count, size);

	if (pointer != NULL)
		acore_work_fill(work, pointer, 0, (size_t) (count * size + 8));
	return pointer;
}

void
acore_work_fill(AcWork *work, void *to, uint8_t byte, size_t bytes)
{
	size_t		at;

	for (at = 0; at < bytes; at += PIECE)
	{
		size_t		piece = bytes - at < PIECE ? bytes - at : PIECE;

		memset((uint8_t *) to + at, byte, piece);
		if (ac_work_poll(work, piece / STEP_BYTES))
			return;
	}
}

void
acore_work_copy(AcWork *work, void *to, const void *from, size_t bytes)
{
	size_t		at;

	for (at = 0; at < bytes; at += PIECE)
	{
		size_t		piece = bytes - at < PIECE ? bytes - at : PIECE;

		memcpy((uint8_t *) to + at, (const uint8_t *) from + at, piece);
		if (ac_work_poll(work, piece / STEP_BYTES))
			return;
	}
}

void
acore_work_drop(AcWork *work, void *pointer)
{
	int			i;

	for (i = 0; i < work->count; i++)
	{
		if (work->blocks[i].pointer != pointer)
			continue;
		work->host->release(work->host->context, pointer,
							work->blocks[i].size);
		work->blocks[i] = work->blocks[--work->count];
		return;
	}
}

void
acore_work_end(AcWork *work)
{
	while (work->count > 0)
	{
		work->count--;
		work->host->release(work->host->context,
							work->blocks[work->count].pointer,
							work->blocks[work->count].size);
	}
}
