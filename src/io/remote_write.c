/* Outputs: one request or parts that are joined, so that an object is whole or not there. */
#include "base/ending.h"
#include "base/path.h"
#include "io/http.h"
#include "io/remote.h"
#include "io/remote_object.h"
#include "io/upload.h"

/* So that a browser shows what it is given. */
static const char *
type_of(const char *path)
{
	static const struct {
		const char *suffix, *type;
	} types[] = {
		{".html", "text/html; charset=utf-8"},
		{".pdf", "application/pdf"},
		{".json", "application/json"},
		{".css", "text/css; charset=utf-8"},
		{".md", "text/markdown; charset=utf-8"},
		{".txt", "text/plain; charset=utf-8"},
	};

	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		if (tp_path_has_suffix(tp_slice_of(path), types[i].suffix))
			return types[i].type;
	}
	return "application/octet-stream";
}

static enum tp_status
write_at_once(
	const struct tp_object *o, struct tp_slice bytes, const char *type, struct tp_err *err)
{
	struct tp_http_reply reply = {0};
	struct tp_ask ask = {.op = TP_STORE_WRITE,
		.key = o->key,
		.secret = o->secret,
		.body = bytes,
		.type = type,
		.fd = -1};
	enum tp_status status = tp_store_ask(o->bucket, &ask, o->path.ptr, &reply, err);

	tp_http_free(&reply);
	return status;
}

enum tp_status
tp_remote_write(const char *path, struct tp_slice bytes, struct tp_err *err)
{
	struct tp_object *o = tp_object_of(path);

	if (o->bucket == NULL || o->key.len == 0)
		return tp_fail_at(err, TP_ERR_IO, path, TP_NO_OFFSET,
			o->bucket == NULL ? "cannot write: --fetch only reads"
							  : "cannot write: the object has no name");
	enum tp_status status = tp_upload_takes(o, bytes) ? tp_upload(o, bytes, type_of(path), err)
													  : write_at_once(o, bytes, type_of(path), err);

	if (status != TP_OK) {
		tp_while(err, "cannot write");
		err->status = TP_ERR_IO;
	}
	return err != NULL && status != TP_OK ? TP_ERR_IO : status;
}

void
tp_remote_remove(const char *path)
{
	struct tp_object *o = tp_object_of(path);
	struct tp_http_reply reply = {0};
	struct tp_ask ask = {.op = TP_STORE_DELETE,
		.key = o->key,
		.secret = o->secret,
		.fd = -1,
		.last = tp_ending_is_asked()};

	tp_store_ask(o->bucket, &ask, path, &reply, NULL);
	tp_http_free(&reply);
}
