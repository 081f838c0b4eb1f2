/* Words by which traces of PyTorch are told from others in the same JSON. */
#ifndef TP_INGEST_TORCH_WORDS_H
#define TP_INGEST_TORCH_WORDS_H

#include "base/slice.h"

/* A category of events that no other program writes; a member beside them. */
bool tp_torch_category(struct tp_slice category);
bool tp_torch_key(struct tp_slice key);

#endif
