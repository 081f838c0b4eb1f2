/* The words of tfprof's reports: what is explained above the rows, their head, numbers. */
#ifndef TP_TFPROF_WORDS_H
#define TP_TFPROF_WORDS_H

#include "tfprof/line.h"

#include <stdint.h>

struct tp_sink;

/* "1.82MB", "10.88ms", "84.93m": as tfprof shortens them, by powers of 1000, never beyond MB and seconds. */
void tp_tfprof_put_bytes(struct tp_sink *out, int64_t bytes);
void tp_tfprof_put_us(struct tp_sink *out, int64_t us);
void tp_tfprof_put_count(struct tp_sink *out, int64_t count);

/* What stands before the rows: a warning where there is cause, and what is shown. */
void tp_tfprof_put_head(const struct tp_tfprof *t, const struct tp_tfprof_line *line,
	enum tp_tfprof_kind kind, struct tp_sink *out);

/* What commands there are. */
void tp_tfprof_put_help(struct tp_sink *out);

#endif
