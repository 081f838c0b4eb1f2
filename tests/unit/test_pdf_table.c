/* The table of a PDF: rows of different names look different, however narrow the column. */
#include "base/arena.h"
#include "render/pdf_break.h"
#include "render/pdf_font.h"
#include "render/pdf_table.h"
#include "render/pdf_text.h"
#include "unit.h"

#include <string.h>

#define EIGEN                                                                                      \
	"void Eigen::internal::EigenMetaKernel<Eigen::TensorEvaluator<Eigen::TensorAssignOp<Eigen::TensorMap<Eigen::Tensor<"
#define LONGER                                                                                     \
	EIGEN                                                                                          \
	"Eigen::half, 1, 1, long>, 16, Eigen::MakePointer>, Eigen::TensorCwiseUnaryOp<Eigen::internal::scalar_left<"
#define END                                                                                        \
	">, false>, Eigen::TensorMap<Eigen::Tensor<Eigen::half const, 1, 1, long>, 16, Eigen::MakePointer> const> const>"

static const struct tp_table *
table_of(struct tp_arena *arena, const char *const *names, size_t count)
{
	struct tp_table *t = tp_new(arena, struct tp_table);
	struct tp_column *columns = tp_new_array(arena, struct tp_column, 12);
	struct tp_row *rows = tp_new_array(arena, struct tp_row, count);

	columns[0] = (struct tp_column){.title = TP_S("Kernel"), .code = true};
	for (size_t c = 1; c < 12; c++)
		columns[c] = (struct tp_column){.title = TP_S("Time"), .unit = TP_UNIT_MS, .decimals = 1};
	for (size_t r = 0; r < count; r++) {
		struct tp_cell *cells = tp_new_array(arena, struct tp_cell, 12);

		cells[0].value = tp_text_value(tp_slice_of(names[r]));
		for (size_t c = 1; c < 12; c++)
			cells[c].value = tp_number((double)(r + c) * 1e6, TP_UNIT_MS);
		rows[r] = (struct tp_row){.cells = cells};
	}
	*t = (struct tp_table){
		.columns = columns, .column_count = 12, .rows = rows, .row_count = count, .shown = count};
	return t;
}

static struct tp_slice
drawn(struct tp_pdf *pdf, const struct tp_pdf_table *plan, size_t row)
{
	struct tp_pdf_set *set = tp_pdf_cell_set(pdf, plan, row, 0, plan->column[0].width);
	struct tp_slice shown = tp_pdf_set_shown(set);

	/* Else the test would show nothing. */
	if (plan->column[0].width > 250)
		fail_msg("the column is too wide to cut anything: %g pt", plan->column[0].width);
	tp_pdf_set_drop(set);
	return shown;
}

static void
check(const char *const *names, size_t count)
{
	struct tp_arena *arena = tp_arena_new();
	struct tp_err err = {.text = ""};
	struct tp_pdf_fonts *fonts = tp_pdf_fonts_open(&err);
	struct tp_pdf pdf = {
		.arena = arena, .fonts = fonts, .pango = tp_pdf_fonts_context(fonts), .width = 520};
	struct tp_pdf_table *plan = tp_pdf_table_plan(&pdf, table_of(arena, names, count));

	tp_pdf_table_tell_apart(&pdf, plan);
	assert_int_equal(plan->printed_count, count);
	for (size_t a = 0; a < count; a++)
		for (size_t b = 0; b < a; b++)
			if (tp_slice_eq(drawn(&pdf, plan, a), drawn(&pdf, plan, b)))
				fail_msg(
					"%s and %s look alike: %.*s", names[a], names[b], TP_ARG(drawn(&pdf, plan, a)));
	tp_pdf_sets_free(&pdf);
	tp_arena_free(arena);
	tp_pdf_fonts_close(fonts);
}

#define CHECK(names) check(names, sizeof(names) / sizeof *(names))

static void
names_that_differ_at_their_beginning_look_different(void **state)
{
	static const char *const names[] = {
		"gradient_tape/replica_1/resnet50/res3a_branch2b/Conv2DBackpropInput",
		"gradient_tape/replica_2/resnet50/res3a_branch2b/Conv2DBackpropInput",
		"gradient_tape/replica_1/resnet50/res3a_branch2b/Conv2DBackpropFilter",
		"gradient_tape/replica_2/resnet50/res3a_branch2b/Conv2DBackpropFilter"};

	(void)state;
	CHECK(names);
}

static void
names_that_differ_in_their_middle_look_different(void **state)
{
	static const char *const names[] = {
		"Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x224x64_MI16x16x1_SN_LDSB1_AFC1_AFEM1_AFEM1_ASEM1_CLR1_WS64_WG32_8_1",
		"Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x224x64_MI16x16x1_SN_LDSB1_AFC1_AFEM2_AFEM1_ASEM1_CLR1_WS64_WG32_8_1",
		"Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT256x224x64_MI16x16x1_SN_LDSB0_AFC1_AFEM1_AFEM1_ASEM1_CLR1_WS64_WG32_8_1"};

	(void)state;
	CHECK(names);
}

static void
names_of_many_lines_look_different(void **state)
{
	static const char *const names[] = {LONGER "float" END, LONGER "bool" END,
		LONGER "Eigen::half" END, EIGEN "float, 1" END, "void Other"};

	(void)state;
	CHECK(names);
}

