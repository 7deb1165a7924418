/*
 * ac_text.h
 *		The text form of a rule set (ac_text.c).
 */
#ifndef AC_TEXT_H
#define AC_TEXT_H

#include "ac_rules.h"

#pragma GCC visibility push(hidden)

/* Parses a text form into "rules", which this initialises. */
void		ac_text_parse(const char *text, AcRuleSet *rules);

/* Writes rules in their text form, in the current context. */
char	   *ac_text_write(const AcRules *rules);

#pragma GCC visibility pop

#endif							/* AC_TEXT_H */
