/* What an event says beside its name and time: an entry in the table of its kind. */
#ifndef TP_INGEST_TORCH_DETAILS_H
#define TP_INGEST_TORCH_DETAILS_H

#include <stdint.h>

struct tp_torch_columns;
struct tp_torch_event;

/* The index of the entry that it adds; TP_NONE for kinds without a table. kind: enum tp_torch_kind. */
uint32_t tp_torch_detail(struct tp_torch_columns *c, uint8_t kind, const struct tp_torch_event *e);

#endif
