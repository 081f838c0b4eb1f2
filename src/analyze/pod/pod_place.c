/* Where each core is drawn: as its chip is arranged, where the run says how, else in rows of hosts. An xplane's core details
 * have numbers of chips and no coordinates; the old pod viewer's file has how many chips there are in x, y and z. */
#include "analyze/pod/pod_tables.h"

#include "base/arena.h"
#include "model/profile.h"

enum {
	MOST_ROWS = 32,
	MOST_CORES_A_CHIP = 8,
};

/* Units by number, but those of a host one after the other: in a mesh its chips are not numbered in a row. */
static uint32_t *
hosts_together(const struct tp_pass_ctx *ctx, const struct tp_pod *pod)
{
	const uint32_t *order = pod->by_number;
	uint32_t *sorted = tp_new_array(ctx->scratch, uint32_t, pod->count);
	uint32_t *rank = tp_new_array(ctx->scratch, uint32_t, pod->hosts);
	size_t *end = tp_new_array(ctx->scratch, size_t, pod->hosts);
	uint32_t ranks = 0;

	memset(rank, 0xff, pod->hosts * sizeof *rank);
	for (size_t i = 0; i < pod->count; i++) {
		uint32_t *mine = &rank[pod->units[order[i]].host_group];

		if (*mine == TP_NONE)
			*mine = ranks++;
		end[*mine]++;
	}
	for (uint32_t h = 0, at = 0; h < ranks; h++) {
		size_t count = end[h];

		end[h] = at;
		at += (uint32_t)count;
	}
	for (size_t i = 0; i < pod->count; i++)
		sorted[end[rank[pod->units[order[i]].host_group]]++] = order[i];
	return sorted;
}

static size_t
cells_of(const struct tp_pod *pod, enum tp_pod_level level)
{
	return level == TP_POD_CORE ? pod->count : level == TP_POD_CHIP ? pod->chips : pod->hosts;
}

/* Cells in the order of numbers; hosts begin a new row where rows are few. */
static void
place_in_rows(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_pod_map *map)
{
	uint32_t *order = hosts_together(ctx, pod);
	size_t count = cells_of(pod, map->level), n = 0, widest = 1, in_row = 0, in_chip = 0;
	uint32_t *cell_of_group = tp_new_array(ctx->scratch, uint32_t, count);

	memset(cell_of_group, 0xff, count * sizeof *cell_of_group);
	map->cell_of_unit = tp_new_array(ctx->scratch, uint32_t, pod->count);
	map->group = 1;
	map->host_rows = map->level != TP_POD_HOST && pod->hosts > 1 && pod->hosts <= MOST_ROWS;
	for (size_t i = 0; i < pod->count; i++) {
		bool new_host =
			i == 0 || pod->units[order[i]].host_group != pod->units[order[i - 1]].host_group;
		bool new_chip =
			i == 0 || pod->units[order[i]].chip_group != pod->units[order[i - 1]].chip_group;

		in_row = new_host ? 1 : in_row + 1;
		in_chip = new_chip ? 1 : in_chip + 1;
		widest = in_row > widest ? in_row : widest;
		if (map->level == TP_POD_CORE && in_chip > map->group)
			map->group = in_chip;
	}
	if (map->level == TP_POD_CHIP)
		widest = (widest + 1) / (pod->count > pod->chips ? 2 : 1);
	map->columns = map->host_rows ? widest : (count + MOST_ROWS - 1) / MOST_ROWS;
	if (!map->host_rows && map->columns < 8)
		map->columns = count < 8 ? count : 8;
	for (size_t i = 0, row = 0, column = 0; i < pod->count; i++) {
		uint32_t *cell = &cell_of_group[tp_pod_group(pod, map->level, order[i])];

		if (*cell == TP_NONE) {
			bool new_host = map->host_rows && i != 0 &&
				pod->units[order[i]].host_group != pod->units[order[i - 1]].host_group;

			if (column == map->columns || new_host) {
				row++;
				column = 0;
			}
			*cell = (uint32_t)(row * map->columns + column++);
			n = row + 1;
		}
		map->cell_of_unit[order[i]] = *cell;
	}
	map->rows = n;
}

