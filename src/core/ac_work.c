/*
 * ac_work.c
 *		Workspace of a longer task.
 */
#include "ac_work.h"

#include <string.h>

void
acore_work_init(AcWork *work, const AcHost *host)
{
	work->host = host;
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
		memset(pointer, 0, (size_t) (count * size + 8));
	return pointer;
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
