/* SHA-1 against the examples that NIST publishes (FIPS 180 with its example texts), and where a text just fills a block. */
#include "base/sha1.h"
#include "unit.h"

static void
examples_of_nist(void **state)
{
	char hex[TP_SHA1_HEX_SIZE];
	static char million[1000000];

	(void)state;
	tp_sha1_hex_of(TP_S("abc"), hex);
	assert_string_equal(hex, "a9993e364706816aba3e25717850c26c9cd0d89d");
	tp_sha1_hex_of(TP_S(""), hex);
	assert_string_equal(hex, "da39a3ee5e6b4b0d3255bfef95601890afd80709");
	tp_sha1_hex_of(TP_S("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"), hex);
	assert_string_equal(hex, "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
	memset(million, 'a', sizeof million);
	tp_sha1_hex_of((struct tp_slice){million, sizeof million}, hex);
	assert_string_equal(hex, "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

/* As Python's hashlib has them. */
static void
texts_as_long_as_a_block(void **state)
{
	static const struct {
		size_t length;
		const char *hex;
	} texts[] = {
		{55, "cef734ba81a024479e09eb5a75b6ddae62e6abf1"},
		{56, "901305367c259952f4e7af8323f480d59f81335b"},
		{63, "0ddc4e0cccd9a12850deb5abb0853a4425559fec"},
		{64, "bb2fa3ee7afb9f54c6dfb5d021f14b1ffe40c163"},
		{65, "78c741ddc482e4cdf8c474a0876347a0905b6233"},
		{119, "4300320394f7ee239bcdce7d3b8bcee173a0cd5c"},
		{120, "ceb2821639c4b6dcb10bce0e522ca2e608ce056d"},
		{128, "150fa3fbdc899bd0b8f95a9fb6027f564d953762"},
	};
	char text[128], hex[TP_SHA1_HEX_SIZE];

	(void)state;
	memset(text, 'x', sizeof text);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		tp_sha1_hex_of((struct tp_slice){text, texts[i].length}, hex);
		assert_string_equal(hex, texts[i].hex);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(examples_of_nist),
		cmocka_unit_test(texts_as_long_as_a_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
