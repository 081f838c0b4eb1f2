/* Operations of TensorFlow that run on a TPU, by version of TensorBoard's list. */
#ifndef TP_ANALYZE_TPU_OPS_H
#define TP_ANALYZE_TPU_OPS_H

#include "base/slice.h"

/* Each is named after the first version of TensorBoard that carried it. */
enum tp_tpu_list {
	TP_TPU_LIST_1_5,
	TP_TPU_LIST_1_6,
	TP_TPU_LIST_1_8,
	TP_TPU_LIST_1_9,
	TP_TPU_LIST_1_10,
	TP_TPU_LIST_1_11,
	TP_TPU_LIST_2_4,
	TP_TPU_LIST_2_5,
	TP_TPU_LIST_COUNT,
	TP_TPU_LIST_NEWEST = TP_TPU_LIST_COUNT - 1,
};

struct tp_tpu_list_row {
	const char *first, *last; /* versions of TensorBoard that carry it: "1.11", "2.3" */
	const char *date;         /* when it was written: "2018-08-09" */
	const char *commit;       /* in TensorBoard's repository */
};

const struct tp_tpu_list_row *tp_tpu_list_row(enum tp_tpu_list list);

/* How many operations a list holds. */
size_t tp_tpu_list_size(enum tp_tpu_list list);

/* The list that a version of TensorBoard carries, "1.13" or "2.12.3"; TP_TPU_LIST_COUNT when it is no version, or older than
 * the first of them. */
enum tp_tpu_list tp_tpu_list_of(const char *version);

/* Whether this version of TensorBoard came after the last whose list is known. */
bool tp_tpu_list_is_past(const char *version);

struct tp_tpu_op {
	const char *name;
	enum tp_tpu_list since, gone; /* gone: the list that left it out; TP_TPU_LIST_COUNT: none did */
};

/* NULL: no list holds it. */
const struct tp_tpu_op *tp_tpu_op(struct tp_slice name);

/* Whether a list holds it. */
bool tp_tpu_listed(struct tp_slice name, enum tp_tpu_list list);

#endif
