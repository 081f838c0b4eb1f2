/* Pairs of source and target, and the devices of replicas. */
#include "base/arena.h"
#include "fixture.h"
#include "model/hlo.h"
#include "model/hlo_pairs.h"
#include "unit.h"

static void
pairs_are_read(void **state)
{
	struct tp_hlo_pairs p;

	assert_true(tp_hlo_parse_pairs(TP_S("{{0,1},{ 12 , 3}}"), *state, &p));
	assert_int_equal(p.count, 2);
	assert_int_equal(p.at[0].source, 0);
	assert_int_equal(p.at[0].target, 1);
	assert_int_equal(p.at[1].source, 12);
	assert_int_equal(p.at[1].target, 3);
	assert_true(tp_hlo_parse_pairs(TP_S("{}"), *state, &p));
	assert_int_equal(p.count, 0);
}

static void
what_is_no_list_of_pairs_is_refused(void **state)
{
	static const char *const bad[] = {"", "{", "{{0,1}", "{{0,1},}", "{{0}}", "{{0,1,2}}", "{0,1}",
		"{{0,1}}x", "{{-1,0}}", "{{99999999999,0}}", "{{4294967295,0}}", "}", "{{,1}}", "{{{{"};
	struct tp_hlo_pairs p;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_false(tp_hlo_parse_pairs(tp_slice_of(bad[i]), *state, &p));
}

static void
pairs_stand_in_an_attribute(void **state)
{
	static const char key[] = "_xla_send_recv_source_target_pairs";
	char message[128];
	struct tp_hlo_details d = {.channel_id = 1};
	struct tp_hlo_pairs p;
	int n = snprintf(message, sizeof message, "\n%c\n%c%s\x12\x07{{5,6}}", (int)sizeof key - 1 + 11,
		(int)sizeof key - 1, key);

	d.frontend_attributes = (struct tp_slice){message, (size_t)n};
	assert_true(tp_hlo_pairs_of(&d, *state, &p));
	assert_int_equal(p.count, 1);
	assert_int_equal(p.at[0].target, 6);
	d.frontend_attributes.len -= 2;
	assert_false(tp_hlo_pairs_of(&d, *state, &p));
	d.frontend_attributes = TP_S("");
	assert_false(tp_hlo_pairs_of(&d, *state, &p));
}

static struct tp_hlo_devices
devices(const char *message, size_t length, struct tp_arena *arena)
{
	struct tp_hlo_module m = {.device_assignment = {message, length}};

	return tp_hlo_devices_of(&m, arena);
}

static void
replicas_and_partitions_have_devices(void **state)
{
	static const char replicas[] = "\x08\x03\x10\x01\x1a\x05\n\x03\x07\x08\x09";
	static const char partitions[] = "\x08\x01\x10\x02\x1a\x03\n\x01\x04\x1a\x02\x08\x05";
	static const char both[] = "\x08\x02\x10\x02\x1a\x04\n\x02\x00\x02\x1a\x04\n\x02\x01\x03";
	struct tp_hlo_devices d = devices(replicas, sizeof replicas - 1, *state);
	uint32_t out;

	assert_true(tp_hlo_device(&d, 2, &out));
	assert_int_equal(out, 9);
	assert_false(tp_hlo_device(&d, 3, &out));
	d = devices(partitions, sizeof partitions - 1, *state);
	assert_true(tp_hlo_device(&d, 1, &out));
	assert_int_equal(out, 5);
	assert_false(tp_hlo_device(&d, 2, &out));
	d = devices(both, sizeof both - 1, *state);
	for (uint32_t i = 0; i < 4; i++) {
		assert_true(tp_hlo_device(&d, i, &out));
		assert_int_equal(out, i);
	}
	assert_false(tp_hlo_device(&d, 4, &out));
}

static void
without_an_assignment_numbers_are_devices(void **state)
{
	static const char *const bad[] = {"", "\x08", "\x08\x02\x10\x01",
		"\x08\x02\x10\x01\x1a\x02\x08\x01", "\x08\xff\xff\xff\xff\x7f\x10\xff\xff\xff\xff\x7f"};
	uint32_t out;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct tp_hlo_devices d = devices(bad[i], strlen(bad[i]), *state);

		assert_null(d.of);
		assert_true(tp_hlo_device(&d, 17, &out));
		assert_int_equal(out, 17);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		ARENA_TEST(pairs_are_read),
		ARENA_TEST(what_is_no_list_of_pairs_is_refused),
		ARENA_TEST(pairs_stand_in_an_attribute),
		ARENA_TEST(replicas_and_partitions_have_devices),
		ARENA_TEST(without_an_assignment_numbers_are_devices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
