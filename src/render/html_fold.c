/* A page may be as long as one reads. Each section opens with its first chart, table or part; what comes next is opened where there
 * is room: what findings give as evidence, then one thing of each section in turn. The rest stands folded under its title. */
#include "render/html_fold.h"

#include <math.h>

#include "base/arena.h"
#include "base/buf.h"
#include "chart/chart.h"
#include "render/html.h"
#include "report/doc.h"
#include "report/timeline.h"

/* The room, and about how high things are in a window of 1440 px. */
enum {
	PAGE_PX = 8700,
	FOLDED_PX = 32,
	LINE_PX = 20,
	CHARS_A_LINE = 150,
	HEADING_PX = 106,
	SUB_HEADING_PX = 72,
	TILES_PX = 140,
	BRIEF_FINDING_PX = 50,
	FINDING_PX = 170,
	TIMELINE_PX = 760,  /* as scripts draw it */
	CHART_MORE_PX = 44, /* margins and legend */
	TABLE_HEAD_PX = 64, /* with margins */
	ROW_PX = 27,
	WORD_PX = 3, /* a page of 9,000 px has room for 3,000 words */
	MORE_PX = 28,
};

enum { MOST_ELEMENTS = 8000, CHART_ELEMENTS = 100 };

struct part {
	const struct tp_block *block;
	size_t within;  /* the part around it; NONE: none */
	size_t section; /* number of the main section */
	double px;      /* open, without the parts within */
	bool reference; /* of a section to look things up in: opened after the others */
	bool open;
};

#define NONE ((size_t)-1)

struct plan {
	struct part *parts;
	size_t count;
	size_t sections;
	bool reference; /* the section is one to look things up in */
	bool leads; /* the next figure is the first of its section or part, and stands open with it */
	bool whole; /* what comes is part of one choice, and stands or folds with it */
};

static double
text_px(size_t chars)
{
	return chars == 0 ? 0 : (double)(chars / CHARS_A_LINE + 1) * LINE_PX;
}

static size_t
chars_of(struct tp_text text)
{
	char buf[TP_VALUE_BUF];
	size_t chars = 0;

	for (size_t i = 0; i < text.count; i++)
		chars += tp_span_shown(&text.spans[i], buf).len;
	return chars;
}

static size_t
words_of(const struct tp_table *table, size_t row)
{
	size_t words = table->column_count;

	for (size_t c = 0; c < table->column_count; c++) {
		struct tp_value value = table->rows[row].cells[c].value;

		for (size_t i = 0; value.kind == TP_VALUE_TEXT && i < value.text.len; i++)
			words += value.text.ptr[i] == ' ';
	}
	return words;
}

static double
table_px(const struct tp_table *table)
{
	size_t shown = table->shown < table->row_count ? table->shown : table->row_count, open = 0;
	double px = TABLE_HEAD_PX + (table->caption.len > 0 ? LINE_PX : 0);

	for (size_t i = 0; i < shown; i++) {
		if (tp_html_is_deep(table, i))
			continue;
		open++;
		px += fmax(ROW_PX, (double)words_of(table, i) * WORD_PX);
	}
	return px + (open < table->row_count ? MORE_PX : 0);
}

static double
paragraph_px(const struct tp_paragraph *paragraph)
{
	size_t chars = 0;

	for (size_t i = 0; i < paragraph->count; i++)
		chars += chars_of(paragraph->items[i]);
	return text_px(chars) + LINE_PX / 2.0;
}

static double blocks_px(struct plan *plan, const struct tp_block *first, size_t within);

static bool
is_choice(const struct tp_block *block)
{
	return block->kind == TP_BLOCK_SECTION && block->section.choice;
}

/* Without what is within in parts of its own. */
static double
section_px(struct plan *plan, const struct tp_block *block, size_t within)
{
	const struct tp_section *s = &block->section;
	double px = text_px(chars_of(s->answer) + chars_of(s->so_what)) +
		(s->role == TP_SECTION_SUB ? SUB_HEADING_PX : HEADING_PX);

	if (s->role == TP_SECTION_VIEW)
		return 0;
	if (s->about)
		return 0; /* with others in one fold, which stands in the room of headings */
	if (s->role == TP_SECTION_FOLD && s->judge != TP_JUDGE_UNDECIDED)
		return FOLDED_PX;
	if (s->role == TP_SECTION_MAIN || s->role == TP_SECTION_MINOR) {
		plan->sections++;
		plan->reference = s->role == TP_SECTION_MINOR || s->reference;
		plan->leads = !plan->reference;
	} else if (s->role == TP_SECTION_SUB) {
		plan->leads = true; /* a part that opens shows something */
	}
	bool around = plan->reference;

	plan->reference |= s->reference;
	plan->whole = s->choice;
	px += blocks_px(plan, s->first, within);
	plan->whole = false;
	plan->reference = around;
	return px;
}

