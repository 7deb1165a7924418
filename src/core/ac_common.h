/*
 * ac_common.h
 *		How common four bytes are in ordinary text.
 */
#ifndef AC_COMMON_H
#define AC_COMMON_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

#define AC_COMMON_PAIRS	12		/* log2 */
#define AC_COMMON_QUADS	15		/* log2 */

/* Counts taken from a sample of ordinary text. */
typedef struct AcCommon
{
	uint16_t	bytes[256];
	uint8_t		pairs[1 << AC_COMMON_PAIRS];	/* by hash */
	uint8_t		quads[1 << AC_COMMON_QUADS];	/* by hash */
} AcCommon;

void		acore_common_learn(AcCommon *common);

/*
 * The higher the more often the four bytes stand in ordinary text, in eighths
 * of a bit; 0 for what the sample has nothing of.
 */
int			acore_common_quad(const AcCommon *common, const uint8_t *bytes);

#pragma GCC visibility pop

#endif							/* AC_COMMON_H */
