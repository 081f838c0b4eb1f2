/* What if: how much shorter a mean step could be at most without some of its time. */
#ifndef TP_ANALYZE_WHAT_IF_H
#define TP_ANALYZE_WHAT_IF_H

#include "analyze/core/time_class.h"

struct tp_doc;
struct tp_finding_result;
struct tp_pass_ctx;
struct tp_steps;

/* Picoseconds that a mean step could be shorter at most without a class of time on any core (host). In each step that is
 * what the core with the most of it has, but never more than what is left when the core with the most work of its own has
 * done that: its work stays. Collectives and idle time are not work, for they may be waiting for a core that has the class. */
double tp_without_class_ps(const struct tp_steps *s, enum tp_class c);

/* The same without moving and formatting data in the device's memory, and no more than the mean step has of it. NaN: the steps do not tell it apart. */
double tp_without_copies_ps(const struct tp_steps *s);

/* The share of the mean step that a class of time has. */
double tp_class_share(const struct tp_steps *s, enum tp_class c);

/* "hiding it would make steps at most 1.3× faster.", or "… more than 10× faster, at best.": what is gained without this share of
 * them. without: all before, plain text. NaN: "how much faster steps could be is unknown." */
struct tp_text tp_say_speedup(struct tp_doc *doc, const char *without, double removable_share);

/* How much of a step the finding saves at most. NaN: it has no bound, as where that would be a whole step. */
double tp_removable_share(const struct tp_finding_result *r, const struct tp_steps *s);

/* The step that a verdict gives parts of, for "of the {} step": "0.664 ms mean", or its length alone where the median is that long, too. */
struct tp_value tp_say_step(const struct tp_pass_ctx *ctx, const struct tp_steps *s);

#endif
