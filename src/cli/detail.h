/* How much of a report is made: all of it, or what memory suffices for. A report that runs out of memory starts again with less,
 * which it finds in its environment: arguments are the user's. Tables that stand open have all their rows either way. */
#ifndef TP_CLI_DETAIL_H
#define TP_CLI_DETAIL_H

#include <stdbool.h>
#include <stddef.h>

struct tp_arena;
struct tp_args;
struct tp_diags;
struct tp_memory_again;
struct tp_outputs;
struct tp_pass_options;

/* What to do where memory runs out once all is read, until something is printed (cli/write.c); NULL: there is no less, or what was
 * read cannot be again. */
const struct tp_memory_again *tp_detail_less(const struct tp_args *args, struct tp_arena *arena);

/* What to do where memory does not suffice for all traces of a run, however little is made of them: a report of each by itself
 * (cli/parts.h). out: NULL where it is not written but asked for something. NULL: likewise. */
const struct tp_memory_again *tp_detail_parts(
	const struct tp_args *args, const struct tp_outputs *out, struct tp_arena *arena);

/* What to do where memory does not suffice for several of them at a time; NULL: likewise. */
const struct tp_memory_again *tp_detail_alone(
	const struct tp_args *args, const struct tp_outputs *out, struct tp_arena *arena);

/* Whether it started again for the one or the other; for the other. */
bool tp_detail_is_in_parts(void);
bool tp_detail_is_alone(void);

/* Leaves out of the passes what memory did not suffice for. */
void tp_detail_take(struct tp_pass_options *options);

/* Says what was left out, if anything was. */
void tp_detail_tell(struct tp_diags *diags);

/* How many collectives a report of merged ranks is made of, out of as many as usual. */
size_t tp_detail_calls(size_t usual);

#endif
