/* Device peaks come from the right row or rule, and are unknown rather than another device's. */
#include "analyze/facts/peaks.h"

#include "base/arena.h"
#include "model/profile.h"
#include "unit.h"

static const struct tp_peak_wish nothing;

static struct tp_peak
peak_of(const struct tp_device *d, enum tp_peak_kind kind, struct tp_arena *arena)
{
	return tp_peak_of_device(d, kind, &nothing, arena);
}

static void
assert_tera(struct tp_peak peak, double tera)
{
	if (peak.value > tera * 1e12 * .9995 && peak.value < tera * 1e12 * 1.0005)
		return;
	print_error("got %g (%.*s), want %g\n", peak.value, TP_ARG(peak.how), tera * 1e12);
	fail();
}

static void
names_match_as_a_whole(void **state)
{
	static const struct {
		const char *name;
		const char *shown; /* NULL: in no row */
		bool slice;
	} cases[] = {
		{"TPU v5 Lite", "TPU v5e", false},
		{"TPU v5 lite", "TPU v5e", false},
		{"TPU v5e", "TPU v5e", false},
		{"TPU v5", "TPU v5p", false},
		{"TPU v5p", "TPU v5p", false},
		{"TPU v6 Lite", "TPU v6e", false},
		{"TPU v4 lite", "TPU v4i", false},
		{"TPU V4", "TPU v4", false},
		{"TPU v2", "TPU v2", false},
		{"TPU", NULL, false},
		{"TPU v55", NULL, false},
		{"NVIDIA GB200", "GB200", false},
		{"NVIDIA B200", "B200", false},
		{"NVIDIA H200", "H200 SXM", false},
		{"NVIDIA GH200 480GB", "GH200 96 GB", false},
		{"NVIDIA H100 80GB HBM3", "H100 SXM5", false},
		{"NVIDIA H100 PCIe", "H100 PCIe", false},
		{"NVIDIA H100", NULL, false},
		{"NVIDIA RTX A1000", NULL, false},
		{"NVIDIA A100-SXM4-40GB", "A100 SXM 40 GB", false},
		{"NVIDIA A100-SXM4-40GB MIG 1g.5gb", "A100 SXM 40 GB", true},
		{"NVIDIA A100 80GB PCIe", "A100 PCIe 80 GB", false},
		{"Tesla V100-SXM2-16GB", "V100 SXM2 16 GB", false},
		{"Tesla V100-DGXS-32GB", "V100 DGX Station 32 GB", false},
		{"NVIDIA A100-PG509-200", "A100 PG509 40 GB", false},
		{"AMD Instinct MI300X VF", "MI300X", false},
		{"Tesla T4", "T4", false},
		{"NVIDIA A10G", "A10G", false},
		{"NVIDIA GeForce RTX 4090", "RTX 4090", false},
		{"NVIDIA GeForce RTX 4090 Laptop GPU", NULL, false},
		{"NVIDIA GeForce RTX 4090 D", NULL, false},
		{"AMD Instinct MI300X", "MI300X", false},
		{"gfx942", NULL, false},
		{"", NULL, false},
		{"NVIDIA", NULL, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bool slice;
		const struct tp_peak_row *row = tp_peak_row(tp_slice_of(cases[i].name), &slice);

		if ((row == NULL) != (cases[i].shown == NULL))
			fail_msg("%s is %s", cases[i].name, row ? row->shown : "in no row");
		if (row != NULL)
			assert_string_equal(row->shown, cases[i].shown);
		assert_int_equal(slice, cases[i].slice);
	}
}

static void
endless_names_are_no_device(void **state)
{
	char name[4096];
	bool slice;

	(void)state;
	for (size_t i = 0; i < sizeof name; i++)
		name[i] = "tpu v2 "[i % 7];
	assert_null(tp_peak_row((struct tp_slice){name, sizeof name}, &slice));
	assert_null(tp_peak_row((struct tp_slice){name, 120}, &slice));
}

static void
user_before_profile_before_table(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_device d = {.kind = TP_DEVICE_TPU, .type = TP_S("TPU v5 lite")};
	struct tp_peak peak = peak_of(&d, TP_PEAK_FLOP, arena);
	const struct tp_peak_wish wish = {.flop_per_s = 2e14};

	(void)state;
	assert_tera(peak, 197);
	assert_int_equal(peak.source, TP_PEAK_TABLE);
	d.peak_flop_per_s = 1.9e14;
	peak = peak_of(&d, TP_PEAK_FLOP, arena);
	assert_tera(peak, 190);
	assert_int_equal(peak.source, TP_PEAK_PROFILE);
	peak = tp_peak_of_device(&d, TP_PEAK_FLOP, &wish, arena);
	assert_tera(peak, 200);
	assert_int_equal(peak.source, TP_PEAK_USER);
	assert_int_equal(tp_peak_of_device(&d, TP_PEAK_HBM, &wish, arena).source, TP_PEAK_TABLE);
	tp_arena_free(arena);
}

static void
a_megacore_has_both_cores_and_an_untold_one_is_unknown(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_device d = {.kind = TP_DEVICE_TPU, .type = TP_S("TPU v4")};

	(void)state;
	assert_true(peak_of(&d, TP_PEAK_FLOP, arena).value == 0);
	d.plane_cores = 1;
	assert_tera(peak_of(&d, TP_PEAK_FLOP, arena), 137.5);
	d.plane_cores = 2;
	assert_tera(peak_of(&d, TP_PEAK_FLOP, arena), 275);
	assert_tera(peak_of(&d, TP_PEAK_HBM, arena), 1.2);
	tp_arena_free(arena);
}

static void
a_part_of_a_gpu_has_its_share(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_device d = {
		.kind = TP_DEVICE_GPU, .type = TP_S("NVIDIA A100-SXM4-40GB MIG 1g.5gb"), .sm_count = 14};

	(void)state;
	assert_tera(peak_of(&d, TP_PEAK_FLOP, arena), 312. * 14 / 108);
	assert_true(peak_of(&d, TP_PEAK_HBM, arena).value == 0);
	assert_true(peak_of(&d, TP_PEAK_CAPACITY, arena).value == 0);
	d.sm_count = 0;
	assert_true(peak_of(&d, TP_PEAK_FLOP, arena).value == 0);
	/* Fewer multiprocessors under the whole's name, too. */
	d.type = TP_S("NVIDIA A100-SXM4-40GB");
	d.sm_count = 54;
	assert_tera(peak_of(&d, TP_PEAK_FLOP, arena), 156);
	/* More than the row's: the name is of something else. */
	d.sm_count = 132;
	assert_true(peak_of(&d, TP_PEAK_FLOP, arena).value == 0);
	tp_arena_free(arena);
}

static void
the_rule_needs_vendor_clock_and_count(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_device h100 = {.kind = TP_DEVICE_GPU,
		.vendor = TP_S("Nvidia"),
		.sm_count = 132,
		.clock_khz = 1980000,
		.compute_major = 9};
	struct tp_device mi300 = {.kind = TP_DEVICE_GPU,
		.vendor = TP_S("AMD"),
		.type = TP_S("gfx942:sramecc+"),
		.sm_count = 304,
		.clock_khz = 2100000};
	struct tp_device changed;

	(void)state;
	assert_tera(peak_of(&h100, TP_PEAK_FLOP, arena), 1070.5);
	assert_tera(peak_of(&h100, TP_PEAK_SHARED, arena), 33.45);
	assert_true(tp_slice_has(peak_of(&h100, TP_PEAK_FLOP, arena).how, TP_S("1.98 GHz")));
	assert_tera(peak_of(&mi300, TP_PEAK_FLOP, arena), 1307.4);
	assert_tera(peak_of(&mi300, TP_PEAK_SHARED, arena), 81.7152);
	/* 2 × 1.3 GHz × 8,192 bits, as XLA states it; and as it would if it counted all bits. */
	mi300.peak_hbm_bytes_per_s = 2.6624e12;
	assert_tera(peak_of(&mi300, TP_PEAK_HBM, arena), 5.3248);
	assert_true(tp_slice_has(peak_of(&mi300, TP_PEAK_HBM, arena).how, TP_S("HBM3")));
	mi300.peak_hbm_bytes_per_s = 5.3248e12;
	assert_tera(peak_of(&mi300, TP_PEAK_HBM, arena), 5.3248);
	changed = mi300;
	changed.type = TP_S("gfx90a:sramecc+");
	changed.peak_hbm_bytes_per_s = 1.6384e12;
	assert_tera(peak_of(&changed, TP_PEAK_HBM, arena), 1.6384);
	changed = h100;
	changed.vendor = TP_S("");
	assert_true(peak_of(&changed, TP_PEAK_FLOP, arena).value == 0);
	assert_true(tp_slice_has(peak_of(&changed, TP_PEAK_FLOP, arena).how, TP_S("--peak bf16=")));
	changed = h100;
	changed.clock_khz = 0;
	assert_true(peak_of(&changed, TP_PEAK_FLOP, arena).value == 0);
	/* A GeForce does half of what another of its capability does; beyond the table nothing is known. */
	changed = h100;
	changed.compute_major = 8;
	changed.compute_minor = 6;
	assert_true(peak_of(&changed, TP_PEAK_FLOP, arena).value == 0);
	changed.compute_major = 11;
	assert_true(peak_of(&changed, TP_PEAK_FLOP, arena).value == 0);
	tp_arena_free(arena);
}

static void
a_gpu_without_vendor_is_nvidias_where_no_other_has_its_capability(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_device v100 = {
		.kind = TP_DEVICE_GPU, .sm_count = 80, .clock_khz = 1530000, .compute_major = 7};
	struct tp_device fiji = {
		.kind = TP_DEVICE_GPU, .sm_count = 64, .clock_khz = 1000000, .compute_major = 8};

	(void)state;
	assert_tera(peak_of(&v100, TP_PEAK_FLOP, arena), 125.3376);
	assert_true(tp_slice_has(peak_of(&v100, TP_PEAK_FLOP, arena).how, TP_S("NVIDIA")));
	assert_true(peak_of(&fiji, TP_PEAK_FLOP, arena).value == 0);
	fiji.sm_count = 108;
	assert_true(peak_of(&fiji, TP_PEAK_FLOP, arena).value > 0);
	tp_arena_free(arena);
}

static void
devices_without_a_name_are_called_by_their_architecture(void **state)
{
	static const struct {
		const char *vendor;
		unsigned major, minor;
		const char *type;
	} cases[] = {
		{"AMD", 9, 4, "AMD GPU (gfx942)"},
		{"AMD", 9, 5, "AMD GPU (gfx950)"},
		{"AMD", 9, 0, "AMD GPU (version 9.0)"},
		{"AMD", 0, 0, "AMD GPU"},
		{"Nvidia", 9, 0, "GPU (compute capability 9.0)"},
		{"", 7, 0, "GPU (compute capability 7.0)"},
		{"", 0, 0, "GPU"},
	};
	struct tp_arena *arena = tp_arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tp_device d = {.kind = TP_DEVICE_GPU,
			.vendor = tp_slice_of(cases[i].vendor),
			.compute_major = cases[i].major,
			.compute_minor = cases[i].minor};
		struct tp_slice type = tp_device_type(&d, arena);

		if (!tp_slice_eq(type, tp_slice_of(cases[i].type)))
			fail_msg("%.*s, want %s", TP_ARG(type), cases[i].type);
	}
	tp_arena_free(arena);
}

