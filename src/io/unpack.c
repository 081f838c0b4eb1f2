/* gzip (also several members) through zlib, zstd through libzstd; both stream into one growing block. */
#include "io/unpack.h"

#include <stdlib.h>

#include <zlib.h>
#include <zstd.h>

struct grown {
	char *data;
	size_t size, capacity;
};

/* Room for at least one more byte. */
static enum tp_status
grow(struct grown *g, size_t hint, const char *name, struct tp_err *err)
{
	if (g->size < g->capacity)
		return TP_OK;
	if (g->capacity >= TP_UNPACK_LIMIT)
		return tp_fail_at(err, TP_ERR_LIMIT, name, TP_NO_OFFSET,
			"unpacks to more than %zu GiB; give a smaller file", TP_UNPACK_LIMIT >> 30);
	size_t capacity = g->capacity ? g->capacity * 2 : (hint < 4096 ? 4096 : hint);
	char *data = realloc(g->data, capacity);

	if (data == NULL)
		return tp_fail_at(err, TP_ERR_LIMIT, name, TP_NO_OFFSET,
			"not enough memory to unpack it (%zu MiB so far)", g->size >> 20);
	g->data = data;
	g->capacity = capacity;
	return TP_OK;
}

static enum tp_status
gunzip(struct tp_slice packed, const char *name, struct grown *out, struct tp_err *err)
{
	z_stream z = {0};
	size_t fed = 0;
	enum tp_status status = TP_OK;

	if (inflateInit2(&z, 15 + 16) != Z_OK)
		return tp_fail_at(err, TP_ERR_LIMIT, name, TP_NO_OFFSET, "not enough memory to unpack it");
	for (;;) {
		if (z.avail_in == 0 && fed < packed.len) {
			size_t piece = packed.len - fed < (1u << 30) ? packed.len - fed : (1u << 30);

			z.next_in = (Bytef *)(packed.ptr + fed);
			z.avail_in = (uInt)piece;
			fed += piece;
		}
		status = grow(out, packed.len * 4, name, err);
		if (status != TP_OK)
			break;
		size_t room = out->capacity - out->size;

		z.next_out = (Bytef *)out->data + out->size;
		z.avail_out = (uInt)(room < (1u << 30) ? room : (1u << 30));
		uInt offered = z.avail_out;
		int result = inflate(&z, Z_NO_FLUSH);

		out->size += offered - z.avail_out;
		uint64_t at = fed - z.avail_in;

		if (result == Z_STREAM_END) {
			/* Another member may follow; zero padding or anything else after the last is ignored, as gzip does. */
			if (z.avail_in < 2 || z.next_in[0] != 0x1f || z.next_in[1] != 0x8b)
				break;
			inflateReset(&z);
		} else if (result == Z_BUF_ERROR && z.avail_in == 0 && fed == packed.len) {
			status = tp_fail_at(err, TP_ERR_FORMAT, name, at, "the gzip stream is cut off");
			break;
		} else if (result != Z_OK && result != Z_BUF_ERROR) {
			status = tp_fail_at(err, TP_ERR_FORMAT, name, at, "the gzip stream is damaged: %s",
				z.msg ? z.msg : "unknown error");
			break;
		}
	}
	inflateEnd(&z);
	return status;
}

static enum tp_status
unzstd(struct tp_slice packed, const char *name, struct grown *out, struct tp_err *err)
{
	ZSTD_DStream *z = ZSTD_createDStream();
	ZSTD_inBuffer in = {packed.ptr, packed.len, 0};
	enum tp_status status = TP_OK;

	if (z == NULL)
		return tp_fail_at(err, TP_ERR_LIMIT, name, TP_NO_OFFSET, "not enough memory to unpack it");
	for (;;) {
		status = grow(out, packed.len * 4, name, err);
		if (status != TP_OK)
			break;
		ZSTD_outBuffer piece = {out->data, out->capacity, out->size};
		size_t left = ZSTD_decompressStream(z, &piece, &in);

		out->size = piece.pos;
		if (ZSTD_isError(left)) {
			status = tp_fail_at(err, TP_ERR_FORMAT, name, in.pos, "the zstd stream is damaged: %s",
				ZSTD_getErrorName(left));
			break;
		}
		if (in.pos == in.size && out->size < out->capacity) {
			if (left != 0)
				status = tp_fail_at(err, TP_ERR_FORMAT, name, in.pos, "the zstd stream is cut off");
			break;
		}
	}
	ZSTD_freeDStream(z);
	return status;
}

enum tp_packing
tp_packing_of(struct tp_slice head)
{
	if (tp_slice_starts(head, TP_S("\x1f\x8b")))
		return TP_PACKING_GZIP;
	if (tp_slice_starts(head, TP_S("\x28\xb5\x2f\xfd")))
		return TP_PACKING_ZSTD;
	return TP_PACKING_NONE;
}

enum tp_status
tp_unpack(enum tp_packing packing, struct tp_slice packed, const char *name, struct tp_slice *out,
	struct tp_err *err)
{
	struct grown grown = {0};
	enum tp_status status = TP_OK;

	switch (packing) {
	case TP_PACKING_GZIP:
		status = gunzip(packed, name, &grown, err);
		break;
	case TP_PACKING_ZSTD:
		status = unzstd(packed, name, &grown, err);
		break;
	case TP_PACKING_NONE:
		status = tp_fail_at(err, TP_ERR_USAGE, name, 0, "it is not compressed");
		break;
	}
	*out = (struct tp_slice){grown.data, grown.size};
	return status;
}
