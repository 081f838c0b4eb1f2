/* gzip (also several members) through io/inflate, zstd through libzstd. */
#include "io/unpack.h"

#include <stdlib.h>

#include <zstd.h>

#include "io/inflate.h"

struct tp_unpacker {
	enum tp_packing packing;
	const char *name;
	bool ended;
	struct tp_slice packed;
	struct tp_inflate *gzip;
	ZSTD_DStream *zstd;
	ZSTD_inBuffer zstd_in;
	size_t zstd_left; /* 0: a frame ended */
};

enum tp_packing
tp_packing_of(struct tp_slice head)
{
	if (tp_slice_starts(head, TP_S("\x1f\x8b")))
		return TP_PACKING_GZIP;
	if (tp_slice_starts(head, TP_S("\x28\xb5\x2f\xfd")))
		return TP_PACKING_ZSTD;
	/* A frame to be skipped, with which pzstd begins. */
	if (head.len >= 4 && (uint8_t)*head.ptr >> 4 == 5 &&
		tp_slice_starts(tp_slice_from(head, 1), TP_S("\x2a\x4d\x18")))
		return TP_PACKING_ZSTD;
	return TP_PACKING_NONE;
}

bool
tp_is_leveldb_table(struct tp_slice bytes)
{
	/* The footer: two handles padded to 40 bytes, then db4775248b80fb57 with its lowest byte first. */
	return bytes.len >= TP_LEVELDB_END_BYTES &&
		tp_slice_ends(bytes, TP_S("\x57\xfb\x80\x8b\x24\x75\x47\xdb"));
}

struct tp_unpacker *
tp_unpacker_open(
	enum tp_packing packing, struct tp_slice packed, const char *name, struct tp_err *err)
{
	struct tp_unpacker *u = calloc(1, sizeof *u);
	bool opened = u != NULL;

	if (opened) {
		*u = (struct tp_unpacker){.packing = packing, .name = name, .packed = packed};
		switch (packing) {
		case TP_PACKING_GZIP:
			u->gzip = tp_inflate_open(packed);
			opened = u->gzip != NULL;
			break;
		case TP_PACKING_ZSTD:
			u->zstd_in = (ZSTD_inBuffer){packed.ptr, packed.len, 0};
			u->zstd_left = 1;
			u->zstd = ZSTD_createDStream();
			opened = u->zstd != NULL;
			break;
		case TP_PACKING_NONE:
			break;
		}
	}
	if (opened)
		return u;
	free(u);
	tp_fail_at(err, TP_ERR_LIMIT, name, TP_NO_OFFSET, "not enough memory to unpack it");
	return NULL;
}

void
tp_unpacker_close(struct tp_unpacker *u)
{
	if (u == NULL)
		return;
	tp_inflate_close(u->gzip);
	ZSTD_freeDStream(u->zstd);
	free(u);
}

static enum tp_status
gunzip(struct tp_unpacker *u, char *to, size_t room, size_t *written, struct tp_err *err)
{
	const char *wrong = NULL;

	while (*written < room && !u->ended) {
		enum tp_inflated result = tp_inflate_read(u->gzip, to, room, written, &wrong);
		size_t at = tp_inflate_at(u->gzip);

		switch (result) {
		case TP_INFLATED_MORE:
			break;
		case TP_INFLATED_MEMBER:
			/* Another member may follow; zero padding or anything else after the last is ignored, as gzip does. */
			u->ended = at + 2 > u->packed.len ||
				tp_packing_of(tp_slice_from(u->packed, at)) != TP_PACKING_GZIP;
			if (!u->ended)
				tp_inflate_next(u->gzip);
			break;
		case TP_INFLATED_CUT_OFF:
			return tp_fail_at(
				err, TP_ERR_FORMAT, u->name, u->packed.len, "the gzip stream is cut off");
		case TP_INFLATED_DAMAGED:
			return tp_fail_at(
				err, TP_ERR_FORMAT, u->name, at, "the gzip stream is damaged: %s", wrong);
		}
	}
	return TP_OK;
}

static enum tp_status
unzstd(struct tp_unpacker *u, char *to, size_t room, size_t *written, struct tp_err *err)
{
	ZSTD_inBuffer *in = &u->zstd_in;

	while (*written < room && !u->ended) {
		ZSTD_outBuffer piece = {to, room, *written};

		u->zstd_left = ZSTD_decompressStream(u->zstd, &piece, in);
		*written = piece.pos;
		if (ZSTD_isError(u->zstd_left))
			return tp_fail_at(err, TP_ERR_FORMAT, u->name, in->pos,
				"the zstd stream is damaged: %s", ZSTD_getErrorName(u->zstd_left));
		/* All is in, and the frame ends here, or what it holds did not fill the room: nothing is left inside. */
		u->ended = in->pos == in->size && (u->zstd_left == 0 || piece.pos < room);
		if (u->ended && u->zstd_left != 0)
			return tp_fail_at(err, TP_ERR_FORMAT, u->name, in->pos, "the zstd stream is cut off");
	}
	return TP_OK;
}

enum tp_status
tp_unpacker_read(struct tp_unpacker *u, char *to, size_t room, size_t *written, struct tp_err *err)
{
	*written = 0;
	switch (u->packing) {
	case TP_PACKING_GZIP:
		return gunzip(u, to, room, written, err);
	case TP_PACKING_ZSTD:
		return unzstd(u, to, room, written, err);
	case TP_PACKING_NONE:
		break;
	}
	return tp_fail_at(err, TP_ERR_USAGE, u->name, 0, "it is not compressed");
}
