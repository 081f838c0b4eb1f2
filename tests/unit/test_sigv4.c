/* Signatures against the examples that AWS publishes: those of its guide to S3 (Examples: Signature Calculations in AWS Signature
 * Version 4) and of its test suite (aws-sig-v4-test-suite), and the encoding that they are computed over. */
#include "base/arena.h"
#include "base/hmac.h"
#include "io/sigv4.h"
#include "io/url.h"
#include "unit.h"

static const char empty_sha256[] =
	"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

static struct tp_arena *arena;

static int
set_up(void **state)
{
	(void)state;
	arena = tp_arena_new();
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	tp_arena_free(arena);
	return 0;
}

/* 2013-05-24T00:00:00Z, 2015-08-30T12:36:00Z */
enum { GUIDE_UNIX_S = 1369353600, SUITE_UNIX_S = 1440938160 };

static const struct tp_sigv4_key guide_key = {
	.access_key = {"AKIAIOSFODNN7EXAMPLE", 20},
	.secret_key = {"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", 40},
	.region = {"us-east-1", 9},
	.service = {"s3", 2},
	.now_unix_s = GUIDE_UNIX_S,
};

static const struct tp_sigv4_key suite_key = {
	.access_key = {"AKIDEXAMPLE", 11},
	.secret_key = {"wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", 40},
	.region = {"us-east-1", 9},
	.service = {"service", 7},
	.now_unix_s = SUITE_UNIX_S,
};

static struct tp_sigv4_request
of_guide(const char *path, const char *query)
{
	struct tp_sigv4_request r = {.method = TP_S("GET"),
		.path = tp_slice_of(path),
		.query = tp_slice_of(query),
		.payload_sha256 = tp_slice_of(empty_sha256)};

	tp_sigv4_header(&r, TP_S("x-amz-date"), TP_S("20130524T000000Z"));
	tp_sigv4_header(&r, TP_S("host"), TP_S("examplebucket.s3.amazonaws.com"));
	return r;
}

static void
assert_signature(
	const struct tp_sigv4_request *r, const struct tp_sigv4_key *key, const char *signature)
{
	struct tp_slice text = tp_sigv4_authorization(arena, r, key);

	assert_true(tp_slice_ends(text, tp_slice_of(signature)));
}

