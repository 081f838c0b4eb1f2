/* Where a bucket is, and with which keys it is asked. */
#include "io/s3_bucket.h"

#include "base/arena.h"
#include "io/aws_profile.h"
#include "io/url.h"

/* "host:9000" or "http://host:9000/base". */
static void
set_endpoint(struct tp_s3 *s, struct tp_slice endpoint, struct tp_slice scheme)
{
	struct tp_url url;

	s->amazon = s->in_host = false;
	s->scheme = scheme;
	s->host = endpoint;
	s->base = (struct tp_slice){"", 0};
	if (tp_url_split(endpoint, &url)) {
		s->scheme = url.scheme;
		s->host = url.host;
		s->base = url.path;
	}
	while (tp_slice_ends(s->base, TP_S("/")))
		s->base.len--;
	while (tp_slice_ends(s->host, TP_S("/")))
		s->host.len--;
	s->host = tp_url_usual_host(s->scheme, s->host);
}

static bool
says_no(const char *variable)
{
	struct tp_slice value = tp_env(variable);

	return tp_slice_eq(value, TP_S("0")) || tp_slice_eq(value, TP_S("false")) ||
		tp_slice_eq(value, TP_S("False"));
}

/* A name with dots is no host that the certificate is for. */
static bool
may_be_in_host(struct tp_slice name)
{
	for (size_t i = 0; i < name.len; i++) {
		if (strchr("abcdefghijklmnopqrstuvwxyz0123456789-", name.ptr[i]) == NULL)
			return false;
	}
	return name.len != 0;
}

static void
find_endpoint(struct tp_s3 *s, const struct tp_bucket *b, struct tp_arena *arena)
{
	struct tp_slice endpoint = tp_aws_endpoint(arena, "S3");

	s->scheme = TP_S("https");
	if (endpoint.len != 0) {
		set_endpoint(s, endpoint, TP_S("https"));
	} else if (tp_env("S3_ENDPOINT").len != 0) {
		/* As TensorFlow's and PyTorch's plugins had it. */
		set_endpoint(
			s, tp_env("S3_ENDPOINT"), says_no("S3_USE_HTTPS") ? TP_S("http") : TP_S("https"));
	} else {
		s->amazon = true;
		s->in_host = may_be_in_host(b->name);
	}
	s->insecure = says_no("S3_VERIFY_SSL");
	if (tp_env("AWS_CA_BUNDLE").len != 0)
		s->ca_file = tp_env("AWS_CA_BUNDLE").ptr;
}

struct tp_s3 *
tp_s3_of(struct tp_bucket *b)
{
	if (b->own != NULL)
		return b->own;
	struct tp_s3 *s = tp_new(b->arena, struct tp_s3);

	b->own = s;
	find_endpoint(s, b, b->arena);
	s->region = tp_aws_region(b->arena);
	s->region = s->region.len != 0 ? s->region : tp_env("S3_REGION");
	s->region = s->region.len != 0 ? s->region : TP_S("us-east-1");
	return s;
}

struct tp_s3 *
tp_s3_of_google(struct tp_bucket *b, struct tp_slice access_key, struct tp_slice secret_key)
{
	struct tp_slice endpoint = tp_env("STORAGE_EMULATOR_HOST");
	struct tp_s3 *s = tp_new(b->arena, struct tp_s3);

	set_endpoint(s, endpoint.len != 0 ? endpoint : TP_S("storage.googleapis.com"),
		endpoint.len != 0 ? TP_S("http") : TP_S("https"));
	s->region = TP_S("auto");
	s->keys = (struct tp_aws_keys){
		.access_key = access_key, .secret_key = secret_key, .source = TP_S("GS_ACCESS_KEY_ID")};
	s->keys_known = true;
	return s;
}
