/* What every unit test includes: cmocka with the headers that it needs, and slices compared as text. */
#ifndef TP_TESTS_UNIT_H
#define TP_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/slice.h"

static inline void
tp_assert_text(struct tp_slice got, const char *want, const char *file, int line)
{
	if (tp_slice_eq(got, tp_slice_of(want)))
		return;
	print_error("got \"%.*s\", want \"%s\"\n", TP_ARG(got), want);
	_fail(file, line);
}
#define assert_text(got, want) tp_assert_text((got), (want), __FILE__, __LINE__)

#define RUN(tests) cmocka_run_group_tests((tests), NULL, NULL)

#endif
