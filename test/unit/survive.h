/*
 * survive.h
 *		What an image must stand that verification has accepted.
 */
#ifndef SURVIVE_H
#define SURVIVE_H

#include "subject.h"

/*
 * Opens the image, reads everything it holds, and scans the bodies by random
 * kinds and encodings, in place and accelerated.  False if an answer was
 * impossible, the work unbounded or memory was left behind.
 */
extern bool image_survives(TestHost *host, const uint8_t *image, size_t size,
						   const AcSpan *bodies, int nbodies, Rng *rng);

#endif							/* SURVIVE_H */