static void
rows_are_of_a_plausible_size(void **state)
{
	static const char *const some[] = {"tpu v2", "a100 sxm4 80gb", "mi355x", "rtx 5090"};

	(void)state;
	for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
		bool slice;
		const struct tp_peak_row *row = tp_peak_row(tp_slice_of(some[i]), &slice);

		assert_non_null(row);
		assert_true(row->of[TP_PEAK_FLOP].value > 1e12 && row->of[TP_PEAK_FLOP].value < 1e16);
		assert_true(row->of[TP_PEAK_HBM].value > 1e11 && row->of[TP_PEAK_HBM].value < 1e14);
		assert_true(strchr("dscm", row->of[TP_PEAK_FLOP].mark) != NULL);
	}
}

static void
options_are_read(void **state)
{
	struct tp_peak_wish w = {0};
	struct tp_err err;

	(void)state;
	assert_int_equal(tp_peaks_parse("bf16=989.4T,hbm=3.35T", &w, &err), TP_OK);
	assert_float_equal(w.bf16_per_s, 989.4e12, 1);
	assert_float_equal(w.hbm_bytes_per_s, 3.35e12, 1);
	assert_true(w.memory_bytes == 0);
	assert_int_equal(tp_peaks_parse("flops=1P,memory=80Gi,vmem=20000G", &w, &err), TP_OK);
	assert_float_equal(w.flop_per_s, 1e15, 1);
	assert_float_equal(w.memory_bytes, 80. * 1073741824, 1);
	assert_float_equal(w.vmem_bytes_per_s, 2e13, 1);
	assert_int_equal(tp_peaks_parse("capacity=16000000000", &w, &err), TP_OK);
	assert_float_equal(w.memory_bytes, 16e9, 1);
	assert_int_equal(tp_peaks_parse("fp8=2P,int8=3P,tf32=4P,fp32=5P", &w, &err), TP_OK);
	assert_float_equal(w.fp8_per_s, 2e15, 1);
	assert_float_equal(w.int8_per_s, 3e15, 1);
	assert_float_equal(w.tf32_per_s, 4e15, 1);
	assert_float_equal(w.fp32_per_s, 5e15, 1);
}