static double
block_px(struct plan *plan, const struct tp_block *block, size_t within)
{
	switch (block->kind) {
	case TP_BLOCK_SECTION:
		return section_px(plan, block, within);
	case TP_BLOCK_PARAGRAPH:
		return block->paragraph.role == TP_PARAGRAPH_SOURCE ? 0 : paragraph_px(&block->paragraph);
	case TP_BLOCK_VERDICT:
		return HEADING_PX;
	case TP_BLOCK_TILES:
		return TILES_PX;
	case TP_BLOCK_TABLE:
		return table_px(&block->table);
	case TP_BLOCK_CHART:
		if (block->chart.kind == TP_CHART_TIMELINE && block->chart.timeline->group_count != 0)
			return TIMELINE_PX;
		return tp_chart_plot_height(&block->chart) + CHART_MORE_PX;
	case TP_BLOCK_FINDING:
		return block->finding.brief ? BRIEF_FINDING_PX : FINDING_PX;
	case TP_BLOCK_NOTICE:
		return text_px(chars_of(block->notice.text));
	}
	return 0;
}

static bool
can_fold(const struct tp_block *block)
{
	return block->kind == TP_BLOCK_SECTION
		? block->section.role == TP_SECTION_SUB
		: block->kind == TP_BLOCK_TABLE && block->table.caption.len > 0;
}

static bool
is_reference(const struct tp_block *block)
{
	return block->kind == TP_BLOCK_SECTION && block->section.reference;
}

static double
blocks_px(struct plan *plan, const struct tp_block *first, size_t within)
{
	double px = 0;
	const struct tp_block *before = NULL;

	for (const struct tp_block *block = first; block != NULL; before = block, block = block->next) {
		/* Of choices the first takes the room. */
		if (before != NULL && is_choice(before) && is_choice(block))
			continue;
		bool leads = plan->leads && (can_fold(block) || block->kind == TP_BLOCK_CHART);

		if (leads || !can_fold(block) || plan->sections == 0 || plan->whole) {
			px += block_px(plan, block, within);
			plan->leads &= !leads;
			continue;
		}
		size_t index = plan->count++;

		plan->parts[index] = (struct part){.block = block,
			.within = within,
			.section = plan->sections,
			.reference = plan->reference || is_reference(block)};
		px += FOLDED_PX;
		plan->parts[index].px = block_px(plan, block, index) - FOLDED_PX;
		plan->leads = false;
	}
	return px;
}

/* What open findings give as evidence: "#input-pipeline/tf-data", as struct tp_slice. */
static struct tp_buf
evidence_of(const struct tp_doc *doc)
{
	struct tp_buf hrefs = {0};

	for (struct tp_walk walk = tp_walk_of(doc); tp_walk_next(&walk);) {
		const struct tp_finding_block *f = &walk.block->finding;

		if (walk.event != TP_WALK_ENTER || walk.block->kind != TP_BLOCK_FINDING || f->brief ||
			f->finding->status != TP_FINDING_OPEN)
			continue;
		for (size_t i = 0; i < f->finding->evidence.count; i++)
			*tp_buf_new(&hrefs, struct tp_slice) = f->finding->evidence.spans[i].href;
	}
	return hrefs;
}

/* It, or what it is a part of. */
static bool
is_evidence(const struct plan *plan, const struct tp_buf *hrefs, const struct part *p)
{
	const struct tp_slice *href = hrefs->data;

	for (size_t i = 0; i < hrefs->count; i++) {
		if (href[i].len != 0 && tp_slice_eq(tp_slice_from(href[i], 1), p->block->id))
			return true;
	}
	return p->within != NONE && is_evidence(plan, hrefs, &plan->parts[p->within]);
}

static double
open_evidence(struct plan *plan, const struct tp_doc *doc, double room_px)
{
	struct tp_buf hrefs = evidence_of(doc);

	for (size_t i = 0; i < plan->count; i++) {
		struct part *p = &plan->parts[i];

		p->open = p->px <= room_px && (p->within == NONE || plan->parts[p->within].open) &&
			is_evidence(plan, &hrefs, p);
		room_px -= p->open ? p->px : 0;
	}
	tp_buf_free(&hrefs);
	return room_px;
}

/* The next part of the section that may be opened, from that index on. */
static size_t
next_of(const struct plan *plan, size_t section, size_t from)
{
	for (size_t i = from; i < plan->count; i++) {
		const struct part *p = &plan->parts[i];

		if (p->section == section && (p->within == NONE || plan->parts[p->within].open))
			return i;
	}
	return plan->count;
}

