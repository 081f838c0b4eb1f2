/* Heat maps of a distributed run: a cell a core, in rows of hosts, the cores of a chip together. Where there are very many, a
 * cell stands for a chip or a host, with the slowest of its cores. */
#include "analyze/pod/pod_tables.h"

#include "analyze/core/say.h"
#include "analyze/pod/pod_traffic.h"
#include "analyze/pod/pod_words.h"
#include "analyze/steps/steps.h"
#include "base/arena.h"

#include <math.h>

enum {
	MOST_CELLS = 1024,
	LINKS = 5,
};

/* Differences of less than this share of the largest are drawn pale. */
static const double least_span = .05;
/* Channels that take at least so many times the median are drawn; the slowest is in any case. */
static const double slow_link = 1.05;
/* A part that differs by less than this share of the mean step gets no map. */
static const double least_share = .01;

static enum tp_pod_level
choose_level(const struct tp_pod *pod)
{
	if (!pod->cores)
		return TP_POD_HOST;
	return pod->count <= MOST_CELLS ? TP_POD_CORE
		: pod->chips <= MOST_CELLS  ? TP_POD_CHIP
									: TP_POD_HOST;
}

static struct tp_slice
mesh_row(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, size_t row)
{
	return pod->mesh[2] > 1
		? tp_arena_printf(ctx->keep, "z %zu, y %zu", row / pod->mesh[1], row % pod->mesh[1])
		: tp_arena_printf(ctx->keep, "y %zu", row);
}

static struct tp_pod_map
map_of(const struct tp_pass_ctx *ctx, const struct tp_pod *pod)
{
	struct tp_pod_map map = {.level = choose_level(pod)};
	size_t cells;

	tp_pod_place_cells(ctx, pod, &map);
	cells = map.rows * map.columns;
	map.row_names = tp_new_array(ctx->keep, struct tp_slice, map.rows);
	map.labels = tp_new_array(ctx->keep, struct tp_slice, cells);
	if (pod->placed && map.level == TP_POD_CORE)
		map.places = tp_new_array(ctx->keep, struct tp_slice, cells);
	for (size_t u = pod->count; u-- > 0;) {
		size_t cell = map.cell_of_unit[u], row = cell / map.columns;
		struct tp_slice name = tp_pod_name(ctx, pod, map.level, u);

		map.labels[cell] = name;
		if (map.places != NULL)
			map.places[cell] = tp_arena_printf(
				ctx->keep, "chip %u core %u", pod->units[u].chip, pod->units[u].core_on_chip);
		if (map.host_rows || (!map.mesh && pod->cores && pod->hosts == 1))
			map.row_names[row] = pod->units[u].host_name;
		else if (map.mesh)
			map.row_names[row] = mesh_row(ctx, pod, row);
		else if (cell % map.columns == 0)
			map.row_names[row] = name;
	}
	return map;
}

/* of: the part, or TP_POD_PART_COUNT for own time. */
static double
figure(const struct tp_pod_unit *unit, size_t of)
{
	return (of == TP_POD_PART_COUNT ? unit->own_ps : unit->mean_ps[of]) / 1e9;
}

/* In ms, of the slowest unit of a cell. */
static struct tp_grid *
grid_of(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, const struct tp_pod_map *map,
	size_t of)
{
	struct tp_grid *g = tp_new(ctx->keep, struct tp_grid);
	double *values = tp_new_array(ctx->keep, double, map->rows * map->columns);
	size_t *marked = tp_new(ctx->keep, size_t);

	*g = (struct tp_grid){.rows = map->row_names,
		.row_count = map->rows,
		.columns = map->columns,
		.group = map->group,
		.values = values,
		.labels = map->labels,
		.places = map->places,
		.low = INFINITY,
		.high = -INFINITY,
		.marked = marked};
	for (size_t i = 0; i < map->rows * map->columns; i++)
		values[i] = NAN;
	for (size_t u = 0; u < pod->count; u++) {
		double *value = &values[map->cell_of_unit[u]], mine = figure(&pod->units[u], of);

		if (isnan(*value) || mine > *value)
			*value = mine;
	}
	for (size_t i = 0; i < map->rows * map->columns; i++) {
		if (isnan(values[i]))
			continue;
		g->low = fmin(g->low, values[i]);
		g->high = fmax(g->high, values[i]);
	}
	if (!(g->high - g->low >= least_span * g->high))
		g->high = g->low + (g->high > 0 ? least_span * g->high : 1);
	if (tp_pod_has_straggler(pod)) {
		*marked = map->cell_of_unit[pod->straggler.unit];
		g->marked_count = 1;
	}
	return g;
}

