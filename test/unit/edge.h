/*
 * edge.h
 *		Texts at the edges of readable memory.
 *
 * Vectorised code likes to read a little more than it may.  Here that is a
 * crash, under any build:
 *
 *		edge_end()		[unreadable page][ ........TEXT][unreadable page]
 *		edge_start()	[unreadable page][TEXT........ ][unreadable page]
 *
 * Both copy into the same memory: a text holds until the next one comes.
 */
#ifndef EDGE_H
#define EDGE_H

#include <stddef.h>
#include <stdint.h>

/* The longest text. */
#define EDGE_SIZE ((size_t) 1 << 17)

extern const uint8_t *edge_end(const uint8_t *text, size_t size);
extern const uint8_t *edge_start(const uint8_t *text, size_t size);

#endif							/* EDGE_H */