/* One type that the user names counts before what is said of all. */
static void
types_have_peaks_of_their_own(void **state)
{
	struct tp_arena *arena = tp_arena_new();
	const struct tp_device h100 = {.kind = TP_DEVICE_GPU, .type = TP_S("NVIDIA H100 80GB HBM3")};
	/* nothing but what XLA's profiler states of it: 132 × 1.98 GHz × FLOP in a clock */
	const struct tp_device unnamed = {.kind = TP_DEVICE_GPU,
		.vendor = TP_S("Nvidia"),
		.sm_count = 132,
		.clock_khz = 1980000,
		.compute_major = 9};
	const struct tp_device v6e = {.kind = TP_DEVICE_TPU, .type = TP_S("TPU v6 lite")};
	const struct tp_device v5p_chip = {
		.kind = TP_DEVICE_TPU, .type = TP_S("TPU v5p"), .plane_cores = 2};
	const struct tp_peak_wish all = {.flop_per_s = 1e15, .fp8_per_s = 3e15};

	(void)state;
	assert_tera(peak_of(&h100, TP_PEAK_FP8, arena), 1978.9);
	assert_tera(peak_of(&h100, TP_PEAK_INT8, arena), 1978.9);
	assert_tera(peak_of(&h100, TP_PEAK_TF32, arena), 494.7);
	assert_tera(peak_of(&h100, TP_PEAK_FP32, arena), 66.9);
	assert_tera(peak_of(&unnamed, TP_PEAK_FP8, arena), 132 * 1.98 * 8.192);
	assert_tera(peak_of(&unnamed, TP_PEAK_FP32, arena), 132 * 1.98 * 0.256);
	assert_tera(peak_of(&v6e, TP_PEAK_INT8, arena), 1836);
	assert_tera(peak_of(&v5p_chip, TP_PEAK_INT8, arena), 918);
	assert_tera(tp_peak_of_device(&h100, TP_PEAK_FP8, &all, arena), 3000);
	assert_tera(tp_peak_of_device(&h100, TP_PEAK_TF32, &all, arena), 1000);
	assert_tera(tp_peak_of_device(&h100, TP_PEAK_FLOP, &all, arena), 1000);
	assert_true(!(peak_of(&v6e, TP_PEAK_FP32, arena).value > 0));
	tp_arena_free(arena);
}