/* "t1v-n-w-3, chip 6, core 1; 99.9 % of its step": of the unit that a cell shows. */
static void
add_notes(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, const struct tp_pod_map *map,
	struct tp_grid *g)
{
	struct tp_slice *notes = tp_new_array(ctx->keep, struct tp_slice, map->rows * map->columns);

	for (size_t u = 0; u < pod->count; u++) {
		const struct tp_pod_unit *unit = &pod->units[u];
		struct tp_slice *note = &notes[map->cell_of_unit[u]];
		struct tp_slice place = tp_pod_place(ctx, pod, u);

		if (figure(unit, TP_POD_PART_COUNT) < g->values[map->cell_of_unit[u]])
			continue;
		*note = tp_arena_printf(ctx->keep, "%.*s%s%.*s of its step", TP_ARG(place),
			place.len != 0 ? "; " : "",
			TP_ARG(tp_say_value(ctx, tp_share(unit->own_ps, unit->total_ps, TP_S("no length")))));
	}
	g->notes = notes;
}

static void
add_map(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, const struct tp_pod_map *map,
	size_t of, struct tp_slice what, struct tp_doc *doc, struct tp_block *parent,
	struct tp_slice id)
{
	struct tp_grid *g = grid_of(ctx, pod, map, of);
	double low = INFINITY, high = -INFINITY;

	/* The page's script puts the step that it shows behind the last colon. */
	g->title = tp_arena_printf(ctx->keep, "%.*s: %s", TP_ARG(what),
		pod->steps->count == 1 ? "the only step" : "mean over steps");
	if (of == TP_POD_PART_COUNT)
		add_notes(ctx, pod, map, g);
	for (size_t u = 0; u < pod->count; u++) {
		low = fmin(low, figure(&pod->units[u], of));
		high = fmax(high, figure(&pod->units[u], of));
	}
	tp_doc_add(doc, parent, TP_BLOCK_CHART, id)->chart = (struct tp_chart){
		.kind = TP_CHART_GRID,
		.alt = tp_arena_printf(ctx->keep, text_map_alt, TP_ARG(what),
			pod->cores ? map_of_each[map->level] : "host",
			TP_ARG(tp_say_value(ctx, tp_number(low, TP_UNIT_MS))),
			TP_ARG(tp_say_value(ctx, tp_number(high, TP_UNIT_MS)))),
		.unit = TP_UNIT_MS,
		.grid = g,
	};
}

static struct tp_slice
own_title(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, const struct tp_pod_map *map)
{
	return tp_arena_printf(ctx->keep, title_map, map_cells[pod->cores ? map->level : TP_POD_HOST],
		map->mesh            ? ", x to the right"
			: map->host_rows ? ", one row per host"
							 : "");
}

/* A map that looks like a place must say that it is none. */
static void
say_order(const struct tp_pod *pod, const struct tp_pod_map *map, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_slice rows = map->host_rows ? TP_S(text_rows_are_hosts) : TP_S("");
	struct tp_slice chips = map->group > 1 ? TP_S(text_cells_of_chip) : TP_S("");

	if (map->mesh) {
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "distributed/map-order",
			TP_SAY(doc, text_map_mesh, tp_count(pod->mesh[0]), tp_count(pod->mesh[1]),
				tp_count(pod->mesh[2]), tp_text_value(chips)));
		return;
	}
	if (pod->placed || pod->precomputed_ps != NULL)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "distributed/map-order",
			TP_SAY(doc, text_map_numbered, tp_text_value(rows), tp_text_value(chips)));
	else if (pod->cores)
		tp_doc_paragraph(doc, section, TP_PARAGRAPH_SMALL, "distributed/map-order",
			TP_SAY(doc, text_map_unplaced, tp_text_value(rows)));
}

