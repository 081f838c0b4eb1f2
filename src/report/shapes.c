/* What JSON holds of findings, sections, tables and the like. */
#include "report/shape.h"

#include "report/doc.h"

struct tp_slice
tp_name_in(const struct tp_names *names, unsigned value)
{
	return names->of(value);
}

bool
tp_value_named(const struct tp_names *names, struct tp_slice name, unsigned *out)
{
	for (unsigned i = 0; i < names->count; i++) {
		if (tp_slice_eq(names->of(i), name)) {
			*out = i;
			return true;
		}
	}
	return false;
}

/* Names of an enum, from a list in its order. */
#define NAMES(enum_name, ...)                                                                      \
	static const char *const enum_name##_list[] = {__VA_ARGS__};                                   \
	static struct tp_slice enum_name##_of(unsigned value)                                          \
	{                                                                                              \
		return tp_slice_of(enum_name##_list[value]);                                               \
	}                                                                                              \
	const struct tp_names tp_##enum_name##_names = {                                               \
		enum_name##_of, sizeof enum_name##_list / sizeof *enum_name##_list}

NAMES(judge, [TP_JUDGE_NONE] = "none", [TP_JUDGE_BAD] = "bad", [TP_JUDGE_WARN] = "warn",
	[TP_JUDGE_GOOD] = "good", [TP_JUDGE_UNDECIDED] = "undecided", [TP_JUDGE_ABSENT] = "absent");
NAMES(section_role, [TP_SECTION_SUMMARY] = "summary", [TP_SECTION_MAIN] = "main",
	[TP_SECTION_MINOR] = "minor", [TP_SECTION_SUB] = "sub", [TP_SECTION_VIEW] = "view",
	[TP_SECTION_FOLD] = "fold");
NAMES(paragraph_role, [TP_PARAGRAPH_BODY] = "body", [TP_PARAGRAPH_RUN_LINE] = "run_line",
	[TP_PARAGRAPH_BECAUSE] = "because", [TP_PARAGRAPH_QUALITY] = "quality",
	[TP_PARAGRAPH_COUNTS] = "counts", [TP_PARAGRAPH_SMALL] = "small",
	[TP_PARAGRAPH_SOURCE] = "source");
NAMES(row_role, [TP_ROW_NORMAL] = "normal", [TP_ROW_GROUP] = "group", [TP_ROW_TOTAL] = "total");
NAMES(finding_status, [TP_FINDING_OPEN] = "open", [TP_FINDING_PASSED] = "passed",
	[TP_FINDING_NOT_APPLICABLE] = "not_applicable", [TP_FINDING_UNDECIDED] = "undecided");
NAMES(direction, [TP_NO_DIRECTION] = "", [TP_LOWER_IS_BETTER] = "lower",
	[TP_HIGHER_IS_BETTER] = "higher");
NAMES(about, [TP_ABOUT_RUN] = "run", [TP_ABOUT_COMPARISON] = "comparison",
	[TP_ABOUT_HISTORY] = "history");
NAMES(style, [TP_STYLE_PLAIN] = "plain", [TP_STYLE_STRONG] = "strong", [TP_STYLE_MUTED] = "muted",
	[TP_STYLE_CODE] = "code");

static struct tp_slice
unit_of(unsigned value)
{
	return tp_unit_name((enum tp_unit)value);
}

static struct tp_slice
hue_of(unsigned value)
{
	return tp_hue_name((enum tp_hue)value);
}

static struct tp_slice
severity_of(unsigned value)
{
	return tp_severity_word((enum tp_judge)value);
}

const struct tp_names tp_unit_names = {unit_of, TP_UNIT_UNIX_NS + 1};
const struct tp_names tp_hue_names = {hue_of, TP_HUE_IDLE + 1};
const struct tp_names tp_severity_names = {severity_of, TP_JUDGE_WARN + 1};

static const struct tp_member spans[] = {
	TP_MEMBER_OF(NAME_IF, struct tp_span, "style", style, .names = &tp_style_names),
	TP_MEMBER_OF(NAME_IF, struct tp_span, "judge", judge, .names = &tp_judge_names),
	TP_MEMBER_OF(FILLED, struct tp_span, "text", text),
	TP_MEMBER_OF(FILLED, struct tp_span, "href", href),
	TP_MEMBER_OF(FILLED, struct tp_span, "metric", metric),
};
const struct tp_shape tp_span_shape = TP_SHAPE(struct tp_span, true, spans);

static const struct tp_member metrics[] = {
	TP_MEMBER_OF(VALUE_HERE, struct tp_metric, "value", value),
	TP_MEMBER_OF(TEXT, struct tp_metric, "label", label),
	TP_MEMBER_OF(NAME_IF, struct tp_metric, "better", better, .names = &tp_direction_names),
	TP_MEMBER_OF(TEXT, struct tp_metric, "how", how),
	TP_MEMBER_OF(TEXT, struct tp_metric, "coverage", coverage),
};
const struct tp_shape tp_metric_shape = TP_SHAPE(struct tp_metric, false, metrics);

static const struct tp_member findings[] = {
	TP_MEMBER_OF(TEXT, struct tp_finding, "id", id),
	TP_MEMBER_OF(NAME, struct tp_finding, "status", status, .names = &tp_finding_status_names),
	TP_MEMBER_OF(TEXT, struct tp_finding, "name", name),
	TP_MEMBER_OF(SENTENCE, struct tp_finding, "title", title),
	TP_MEMBER_OF(VALUE, struct tp_finding, "measured", measured),
	TP_MEMBER_OF(VALUE, struct tp_finding, "limit", limit),
};
const struct tp_shape tp_finding_shape = TP_SHAPE(struct tp_finding, false, findings);

static const struct tp_member open_findings[] = {
	TP_MEMBER_OF(NAME, struct tp_finding, "severity", severity, .names = &tp_severity_names),
	TP_MEMBER_OF(SENTENCE, struct tp_finding, "brief", brief),
	TP_MEMBER_OF(SENTENCE, struct tp_finding, "saw", saw),
	TP_MEMBER_OF(SENTENCE, struct tp_finding, "matters", matters),
	TP_MEMBER_LIST_OF(SENTENCES, struct tp_finding, "actions", actions, action_count),
	TP_MEMBER_OF(SENTENCE, struct tp_finding, "check", check),
	TP_MEMBER_OF(SENTENCE, struct tp_finding, "evidence", evidence),
	TP_MEMBER_OF(VALUE, struct tp_finding, "saving", saving),
	TP_MEMBER_OF(FILLED, struct tp_finding, "saving_note", saving_note),
	TP_MEMBER_OF(FLAG, struct tp_finding, "saving_needed", saving_needed),
	TP_MEMBER_OF(NAME, struct tp_finding, "hue", hue, .names = &tp_hue_names),
	TP_MEMBER_OF(NONZERO, struct tp_finding, "tint", tint),
};
const struct tp_shape tp_open_finding_shape = TP_SHAPE(struct tp_finding, false, open_findings);

static const struct tp_member sections[] = {
	TP_MEMBER_OF(NAME, struct tp_section, "role", role, .names = &tp_section_role_names),
	TP_MEMBER_OF(TEXT, struct tp_section, "title", title),
	TP_MEMBER_OF(VALUE, struct tp_section, "key_figure", key_figure),
	TP_MEMBER_OF(NAME_IF, struct tp_section, "judge", judge, .names = &tp_judge_names),
	TP_MEMBER_OF(SENTENCE, struct tp_section, "answer", answer),
	TP_MEMBER_OF(SENTENCE, struct tp_section, "so_what", so_what),
	TP_MEMBER_OF(SENTENCE, struct tp_section, "aside", aside),
	TP_MEMBER_OF(FLAG, struct tp_section, "reference", reference),
	TP_MEMBER_OF(FLAG, struct tp_section, "off_paper", off_paper),
	TP_MEMBER_OF(FLAG, struct tp_section, "spare", spare),
	TP_MEMBER_OF(FLAG, struct tp_section, "choice", choice),
	TP_MEMBER_OF(FLAG, struct tp_section, "same_elsewhere", same_elsewhere),
	TP_MEMBER_OF(FLAG, struct tp_section, "about", about),
};
const struct tp_shape tp_section_shape = TP_SHAPE(struct tp_section, false, sections);

static const struct tp_member paragraphs[] = {
	TP_MEMBER_OF(NAME, struct tp_paragraph, "role", role, .names = &tp_paragraph_role_names),
	TP_MEMBER_LIST_OF(SENTENCES, struct tp_paragraph, "items", items, count),
};
const struct tp_shape tp_paragraph_shape = TP_SHAPE(struct tp_paragraph, false, paragraphs);

static const struct tp_member verdicts[] = {
	TP_MEMBER_OF(NAME, struct tp_verdict, "judge", judge, .names = &tp_judge_names),
	TP_MEMBER_OF(SENTENCE, struct tp_verdict, "name", name),
	TP_MEMBER_OF(SENTENCE, struct tp_verdict, "saw", saw),
	TP_MEMBER_OF(SENTENCE, struct tp_verdict, "consequence", consequence),
	TP_MEMBER_OF(FILLED, struct tp_verdict, "finding", finding),
};
const struct tp_shape tp_verdict_shape = TP_SHAPE(struct tp_verdict, false, verdicts);

static const struct tp_member tiles[] = {
	TP_MEMBER_OF(TEXT, struct tp_tile, "id", id),
	TP_MEMBER_OF(TEXT, struct tp_tile, "label", label),
	TP_MEMBER_OF(TEXT, struct tp_tile, "metric", metric),
	TP_MEMBER_OF(VALUE_HERE, struct tp_tile, "value", value),
	TP_MEMBER_OF(FILLED, struct tp_tile, "qualifier", qualifier),
	TP_MEMBER_OF(NAME_IF, struct tp_tile, "judge", judge, .names = &tp_judge_names),
	TP_MEMBER_OF(FILLED, struct tp_tile, "finding", finding),
	TP_MEMBER_OF(FILLED, struct tp_tile, "section", section),
	TP_MEMBER_LIST_OF(NUMBERS_IF, struct tp_tile, "spark", spark, spark_count),
};
const struct tp_shape tp_tile_shape = TP_SHAPE(struct tp_tile, false, tiles);

static const struct tp_member finding_blocks[] = {
	TP_MEMBER_OF(WHOLE, struct tp_finding_block, "number", number),
	TP_MEMBER_OF(BOOL, struct tp_finding_block, "brief", brief),
	TP_MEMBER_OF(VALUE, struct tp_finding_block, "scale", scale),
};
const struct tp_shape tp_finding_block_shape =
	TP_SHAPE(struct tp_finding_block, false, finding_blocks);

static const struct tp_member notices[] = {
	TP_MEMBER_OF(NAME_IF, struct tp_notice, "judge", judge, .names = &tp_judge_names),
	TP_MEMBER_OF(SENTENCE, struct tp_notice, "text", text),
};
const struct tp_shape tp_notice_shape = TP_SHAPE(struct tp_notice, false, notices);

static const struct tp_member columns[] = {
	TP_MEMBER_OF(TEXT, struct tp_column, "key", key),
	TP_MEMBER_OF(TEXT, struct tp_column, "title", title),
	TP_MEMBER_OF(NAME, struct tp_column, "unit", unit, .names = &tp_unit_names),
	TP_MEMBER_OF(DECIMALS, struct tp_column, "decimals", decimals),
	TP_MEMBER_OF(NAME_IF, struct tp_column, "shown_in", shown_in, .names = &tp_unit_names),
	TP_MEMBER_OF(FLAG, struct tp_column, "bar", bar),
	TP_MEMBER_OF(FLAG, struct tp_column, "code", code),
	TP_MEMBER_OF(FLAG, struct tp_column, "change", change),
	TP_MEMBER_OF(FLAG, struct tp_column, "sorted", sorted),
	TP_MEMBER_OF(FLAG, struct tp_column, "core", core),
};
static const struct tp_shape column_shape = TP_SHAPE(struct tp_column, true, columns);

static const struct tp_member lives[] = {
	TP_MEMBER_OF(TEXT, struct tp_table_life, "chart", chart),
	TP_MEMBER_OF(WHOLE, struct tp_table_life, "start", start),
	TP_MEMBER_OF(WHOLE, struct tp_table_life, "end", end),
	TP_MEMBER_OF(WHOLE, struct tp_table_life, "kind", kind),
};
static const struct tp_shape life_shape = TP_SHAPE(struct tp_table_life, true, lives);

static const struct tp_member tables[] = {
	TP_MEMBER_OF(TEXT, struct tp_table, "caption", caption),
	TP_MEMBER_OF(FLAG, struct tp_table, "events", events),
	TP_MEMBER_OF(BOOL, struct tp_table, "tree", tree),
	TP_MEMBER_OF(NONZERO, struct tp_table, "open_depth", open_depth),
	TP_MEMBER_OF(BOOL, struct tp_table, "numbered", numbered),
	TP_MEMBER_OF(WHOLE, struct tp_table, "shown", shown),
	TP_MEMBER_OF(OBJECT_IF, struct tp_table, "life", life, .of = &life_shape),
	TP_MEMBER_LIST_OF(LIST, struct tp_table, "columns", columns, column_count, .of = &column_shape),
};
const struct tp_shape tp_table_shape = TP_SHAPE(struct tp_table, false, tables);
