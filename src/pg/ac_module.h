/*
 * ac_module.h
 *		The setting of the extension (ac_module.c).
 */
#ifndef AC_MODULE_H
#define AC_MODULE_H

#pragma GCC visibility push(hidden)

/* ac.cache_size in kB: what a backend may hold in cached automata. */
extern int	ac_cache_size;

/* Forgets least recently used automata until "limit" kB hold the rest. */
void		ac_cache_shrink(int limit);

#pragma GCC visibility pop

#endif							/* AC_MODULE_H */
