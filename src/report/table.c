/* The figures of a column in the unit that its head names; columns that show none. */
#include "report/table.h"

#include "base/arena.h"

enum { SHOWN_IN_DECIMALS = 2 };

struct tp_slice
tp_column_symbol(const struct tp_column *column)
{
	if (column->decimals == TP_DECIMALS_BY_SIZE)
		return TP_S("");
	return tp_unit_symbol(column->shown_in != TP_UNIT_NONE ? column->shown_in : column->unit);
}

struct tp_value
tp_column_value(const struct tp_column *column, struct tp_value v)
{
	bool number = v.kind == TP_VALUE_INTEGER || v.kind == TP_VALUE_NUMBER;
	bool other = number && column->unit != TP_UNIT_NONE && column->unit != v.unit;

	return other ? tp_number(tp_value_in(v, column->unit), column->unit) : v;
}

static struct tp_slice
with_plus(struct tp_value value, struct tp_slice text, char buf[static TP_VALUE_BUF])
{
	bool above = (value.kind == TP_VALUE_INTEGER && value.integer > 0) ||
		(value.kind == TP_VALUE_NUMBER && value.number > 0);

	/* "<0.001" says no more than that it is small. */
	if (!above || text.len + 1 > TP_VALUE_BUF || text.ptr[0] == '<')
		return text;
	memmove(buf + 1, text.ptr, text.len);
	buf[0] = '+';
	return (struct tp_slice){buf, text.len + 1};
}

struct tp_slice
tp_column_text(const struct tp_column *column, struct tp_value value, char buf[static TP_VALUE_BUF])
{
	value = tp_column_value(column, value);
	struct tp_slice text = column->shown_in != TP_UNIT_NONE
		? tp_value_fixed(value, column->shown_in, SHOWN_IN_DECIMALS, buf)
		: tp_value_fixed(value, column->unit, column->decimals, buf);

	return column->change ? with_plus(value, text, buf) : text;
}

bool
tp_cell_speaks(const struct tp_table *table, size_t row, size_t column)
{
	struct tp_value value = table->rows[row].cells[column].value;

	return tp_known(value) && (value.kind != TP_VALUE_TEXT || value.text.len > 0);
}

bool
tp_column_is_silent(const struct tp_table *table, size_t column)
{
	for (size_t row = 0; column > 0 && row < table->row_count; row++) {
		if (tp_cell_speaks(table, row, column))
			return false;
	}
	return column > 0 && table->row_count > 0;
}

size_t
tp_columns_further(const struct tp_table *table, const bool *absent, size_t room, bool *further)
{
	size_t count = 0;

	for (size_t i = 0; i < table->column_count; i++)
		room -= room > 0 && !absent[i] && (table->columns[i].core || table->columns[i].sorted);
	for (size_t i = 0; i < table->column_count; i++) {
		if (absent[i] || table->columns[i].core || table->columns[i].sorted)
			continue;
		further[i] = room == 0;
		count += further[i];
		room -= room > 0;
	}
	return count;
}

bool
tp_cell_has_bar(const struct tp_row *row, const struct tp_cell *cell)
{
	bool is_total = row->role == TP_ROW_TOTAL && cell->swatch == TP_HUE_NONE;

	return tp_value_in(cell->value, TP_UNIT_SHARE) >= 0 && !is_total;
}

/* Whether a column before this one has the same reason. */
static bool
is_said(const struct tp_slice *reasons, size_t column)
{
	for (size_t i = 0; i < column; i++) {
		if (tp_slice_eq(reasons[i], reasons[column]))
			return true;
	}
	return false;
}

/* Shorter ones are as short as a reference. */
enum { LONG_REASON = 40 };

/* The reason itself where it is new, else where it is to be found. */
static struct tp_slice
new_or_above(struct tp_silences *said, struct tp_slice reason)
{
	if (said == NULL || reason.len < LONG_REASON)
		return reason;
	for (size_t i = 0; i < said->count; i++) {
		if (tp_slice_eq(said->reasons[i], reason))
			return TP_S("as above");
	}
	if (said->count < TP_SILENCES)
		said->reasons[said->count++] = reason;
	return reason;
}

/* Whether the rows say the reason themselves, in another column. */
static bool
is_in_rows(const struct tp_table *table, struct tp_slice reason)
{
	for (size_t i = 0; table->row_count > 0 && i < table->column_count; i++) {
		struct tp_value value = table->rows[0].cells[i].value;

		if (value.kind == TP_VALUE_TEXT && tp_slice_eq(value.text, reason))
			return true;
	}
	return false;
}

struct tp_slice
tp_silence_words(const struct tp_table *table, const struct tp_slice *reasons,
	struct tp_silences *said, struct tp_arena *arena)
{
	struct tp_slice words = {NULL, 0};

	for (size_t first = 0; first < table->column_count; first++) {
		if (reasons[first].len == 0 || is_said(reasons, first) || is_in_rows(table, reasons[first]))
			continue;
		words =
			tp_arena_printf(arena, "%.*s%s", TP_ARG(words), words.len == 0 ? "Left out: " : "; ");
		for (size_t i = first; i < table->column_count; i++) {
			if (tp_slice_eq(reasons[i], reasons[first]))
				words = tp_arena_printf(arena, "%.*s%s%.*s", TP_ARG(words), i == first ? "" : " · ",
					TP_ARG(table->columns[i].title));
		}
		struct tp_slice why = new_or_above(said, reasons[first]);

		words = tp_arena_printf(arena, "%.*s (%.*s)", TP_ARG(words), TP_ARG(why));
	}
	return words;
}