static void
names_that_are_cut_have_numbers_and_are_kept_whole(void **state)
{
	static const char *const names[] = {"MatMul", LONGER "float" END, LONGER "bool" END};
	struct tp_arena *arena = tp_arena_new();
	struct tp_err err = {.text = ""};
	struct tp_pdf_fonts *fonts = tp_pdf_fonts_open(&err);
	struct tp_pdf pdf = {
		.arena = arena, .fonts = fonts, .pango = tp_pdf_fonts_context(fonts), .width = 520};
	struct tp_pdf_table *plan = tp_pdf_table_plan(&pdf, table_of(arena, names, 3));

	(void)state;
	tp_strings_init(&pdf.cut_names, arena);
	tp_pdf_table_tell_apart(&pdf, plan);
	tp_pdf_number_names(&pdf, plan);
	assert_true(tp_slice_eq(drawn(&pdf, plan, 0), TP_S("MatMul")));
	for (uint32_t r = 1; r < 3; r++) {
		struct tp_slice number = tp_arena_printf(arena, "[%u]", r), shown = drawn(&pdf, plan, r);

		assert_true(shown.len > number.len);
		assert_true(tp_slice_eq(tp_slice_from(shown, shown.len - number.len), number));
		assert_true(tp_slice_eq(tp_string(&pdf.cut_names, r), tp_slice_of(names[r])));
	}
	tp_pdf_sets_free(&pdf);
	tp_arena_free(arena);
	tp_pdf_fonts_close(fonts);
}

static void
whole_names_stand_where_there_is_room(void **state)
{
	static const char *const names[] = {
		"gradient_tape/sequential_1/dense_1/MatMul", "gradient_tape/sequential_1/dense_1/MatMul_1"};
	struct tp_arena *arena = tp_arena_new();
	struct tp_err err = {.text = ""};
	struct tp_pdf_fonts *fonts = tp_pdf_fonts_open(&err);
	struct tp_pdf pdf = {
		.arena = arena, .fonts = fonts, .pango = tp_pdf_fonts_context(fonts), .width = 520};
	struct tp_table table = *table_of(arena, names, 2);

	(void)state;
	table.column_count = 3;
	struct tp_pdf_table *plan = tp_pdf_table_plan(&pdf, &table);

	for (size_t r = 0; r < 2; r++) {
		struct tp_pdf_set *set = tp_pdf_cell_set(&pdf, plan, r, 0, plan->column[0].width);

		assert_true(tp_slice_eq(tp_pdf_set_shown(set), tp_slice_of(names[r])));
		tp_pdf_set_drop(set);
	}
	tp_pdf_sets_free(&pdf);
	tp_arena_free(arena);
	tp_pdf_fonts_close(fonts);
}

static void
names_are_broken_where_their_parts_end(void **state)
{
	static const struct {
		const char *name;
		size_t letters, more, ends[4];
	} cases[] = {
		{"Conv2DBackpropFilter", 16, 0, {14, 20}},
		{"aten::cudnn_batch_norm_backward", 26, 0, {23, 31}},
		{"aten::cudnn_batch_norm_backward", 14, 0, {12, 23, 31}},
		{"gradients/conv0/Conv2DBackpropFilter", 24, 0, {16, 36}},
		{"short", 24, 0, {5}},
		{"short_enough", 12, 5, {6, 12}},
		{"1219876091723580388", 12, 0, {0}},
		{"Stra\303\237enbahn_und_so_weiter", 12, 0, {0}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t ends[4] = {0};
		size_t count =
			tp_pdf_break_name(tp_slice_of(cases[i].name), cases[i].letters, cases[i].more, ends, 4);

		for (size_t e = 0; e < 4; e++)
			if (ends[e] != cases[i].ends[e] && (e < count || count == 0) &&
				!(count == 0 && cases[i].ends[0] == 0))
				fail_msg("%s: line %zu ends at %zu, not at %zu", cases[i].name, e, ends[e],
					cases[i].ends[e]);
	}
}

/* "4.17 ms" is as long as "487 µs" in bytes, and wider. */
static void
a_column_has_room_for_its_widest_figure(void **state)
{
	static const char *const names[] = {"Switch", "Merge", "MatMul", "AddV2", "Slice"};
	static const double us[] = {181, 112, 487, 108, 4170};
	struct tp_arena *arena = tp_arena_new();
	struct tp_err err = {.text = ""};
	struct tp_pdf_fonts *fonts = tp_pdf_fonts_open(&err);
	struct tp_pdf pdf = {
		.arena = arena, .fonts = fonts, .pango = tp_pdf_fonts_context(fonts), .width = 520};
	const struct tp_table *t = table_of(arena, names, 5);
	struct tp_column *columns = (struct tp_column *)t->columns;

	(void)state;
	columns[1] =
		(struct tp_column){.title = TP_S("T"), .unit = TP_UNIT_US, .decimals = TP_DECIMALS_BY_SIZE};
	for (size_t r = 0; r < 5; r++)
		((struct tp_cell *)t->rows[r].cells)[1].value = tp_number(us[r], TP_UNIT_US);
	struct tp_pdf_table *plan = tp_pdf_table_plan(&pdf, t);

	for (size_t r = 0; r < 5; r++) {
		struct tp_pdf_set *set = tp_pdf_cell_set(&pdf, plan, r, 1, 0);

		assert_true(tp_pdf_set_width(set) <= plan->column[1].width);
		tp_pdf_set_drop(set);
	}
	tp_pdf_sets_free(&pdf);
	tp_arena_free(arena);
	tp_pdf_fonts_close(fonts);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_that_differ_at_their_beginning_look_different),
		cmocka_unit_test(names_that_differ_in_their_middle_look_different),
		cmocka_unit_test(names_of_many_lines_look_different),
		cmocka_unit_test(names_are_broken_where_their_parts_end),
		cmocka_unit_test(names_that_are_cut_have_numbers_and_are_kept_whole),
		cmocka_unit_test(whole_names_stand_where_there_is_room),
		cmocka_unit_test(a_column_has_room_for_its_widest_figure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
