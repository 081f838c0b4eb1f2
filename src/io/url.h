/* Addresses: their parts, and the encoding that signatures are computed over. */
#ifndef TP_IO_URL_H
#define TP_IO_URL_H

#include "base/slice.h"

#include <stdbool.h>

struct tp_arena;

/* "https://user:secret@host:8443/a/b?q=1#f" by its parts, which point into it; those that are not there are empty. */
struct tp_url {
	struct tp_slice scheme; /* "https" */
	struct tp_slice user;   /* "user:secret" */
	struct tp_slice host;   /* "host:8443" */
	struct tp_slice path;   /* "/a/b" */
	struct tp_slice query;  /* "q=1" */
};

/* False where it has no scheme and no host. */
bool tp_url_split(struct tp_slice text, struct tp_url *url);

/* The host as a browser would send it: without the port that goes with the scheme. */
struct tp_slice tp_url_usual_host(struct tp_slice scheme, struct tp_slice host);

/* Percent-encodes all bytes but A–Z a–z 0–9 - _ . ~, and / where it is kept: what AWS calls UriEncode. */
struct tp_slice tp_url_encode(struct tp_arena *arena, struct tp_slice text, bool keep_slashes);

/* The bytes that were encoded; a % that encodes nothing stays. */
struct tp_slice tp_url_decode(struct tp_arena *arena, struct tp_slice text);

/* A query by name and value, as they are before they are encoded. */
enum { TP_QUERY_MOST = 16 };
struct tp_query {
	struct {
		struct tp_slice name, value;
	} at[TP_QUERY_MOST];
	unsigned count;
};

void tp_query_add(struct tp_query *q, struct tp_slice name, struct tp_slice value);

/* "a=1&b=2", encoded and sorted by name, then value, as a signature wants it. */
struct tp_slice tp_query_text(struct tp_arena *arena, const struct tp_query *q);

#endif
