/* The canonical request, its hash in the string to sign, and a key that is derived for the day, the region and the service. */
#include "io/sigv4.h"

#include "base/arena.h"
#include "base/hmac.h"

#include <time.h>

void
tp_sigv4_header(struct tp_sigv4_request *r, struct tp_slice name, struct tp_slice value)
{
	unsigned at = r->header_count;

	if (at == TP_SIGV4_MOST_HEADERS)
		return;
	for (; at > 0 && tp_slice_cmp(r->headers[at - 1].name, name) > 0; at--)
		r->headers[at] = r->headers[at - 1];
	r->headers[at].name = name;
	r->headers[at].value = value;
	r->header_count++;
}

struct tp_slice
tp_sigv4_date(struct tp_arena *arena, int64_t unix_s)
{
	time_t seconds = (time_t)unix_s;
	struct tm utc;
	char text[32];

	gmtime_r(&seconds, &utc);
	strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &utc);
	return tp_arena_copy(arena, tp_slice_of(text));
}

/* "host;x-amz-date" */
static struct tp_slice
signed_names(struct tp_arena *arena, const struct tp_sigv4_request *r)
{
	struct tp_slice names = TP_S("");

	for (unsigned i = 0; i < r->header_count; i++)
		names = tp_arena_printf(
			arena, "%.*s%s%.*s", TP_ARG(names), i != 0 ? ";" : "", TP_ARG(r->headers[i].name));
	return names;
}

struct tp_slice
tp_sigv4_canonical(struct tp_arena *arena, const struct tp_sigv4_request *r)
{
	struct tp_slice headers = TP_S("");

	for (unsigned i = 0; i < r->header_count; i++)
		headers = tp_arena_printf(arena, "%.*s%.*s:%.*s\n", TP_ARG(headers),
			TP_ARG(r->headers[i].name), TP_ARG(r->headers[i].value));
	return tp_arena_printf(arena, "%.*s\n%.*s\n%.*s\n%.*s\n%.*s\n%.*s", TP_ARG(r->method),
		TP_ARG(r->path), TP_ARG(r->query), TP_ARG(headers), TP_ARG(signed_names(arena, r)),
		TP_ARG(r->payload_sha256));
}

static void
derive_key(struct tp_arena *arena, const struct tp_sigv4_key *key, struct tp_slice day,
	unsigned char digest[static TP_SHA256_SIZE])
{
	const struct tp_slice steps[] = {day, key->region, key->service, TP_S("aws4_request")};
	struct tp_slice with = tp_arena_printf(arena, "AWS4%.*s", TP_ARG(key->secret_key));

	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		tp_hmac_sha256(with, steps[i], digest);
		with = (struct tp_slice){(const char *)digest, TP_SHA256_SIZE};
	}
}

struct tp_slice
tp_sigv4_authorization(
	struct tp_arena *arena, const struct tp_sigv4_request *r, const struct tp_sigv4_key *key)
{
	char hash[TP_SHA256_HEX_SIZE], signature[TP_SHA256_HEX_SIZE];
	unsigned char derived[TP_SHA256_SIZE], digest[TP_SHA256_SIZE];
	struct tp_slice date = tp_sigv4_date(arena, key->now_unix_s), day = {date.ptr, 8};
	struct tp_slice scope = tp_arena_printf(arena, "%.*s/%.*s/%.*s/aws4_request", TP_ARG(day),
		TP_ARG(key->region), TP_ARG(key->service));

	tp_sha256_hex_of(tp_sigv4_canonical(arena, r), hash);
	struct tp_slice to_sign = tp_arena_printf(
		arena, "AWS4-HMAC-SHA256\n%.*s\n%.*s\n%s", TP_ARG(date), TP_ARG(scope), hash);

	derive_key(arena, key, day, derived);
	tp_hmac_sha256((struct tp_slice){(const char *)derived, sizeof derived}, to_sign, digest);
	tp_sha256_hex(digest, signature);
	return tp_arena_printf(arena,
		"AWS4-HMAC-SHA256 Credential=%.*s/%.*s, SignedHeaders=%.*s, Signature=%s",
		TP_ARG(key->access_key), TP_ARG(scope), TP_ARG(signed_names(arena, r)), signature);
}