void
tp_pod_maps(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_doc *doc,
	struct tp_block *section)
{
	struct tp_pod_map map = map_of(ctx, pod);
	enum tp_pod_part parts[TP_POD_PART_COUNT];
	size_t count = tp_pod_parts(pod, parts), alike = 0;
	struct tp_block *fold = NULL;
	struct tp_slice without = TP_S("");

	add_map(ctx, pod, &map, TP_POD_PART_COUNT, own_title(ctx, pod, &map), doc, section,
		TP_S("distributed/map"));
	say_order(pod, &map, doc, section);
	for (size_t i = 0; i < count; i++) {
		const struct tp_pod_part_info *info = tp_pod_part_info(parts[i]);
		double least = INFINITY, most = 0;

		for (size_t u = 0; u < pod->count; u++) {
			least = fmin(least, pod->units[u].mean_ps[parts[i]]);
			most = fmax(most, pod->units[u].mean_ps[parts[i]]);
		}
		if (most - least < least_share * pod->steps->time.mean) {
			without = tp_arena_printf(ctx->keep, "%.*s%s%.*s", TP_ARG(without),
				alike++ != 0 ? ", " : "", TP_ARG(tp_pod_part_label(pod, parts[i])));
			continue;
		}
		if (fold == NULL) {
			fold = tp_doc_section(doc, section, TP_SECTION_FOLD, "distributed/maps", title_maps);
			fold->section.off_paper = true;
		}
		add_map(ctx, pod, &map, parts[i], tp_pod_part_label(pod, parts[i]), doc, fold,
			tp_arena_printf(ctx->keep, "distributed/map-%s", info->key));
	}
	if (fold != NULL && alike != 0)
		tp_doc_paragraph(doc, fold, TP_PARAGRAPH_SMALL, "distributed/maps-alike",
			TP_SAY(doc, text_maps_alike, tp_number(least_share, TP_UNIT_SHARE),
				tp_text_value(without)));
}

void
tp_pod_link_map(const struct tp_pass_ctx *ctx, const struct tp_pod *pod,
	const struct tp_pod_traffic *t, struct tp_doc *doc, struct tp_block *part)
{
	struct tp_pod_map map = map_of(ctx, pod);
	struct tp_grid *g = grid_of(ctx, pod, &map, TP_POD_PART_COUNT);
	size_t(*links)[2] = tp_arena_array(ctx->keep, LINKS, sizeof *links);
	size_t n = 0;
	struct tp_slice names = TP_S("");
	double usual = slow_link * tp_pod_median_latency_ps(t, ctx->scratch);

	for (size_t i = 0; i < t->link_count && n < LINKS && !t->links[i].clocks_differ; i++) {
		if (i != 0 && t->links[i].latency_ps < usual)
			break;
		size_t from = map.cell_of_unit[t->links[i].source];
		size_t to = map.cell_of_unit[t->links[i].target];

		if (from == to)
			continue;
		names = tp_arena_printf(ctx->keep, "%.*s%s%u → %u", TP_ARG(names), n != 0 ? ", " : "",
			pod->units[t->links[i].source].number, pod->units[t->links[i].target].number);
		links[n][0] = from;
		links[n++][1] = to;
	}
	if (n == 0)
		return;
	g->links = (const size_t(*)[2])links;
	g->link_count = n;
	tp_doc_paragraph(doc, part, TP_PARAGRAPH_SMALL, "distributed/link-map-what",
		TP_SAY(doc, text_link_map, tp_text_value(names)));
	tp_doc_add(doc, part, TP_BLOCK_CHART, TP_S("distributed/link-map"))->chart = (struct tp_chart){
		.kind = TP_CHART_GRID,
		.alt = tp_arena_printf(ctx->keep, text_link_map_alt, TP_ARG(names)),
		.unit = TP_UNIT_MS,
		.grid = g,
	};
}
