/* A view as text, in the layout of tfprof. */
#ifndef TP_TFPROF_TEXT_H
#define TP_TFPROF_TEXT_H

#include "tfprof/line.h"

struct tp_checkpoint;
struct tp_sink;
struct tp_tfprof_outputs;

struct tp_tfprof_text {
	const struct tp_tfprof *tfprof;
	const struct tp_tfprof_view *view;
	const struct tp_tfprof_line *line;
	const struct tp_checkpoint *checkpoint; /* NULL: no values are shown */
	struct tp_sink *out;
	struct tp_tfprof_outputs *outputs; /* its own */
};

/* Head and rows. */
void tp_tfprof_put_text(const struct tp_tfprof_text *text);

/* Its own: rows of the op view, and what all views share. */
void tp_tfprof_put_op(const struct tp_tfprof_text *text, const struct tp_tfprof_row *row);

/* Names with bars between, each once and in order: the devices or types of a node, or of all nodes of a group. */
enum tp_tfprof_names { TP_TFPROF_DEVICES, TP_TFPROF_TYPES };
void tp_tfprof_put_names(const struct tp_tfprof_text *text, enum tp_tfprof_names which,
	const uint32_t *nodes, uint32_t count);

/* "3x3x3x16" of int64_t. */
void tp_tfprof_put_shape(struct tp_sink *out, const int64_t *dims, size_t count);

/* What stands between the cells of a row. */
void tp_tfprof_put_comma(struct tp_sink *out, bool *first);

#endif
