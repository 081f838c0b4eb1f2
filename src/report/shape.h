/* What a report's JSON holds of each struct of the document: one table a struct, by which render/ writes it and stored/ reads it back. Kinds
 * of member say how a member looks in JSON, and when it is left out. What is left out reads back as zero, as in reports of earlier versions. */
#ifndef TP_REPORT_SHAPE_H
#define TP_REPORT_SHAPE_H

#include "base/number.h"
#include "base/slice.h"

#include <stddef.h>

enum tp_member_kind {
	TP_MEMBER_TEXT,     /* struct tp_slice */
	TP_MEMBER_FILLED,   /* struct tp_slice; left out when empty */
	TP_MEMBER_NUMBER,   /* double; null when not finite */
	TP_MEMBER_FINITE,   /* double; left out when not finite, and NaN then */
	TP_MEMBER_POSITIVE, /* double; left out when 0 */
	TP_MEMBER_WHOLE,    /* an integer ≥ 0 of any size */
	TP_MEMBER_NONZERO,  /* the same; left out when 0 */
	TP_MEMBER_INDEX,    /* size_t; left out when SIZE_MAX, and that then */
	TP_MEMBER_DECIMALS, /* int; left out when TP_DECIMALS_BY_SIZE, and that then */
	TP_MEMBER_BOOL,     /* bool */
	TP_MEMBER_FLAG,     /* bool; left out when false */
	TP_MEMBER_NAME,     /* an enum by its names */
	TP_MEMBER_NAME_IF,  /* the same; left out when 0 */
	TP_MEMBER_VALUE, /* struct tp_value as an object; left out when it is missing without a reason */
	TP_MEMBER_VALUE_HERE, /* struct tp_value, its members among the others */
	TP_MEMBER_SENTENCE, /* struct tp_text: what it shows, and its spans beside it where they are more than that */
	TP_MEMBER_SENTENCES,  /* const struct tp_text *, and how many */
	TP_MEMBER_OBJECT_IF,  /* const struct *; NULL and left out: there is none */
	TP_MEMBER_LIST,       /* const struct *, and how many */
	TP_MEMBER_LIST_IF,    /* the same; left out when there is none */
	TP_MEMBER_TEXTS,      /* const struct tp_slice *, and how many */
	TP_MEMBER_NUMBERS,    /* const double *, and how many */
	TP_MEMBER_NUMBERS_IF, /* the same; NULL and left out: there are none */
	TP_MEMBER_INDICES,    /* const size_t *, and how many */
	TP_MEMBER_PAIRS,      /* const size_t (*)[2], and how many */
	TP_MEMBER_POINTS, /* const struct tp_slice *, and how many: the points that the rest of the chart has one of each for */
	TP_MEMBER_POINT_NUMBERS, /* const double *, one for each point */
	TP_MEMBER_POINT_FLAGS,   /* const bool *, likewise; NULL and left out: none is */
	TP_MEMBER_PACKED,        /* struct tp_slice of any bytes: deflated (RFC 1951), then base64 */
};

/* The names of an enum; count of them, from 0. */
struct tp_names {
	struct tp_slice (*of)(unsigned value);
	unsigned count;
};

struct tp_shape;

struct tp_member {
	enum tp_member_kind kind;
	const char *name; /* in JSON */
	size_t offset, size;
	size_t count_offset; /* of a size_t; of kinds that have a number of things */
	const struct tp_shape *of;
	const struct tp_names *names;
};

struct tp_shape {
	size_t size;
	bool flat; /* written on one line */
	size_t count;
	const struct tp_member *members;
};

/* A member of a struct under its name in JSON, and one of which there is a number. */
#define TP_MEMBER_OF(KIND, type, json_name, member, ...)                                           \
	{                                                                                              \
		.kind = TP_MEMBER_##KIND, .name = (json_name), .offset = offsetof(type, member),           \
		.size = sizeof(((type *)0)->member), __VA_ARGS__                                           \
	}
#define TP_MEMBER_LIST_OF(KIND, type, json_name, member, count, ...)                               \
	{                                                                                              \
		.kind = TP_MEMBER_##KIND, .name = (json_name), .offset = offsetof(type, member),           \
		.count_offset = offsetof(type, count), __VA_ARGS__                                         \
	}
#define TP_SHAPE(type, is_flat, list)                                                              \
	{                                                                                              \
		.size = sizeof(type), .flat = (is_flat), .count = sizeof(list) / sizeof *(list),           \
		.members = (list)                                                                          \
	}

extern const struct tp_names tp_unit_names, tp_hue_names, tp_judge_names, tp_severity_names;
extern const struct tp_names tp_section_role_names, tp_paragraph_role_names, tp_row_role_names;
extern const struct tp_names tp_finding_status_names, tp_chart_names, tp_direction_names;
extern const struct tp_names tp_about_names;

/* JSON's name of this value, and the value of this name; false when none has it. */
struct tp_slice tp_name_in(const struct tp_names *names, unsigned value);
bool tp_value_named(const struct tp_names *names, struct tp_slice name, unsigned *out);

extern const struct tp_shape tp_metric_shape, tp_finding_shape, tp_open_finding_shape;
extern const struct tp_shape tp_section_shape, tp_paragraph_shape, tp_verdict_shape, tp_tile_shape;
extern const struct tp_shape tp_span_shape, tp_finding_block_shape, tp_notice_shape, tp_table_shape;
extern const struct tp_shape tp_chart_shape;                  /* what charts of all kinds have */
extern const struct tp_shape tp_series_shape, tp_flame_shape; /* of struct tp_chart, too */
extern const struct tp_shape tp_scatter_shape, tp_grid_shape, tp_curves_shape, tp_diagram_shape;
extern const struct tp_shape tp_timeline_shape;

#endif
