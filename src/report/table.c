/* The figures of a column in the unit that its head names. */
#include "report/table.h"

enum { SHOWN_IN_DECIMALS = 2 };

struct tp_slice
tp_column_symbol(const struct tp_column *column)
{
	if (column->decimals == TP_DECIMALS_BY_SIZE)
		return TP_S("");
	return tp_unit_symbol(column->shown_in != TP_UNIT_NONE ? column->shown_in : column->unit);
}

struct tp_slice
tp_column_text(const struct tp_column *column, struct tp_value value, char buf[static TP_VALUE_BUF])
{
	return column->shown_in != TP_UNIT_NONE
		? tp_value_fixed(value, column->shown_in, SHOWN_IN_DECIMALS, buf)
		: tp_value_fixed(value, column->unit, column->decimals, buf);
}
