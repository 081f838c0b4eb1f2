/* Tables of LevelDB (SSTable, its table_format.md): texts by keys in order, as TensorFlow keeps what checkpoints hold; syntax only. Blocks
 * may be packed by Snappy. */
#ifndef TP_CODEC_TABLE_H
#define TP_CODEC_TABLE_H

#include "base/buf.h"
#include "base/slice.h"

#include <stdint.h>

enum tp_table_state {
	TP_TABLE_MORE,
	TP_TABLE_END,
	TP_TABLE_BROKEN,  /* not a table, or damaged */
	TP_TABLE_UNKNOWN, /* a block is packed in a way that is not known */
};

enum { TP_TABLE_LONGEST_KEY = 4096 };

struct tp_table {
	enum tp_table_state state;
	struct tp_slice key, value; /* valid until the next call */

	/* Its own. */
	struct tp_slice file, index, block;
	char key_room[TP_TABLE_LONGEST_KEY], index_key[TP_TABLE_LONGEST_KEY];
	size_t key_length, index_key_length;
	struct tp_buf index_bytes, block_bytes; /* unpacked */
};

/* To be closed, whatever comes of it. */
void tp_table_open(struct tp_table *t, struct tp_slice file);
void tp_table_close(struct tp_table *t);

/* The next entry; false when state is no longer MORE. */
bool tp_table_next(struct tp_table *t);

#endif
