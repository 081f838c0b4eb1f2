/* Details of launches and copies, as profilers of several years write them. */
#include "analyze/facts/kernel_launch.h"

#include "unit.h"

#include <math.h>

static void
old_details_are_read(void **state)
{
	struct tp_kernel_launch l =
		tp_kernel_launch_read(TP_S("regs:38 shm:1024 grid:160,2,1 block:1024,1,1"));

	(void)state;
	assert_int_equal(l.registers, 38);
	assert_int_equal(tp_launch_shared_bytes(&l), 1024);
	assert_int_equal(tp_launch_blocks(&l), 320);
	assert_int_equal(tp_launch_threads(&l), 1024);
	assert_true(isnan(l.occupancy));
}

static void
new_details_are_read(void **state)
{
	struct tp_kernel_launch l = tp_kernel_launch_read(
		TP_S("regs:168 static_shared:16 dynamic_shared:213120\ngrid:132,1,1 block:128,3,1 "
			 "private_mem:0 occ_pct:18.75"));

	(void)state;
	assert_int_equal(l.static_bytes, 16);
	assert_int_equal(l.dynamic_bytes, 213120);
	assert_int_equal(tp_launch_threads(&l), 384);
	assert_true(l.occupancy == 0.1875);
}

static void
what_is_out_of_bounds_is_not_stated(void **state)
{
	/* As old TensorFlow wrote on the host's events: numbers that were never set. */
	struct tp_kernel_launch l = tp_kernel_launch_read(
		TP_S("regs:17179869185 shm:18446744073709551615 grid:0,1,1 block:1024,1 occ_pct:0"));

	(void)state;
	assert_false(l.has_registers);
	assert_false(l.has_shared);
	assert_false(l.has_grid);
	assert_false(l.has_block);
	assert_true(isnan(l.occupancy));
	assert_int_equal(tp_launch_blocks(&l), 0);
}

static void
odd_texts_state_nothing(void **state)
{
	static const char *const texts[] = {"", " ", ":", "regs", "regs:", "grid:,,", "grid:1,1,1,1",
		"block:-1,1,1", "occ_pct:nan", "occ_pct:1e999", "a:b:c", "\n\n", "regs:3x"};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct tp_kernel_launch l = tp_kernel_launch_read(tp_slice_of(texts[i]));

		assert_false(l.has_registers || l.has_shared || l.has_grid || l.has_block);
		assert_true(isnan(l.occupancy));
	}
}

static void
a_product_beyond_all_bounds_is_not_stated(void **state)
{
	struct tp_kernel_launch l =
		tp_kernel_launch_read(TP_S("grid:4294967295,4294967295,4294967295 block:1,1,1"));

	(void)state;
	assert_true(l.has_grid);
	assert_int_equal(tp_launch_blocks(&l), 0);
}

static void
copies_of_all_ages_state_their_bytes(void **state)
{
	struct tp_copy old = tp_copy_read(TP_S("size:4 dest:1 async:1"));
	struct tp_copy new =
		tp_copy_read(TP_S("kind_src:pinned kind_dst:device size:1048576 dest:0 async:1"));
	struct tp_copy fill = tp_copy_read(TP_S("kind:device num_bytes:512 async:1"));
	struct tp_copy unknown = tp_copy_read(TP_S("kind:Unknown size:7 dest:0 async:0"));

	(void)state;
	assert_int_equal(old.bytes, 4);
	assert_text(new.from, "pinned");
	assert_text(new.to, "device");
	assert_int_equal(new.bytes, 1048576);
	assert_text(fill.to, "device");
	assert_int_equal(fill.bytes, 512);
	assert_int_equal(unknown.to.len, 0);
	assert_false(tp_copy_read(TP_S("dest:1 async:1")).has_bytes);
	assert_false(tp_copy_read(TP_S("size:-4")).has_bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(old_details_are_read),
		cmocka_unit_test(new_details_are_read),
		cmocka_unit_test(what_is_out_of_bounds_is_not_stated),
		cmocka_unit_test(odd_texts_state_nothing),
		cmocka_unit_test(a_product_beyond_all_bounds_is_not_stated),
		cmocka_unit_test(copies_of_all_ages_state_their_bytes),
	};

	return RUN(tests);
}
