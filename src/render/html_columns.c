/* A table of very many events in a page: all rows as packed columns for the script, {"key": [value, …], …}; texts, which are few, as
 * {"words": ["text", …], "at": [index, …]}. What is missing is null, or -1. */
#include "render/html.h"

#include "base/map.h"
#include "base/number.h"
#include "io/sink.h"
#include "render/json_writer.h"
#include "render/pack.h"
#include "render/renderer.h"

struct columns {
	const struct tp_table *table;
	struct tp_arena *scratch;
};

static void
put_numbers(struct tp_sink *out, const struct tp_table *t, size_t column)
{
	char buf[TP_VALUE_BUF];

	for (size_t i = 0; i < t->row_count; i++) {
		struct tp_value v = tp_column_value(&t->columns[column], t->rows[i].cells[column].value);

		tp_sink_puts(out, i == 0 ? "[" : ",");
		tp_sink_put(out, tp_known(v) ? tp_value_raw(v, buf) : TP_S("null"));
	}
	tp_sink_puts(out, "]");
}

static void
put_words(struct tp_sink *out, const struct tp_table *t, size_t column, struct tp_arena *scratch)
{
	struct tp_strings words;

	tp_strings_init(&words, scratch);
	tp_sink_puts(out, "{\"at\":");
	for (size_t i = 0; i < t->row_count; i++) {
		struct tp_value v = t->rows[i].cells[column].value;

		tp_sink_printf(out, "%s%ld", i == 0 ? "[" : ",",
			v.kind == TP_VALUE_TEXT ? (long)tp_intern(&words, v.text) : -1L);
	}
	tp_sink_puts(out, "],\"words\":");
	for (uint32_t i = 0; i < words.count; i++) {
		tp_sink_puts(out, i == 0 ? "[" : ",");
		tp_json_put_string(out, words.text[i]);
	}
	tp_sink_puts(out, "]}");
}

static void
write_columns(struct tp_sink *out, const void *thing)
{
	const struct columns *c = thing;

	for (size_t i = 0; i < c->table->column_count; i++) {
		tp_sink_puts(out, i == 0 ? "{" : ",");
		tp_json_put_string(out, c->table->columns[i].key);
		tp_sink_puts(out, ":");
		if (c->table->columns[i].unit == TP_UNIT_NONE)
			put_words(out, c->table, i, c->scratch);
		else
			put_numbers(out, c->table, i);
	}
	tp_sink_puts(out, "}");
}

bool
tp_html_packs(const struct tp_html_page *page, const struct tp_table *table)
{
	return table->events && table->row_count > TP_RENDER_MANY_EVENTS && !page->options->all_rows &&
		page->packed_rows + table->row_count <= TP_HTML_PACKED_ROWS;
}

void
tp_html_columns(struct tp_html_page *page, const struct tp_table *table)
{
	const struct columns columns = {table, page->scratch};

	tp_html_div(page, "script", "columns");
	tp_html_attr(&page->out, "type", TP_S("application/gzip"));
	tp_pack(tp_html_raw(&page->out), page->options->pool, write_columns, &columns);
	tp_html_end(page);
	page->packed_rows += table->row_count;
}
