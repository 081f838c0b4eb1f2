/* Assets: what is embedded is found whole, what is not is NULL. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/asset.h"

static void
a_font_is_found(void **state)
{
	(void)state;
	const struct tp_asset *font = tp_asset_find("fonts/Inter-Regular.otf");
	assert_non_null(font);
	assert_true(font->size > 100000);
	assert_memory_equal(font->data, "OTTO", 4);
}

static void
a_text_ends_in_a_zero_byte(void **state)
{
	(void)state;
	const struct tp_asset *conf = tp_asset_find("fonts/fonts.conf");
	assert_non_null(conf);
	assert_int_equal(strlen((const char *)conf->data), conf->size);
	assert_non_null(strstr((const char *)conf->data, "</fontconfig>"));
}

static void
an_unknown_name_is_null(void **state)
{
	(void)state;
	assert_null(tp_asset_find("fonts/Inter-Regular.ot"));
	assert_null(tp_asset_find(""));
}

static void
every_asset_is_found_by_its_name(void **state)
{
	(void)state;
	assert_true(tp_asset_count > 0);
	for (size_t i = 0; i < tp_asset_count; i++)
		assert_ptr_equal(tp_asset_find(tp_asset_table[i].name), &tp_asset_table[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_font_is_found),
		cmocka_unit_test(a_text_ends_in_a_zero_byte),
		cmocka_unit_test(an_unknown_name_is_null),
		cmocka_unit_test(every_asset_is_found_by_its_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