static void
get_with_a_range(void **state)
{
	struct tp_sigv4_request r = of_guide("/test.txt", "");

	(void)state;
	tp_sigv4_header(&r, TP_S("range"), TP_S("bytes=0-9"));
	tp_sigv4_header(&r, TP_S("x-amz-content-sha256"), r.payload_sha256);
	struct tp_slice text = tp_sigv4_authorization(arena, &r, &guide_key);

	assert_string_equal(text.ptr,
		"AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
		"SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
		"Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
}

static void
put_of_a_name_with_a_dollar(void **state)
{
	struct tp_sigv4_request r = of_guide("", "");
	char hash[TP_SHA256_HEX_SIZE];

	(void)state;
	tp_sha256_hex_of(TP_S("Welcome to Amazon S3."), hash);
	r.method = TP_S("PUT");
	r.path =
		tp_arena_printf(arena, "/%.*s", TP_ARG(tp_url_encode(arena, TP_S("test$file.text"), true)));
	r.payload_sha256 = tp_slice_of(hash);
	tp_sigv4_header(&r, TP_S("date"), TP_S("Fri, 24 May 2013 00:00:00 GMT"));
	tp_sigv4_header(&r, TP_S("x-amz-storage-class"), TP_S("REDUCED_REDUNDANCY"));
	tp_sigv4_header(&r, TP_S("x-amz-content-sha256"), r.payload_sha256);
	assert_signature(
		&r, &guide_key, "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
}

static void
listing_with_a_query(void **state)
{
	struct tp_query q = {.count = 0};

	(void)state;
	tp_query_add(&q, TP_S("prefix"), TP_S("J"));
	tp_query_add(&q, TP_S("max-keys"), TP_S("2"));
	struct tp_sigv4_request r = of_guide("/", tp_query_text(arena, &q).ptr);

	tp_sigv4_header(&r, TP_S("x-amz-content-sha256"), r.payload_sha256);
	assert_signature(
		&r, &guide_key, "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
}

static void
query_without_a_value(void **state)
{
	struct tp_sigv4_request r = of_guide("/", "lifecycle=");

	(void)state;
	tp_sigv4_header(&r, TP_S("x-amz-content-sha256"), r.payload_sha256);
	assert_signature(
		&r, &guide_key, "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
}

static void
suite_get_vanilla(void **state)
{
	struct tp_sigv4_request r = {.method = TP_S("GET"),
		.path = TP_S("/"),
		.query = TP_S(""),
		.payload_sha256 = tp_slice_of(empty_sha256)};

	(void)state;
	tp_sigv4_header(&r, TP_S("host"), TP_S("example.amazonaws.com"));
	tp_sigv4_header(&r, TP_S("x-amz-date"), tp_sigv4_date(arena, SUITE_UNIX_S));
	assert_string_equal(tp_sigv4_canonical(arena, &r).ptr,
		"GET\n/\n\nhost:example.amazonaws.com\nx-amz-date:20150830T123600Z\n\nhost;x-amz-date\n"
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	assert_signature(
		&r, &suite_key, "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31");
}

static void
suite_get_vanilla_query_order(void **state)
{
	struct tp_query q = {.count = 0};
	struct tp_sigv4_request r = {
		.method = TP_S("GET"), .path = TP_S("/"), .payload_sha256 = tp_slice_of(empty_sha256)};

	(void)state;
	tp_query_add(&q, TP_S("Param2"), TP_S("value2"));
	tp_query_add(&q, TP_S("Param1"), TP_S("value1"));
	r.query = tp_query_text(arena, &q);
	tp_sigv4_header(&r, TP_S("host"), TP_S("example.amazonaws.com"));
	tp_sigv4_header(&r, TP_S("x-amz-date"), TP_S("20150830T123600Z"));
	assert_signature(
		&r, &suite_key, "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500");
}

static void
all_but_plain_characters_are_encoded(void **state)
{
	(void)state;
	assert_string_equal(tp_url_encode(arena, TP_S("step=100/x:y z+ü~_.-"), true).ptr,
		"step%3D100/x%3Ay%20z%2B%C3%BC~_.-");
	assert_string_equal(tp_url_encode(arena, TP_S("a/b"), false).ptr, "a%2Fb");
	assert_string_equal(tp_url_decode(arena, TP_S("a%2Fb%zz%4")).ptr, "a/b%zz%4");
	assert_string_equal(tp_url_decode(arena, TP_S("%41")).ptr, "A");
}

static void
queries_are_sorted_by_encoded_name_then_value(void **state)
{
	struct tp_query q = {.count = 0};

	(void)state;
	tp_query_add(&q, TP_S("b"), TP_S("2"));
	tp_query_add(&q, TP_S("a"), TP_S("z"));
	tp_query_add(&q, TP_S("b"), TP_S("1"));
	tp_query_add(&q, TP_S("ä"), TP_S("="));
	assert_string_equal(tp_query_text(arena, &q).ptr, "%C3%A4=%3D&a=z&b=1&b=2");
}

/* RFC 4231, cases 1, 2 and 6: a key longer than a block. */
static void
hmac_of_rfc_4231(void **state)
{
	unsigned char digest[TP_SHA256_SIZE], key[131];
	char hex[TP_SHA256_HEX_SIZE];

	(void)state;
	memset(key, 0x0b, 20);
	tp_hmac_sha256((struct tp_slice){(char *)key, 20}, TP_S("Hi There"), digest);
	tp_sha256_hex(digest, hex);
	assert_string_equal(hex, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
	tp_hmac_sha256(TP_S("Jefe"), TP_S("what do ya want for nothing?"), digest);
	tp_sha256_hex(digest, hex);
	assert_string_equal(hex, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
	memset(key, 0xaa, sizeof key);
	tp_hmac_sha256((struct tp_slice){(char *)key, sizeof key},
		TP_S("Test Using Larger Than Block-Size Key - Hash Key First"), digest);
	tp_sha256_hex(digest, hex);
	assert_string_equal(hex, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

static void
addresses_have_their_parts(void **state)
{
	struct tp_url url;

	(void)state;
	assert_true(tp_url_split(TP_S("https://u:p@host:8443/a/b?q=1&r#f"), &url));
	assert_true(tp_slice_eq(url.user, TP_S("u:p")) && tp_slice_eq(url.host, TP_S("host:8443")));
	assert_true(tp_slice_eq(url.path, TP_S("/a/b")) && tp_slice_eq(url.query, TP_S("q=1&r")));
	assert_true(tp_url_split(TP_S("http://host"), &url) && url.path.len == 0);
	assert_false(tp_url_split(TP_S("/a/b"), &url) || tp_url_split(TP_S("http://"), &url));
	assert_true(tp_slice_eq(tp_url_usual_host(TP_S("https"), TP_S("h:443")), TP_S("h")));
	assert_true(tp_slice_eq(tp_url_usual_host(TP_S("http"), TP_S("h:443")), TP_S("h:443")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(get_with_a_range),
		cmocka_unit_test(put_of_a_name_with_a_dollar),
		cmocka_unit_test(listing_with_a_query),
		cmocka_unit_test(query_without_a_value),
		cmocka_unit_test(suite_get_vanilla),
		cmocka_unit_test(suite_get_vanilla_query_order),
		cmocka_unit_test(all_but_plain_characters_are_encoded),
		cmocka_unit_test(queries_are_sorted_by_encoded_name_then_value),
		cmocka_unit_test(hmac_of_rfc_4231),
		cmocka_unit_test(addresses_have_their_parts),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