static void
other_options_are_refused(void **state)
{
	static const char *const bad[] = {"", "bf16", "bf16=", "bf16=x", "bf16=-1", "bf16=0", "bf16=1,",
		",bf16=1", "hmb=1T", "bf16=1TT", "bf16=1 T", "bf16= 1", "bf16=nan", "bf16=inf", "bf16=0x10",
		"bf16=1e12", "bf16=1.2.3", "bf16=.", "bf16=1i", "bf16=1,hbm", "=1", "bf16=99999999P",
		"BF16=1"};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct tp_peak_wish w = {0};
		struct tp_err err;

		if (tp_peaks_parse(bad[i], &w, &err) != TP_ERR_USAGE)
			fail_msg("\"%s\" is accepted", bad[i]);
		assert_non_null(strstr(err.text, "give bf16"));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_match_as_a_whole),
		cmocka_unit_test(endless_names_are_no_device),
		cmocka_unit_test(user_before_profile_before_table),
		cmocka_unit_test(a_megacore_has_both_cores_and_an_untold_one_is_unknown),
		cmocka_unit_test(a_part_of_a_gpu_has_its_share),
		cmocka_unit_test(the_rule_needs_vendor_clock_and_count),
		cmocka_unit_test(a_gpu_without_vendor_is_nvidias_where_no_other_has_its_capability),
		cmocka_unit_test(devices_without_a_name_are_called_by_their_architecture),
		cmocka_unit_test(rows_are_of_a_plausible_size),
		cmocka_unit_test(options_are_read),
		cmocka_unit_test(types_have_peaks_of_their_own),
		cmocka_unit_test(other_options_are_refused),
	};

	return RUN(tests);
}