/* The part of the mesh that a host's chips span. */
struct box {
	uint32_t low[3], high[3], chips;
};

static void
coordinates(const struct tp_pod *pod, uint32_t chip, uint32_t at[static 3])
{
	at[0] = chip % pod->mesh[0];
	at[1] = chip / pod->mesh[0] % pod->mesh[1];
	at[2] = chip / pod->mesh[0] / pod->mesh[1];
}

static void
extend(struct box *box, const uint32_t at[static 3])
{
	for (int k = 0; k < 3; k++) {
		if (box->chips == 0 || at[k] < box->low[k])
			box->low[k] = at[k];
		if (box->chips == 0 || at[k] > box->high[k])
			box->high[k] = at[k];
	}
	box->chips++;
}

static bool
is_full(const struct box *box)
{
	uint64_t volume = 1;

	for (int k = 0; k < 3; k++)
		volume *= box->high[k] - box->low[k] + 1;
	return volume == box->chips;
}

/* That chips are numbered through x first is nowhere written. It holds if all are there and the chips of each host, which
 * are one board, then lie together. */
static bool
is_mesh(const struct tp_pass_ctx *ctx, const struct tp_pod *pod)
{
	struct box *boxes = tp_new_array(ctx->scratch, struct box, pod->hosts);
	bool *seen = tp_new_array(ctx->scratch, bool, pod->chips);
	const uint32_t *mesh = pod->mesh;

	if (!pod->placed || mesh[0] == 0 || mesh[1] == 0 || mesh[2] == 0 || mesh[0] > pod->chips ||
		mesh[1] > pod->chips || mesh[2] > pod->chips ||
		(uint64_t)mesh[0] * mesh[1] * mesh[2] != pod->chips)
		return false;
	for (size_t u = 0; u < pod->count; u++) {
		const struct tp_pod_unit *unit = &pod->units[u];
		uint32_t at[3];

		if (unit->chip >= pod->chips || unit->core_on_chip >= MOST_CORES_A_CHIP)
			return false;
		if (seen[unit->chip])
			continue;
		seen[unit->chip] = true;
		coordinates(pod, unit->chip, at);
		extend(&boxes[unit->host_group], at);
	}
	for (uint32_t h = 0; h < pod->hosts; h++) {
		if (!is_full(&boxes[h]))
			return false;
	}
	return true;
}

static void
place_in_mesh(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_pod_map *map)
{
	map->mesh = true;
	map->group = 1;
	map->cell_of_unit = tp_new_array(ctx->scratch, uint32_t, pod->count);
	for (size_t u = 0; u < pod->count && map->level == TP_POD_CORE; u++) {
		if (pod->units[u].core_on_chip >= map->group)
			map->group = pod->units[u].core_on_chip + 1;
	}
	map->columns = pod->mesh[0] * map->group;
	map->rows = (size_t)pod->mesh[1] * pod->mesh[2];
	for (size_t u = 0; u < pod->count; u++) {
		const struct tp_pod_unit *unit = &pod->units[u];
		size_t row = unit->chip / pod->mesh[0], x = unit->chip % pod->mesh[0];

		map->cell_of_unit[u] = (uint32_t)(row * map->columns + x * map->group +
			(map->level == TP_POD_CORE ? unit->core_on_chip : 0));
	}
}

void
tp_pod_place_cells(const struct tp_pass_ctx *ctx, const struct tp_pod *pod, struct tp_pod_map *map)
{
	if (map->level != TP_POD_HOST && is_mesh(ctx, pod))
		place_in_mesh(ctx, pod, map);
	else
		place_in_rows(ctx, pod, map);
}