/* One part of each section after the other, as long as there is room; what is within a part that stays folded is passed over. */
static double
open_in_turn(struct plan *plan, bool reference, double room_px, struct tp_arena *arena)
{
	size_t *next = tp_new_array(arena, size_t, plan->sections + 1);
	bool any = true;

	while (any) {
		any = false;
		for (size_t s = 1; s <= plan->sections; s++) {
			size_t i = next_of(plan, s, next[s]);

			next[s] = i + 1;
			if (i == plan->count)
				continue;
			any = true;
			if (plan->parts[i].reference != reference || plan->parts[i].open)
				continue;
			plan->parts[i].open = plan->parts[i].px <= room_px;
			room_px -= plan->parts[i].open ? plan->parts[i].px : 0;
		}
	}
	return room_px;
}

static bool
is_left_out(const struct plan *plan, size_t i, enum tp_paper paper)
{
	for (; i != NONE; i = plan->parts[i].within)
		if (tp_paper_leaves_out(plan->parts[i].block, paper))
			return true;
	return false;
}

/* The most that keeps to as many sheets as a PDF has at most. px: of what is not in the plan's parts. Notes that are folded count as
 * little, so a page has room for less where they are printed. */
static enum tp_paper
paper_of(const struct plan *plan, double px)
{
	static const double most_px[] = {
		[TP_PAPER_FULL] = 12000, [TP_PAPER_NO_FOLDS] = 14000, [TP_PAPER_NO_SPARE] = 15500};

	for (int paper = TP_PAPER_FULL; paper < TP_PAPER_FEW_ROWS; paper++) {
		double all_px = px;

		for (size_t i = 0; i < plan->count; i++)
			all_px += is_left_out(plan, i, (enum tp_paper)paper) ? 0 : plan->parts[i].px;
		if (all_px <= most_px[paper])
			return (enum tp_paper)paper;
	}
	return TP_PAPER_FEW_ROWS;
}

const struct tp_block *const *
tp_html_folded(const struct tp_doc *doc, enum tp_paper *paper, struct tp_arena *arena)
{
	struct plan plan = {.count = 0};
	struct tp_walk walk = tp_walk_of(doc);
	size_t blocks = 0, folded = 0;

	while (tp_walk_next(&walk))
		blocks++;
	plan.parts = tp_new_array(arena, struct part, blocks);
	double px = blocks_px(&plan, doc->first, NONE);
	double room_px = open_evidence(&plan, doc, PAGE_PX - px);

	room_px = open_in_turn(&plan, false, room_px, arena);
	open_in_turn(&plan, true, room_px, arena);
	*paper = paper_of(&plan, px);
	const struct tp_block **list = tp_new_array(arena, const struct tp_block *, plan.count + 1);

	/* Who opens a part sees all of it. */
	for (size_t i = 0; i < plan.count; i++) {
		const struct part *p = &plan.parts[i];

		if (!p->open && (p->within == NONE || plan.parts[p->within].open))
			list[folded++] = p->block;
	}
	return list;
}

/* About how many elements a block becomes. */
static size_t
elements_of(const struct tp_block *block)
{
	if (block->kind == TP_BLOCK_TABLE) {
		size_t rows = block->table.row_count < TP_HTML_ROWS ? block->table.row_count : TP_HTML_ROWS;

		return rows * (1 + block->table.column_count * 3 / 2);
	}
	return block->kind == TP_BLOCK_CHART ? CHART_ELEMENTS : 4;
}

bool
tp_html_is_large(const struct tp_doc *doc)
{
	struct tp_walk walk = tp_walk_of(doc);
	size_t elements = 0;

	while (tp_walk_next(&walk))
		elements += walk.event == TP_WALK_ENTER ? elements_of(walk.block) : 0;
	return elements > MOST_ELEMENTS;
}

bool
tp_html_is_folded(struct tp_html_page *page, const struct tp_block *block)
{
	bool folded = *page->folded == block;

	page->folded += folded;
	return folded;
}

/* A browser takes long for very many elements. With scripts on, it keeps what stands in <noscript> as one text, which the script
 * makes elements of; without scripts, the elements stand there as any. */
bool
tp_html_begin_later(struct tp_html_page *page)
{
	if (!page->large || page->later)
		return false;
	page->later = true;
	tp_html_open(&page->out, "noscript");
	return true;
}

void
tp_html_end_later(struct tp_html_page *page, bool begun)
{
	if (!begun)
		return;
	page->later = false;
	tp_html_end(page);
}
