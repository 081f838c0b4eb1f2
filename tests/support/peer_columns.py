"""Remembers which columns of the existing tool's tables a test looked at, so that one that nobody compares fails the test."""

from collections import defaultdict
from fnmatch import fnmatchcase

# The reason for columns in which there is nothing to compare, which is checked as well.
SAYS_NOTHING = "the same in every row: 0, the least double, No, nothing, or the one word for it"
NOTHING = (0, 2.2250738585072014e-308, "", "No", None, "Function", "TensorCore")
# Reasons for columns of which the figures are compared, or follow from some that are.
ELSEWHERE = "the same as in hlo_stats, where it is compared"
FOLLOWS = "a rank, a sum down the rows or a quotient of columns that are compared"

# Of the tables on operations, in captures and synthetic profiles alike: columns that are compared nowhere, and why not.
OF_XLA_TABLES = {
    "hlo_stats.autotuned": SAYS_NOTHING,
    "hlo_stats.cmem_*_bw": SAYS_NOTHING,
    "hlo_stats.core_type": SAYS_NOTHING,
    "hlo_stats.hlo_rematerialization": SAYS_NOTHING,
    "hlo_stats.outside_compilation": SAYS_NOTHING,
    "hlo_stats.parent_op_name": SAYS_NOTHING,
    "hlo_stats.vdd_energy": SAYS_NOTHING,
    "hlo_stats.rank": FOLLOWS,
    "*.source_info": "frames as HTML; ours is compared with the generator's, for real captures not yet",
    "framework_op_stats.*_cumulative_total_self_time_percent": FOLLOWS,
    "framework_op_stats.eager": SAYS_NOTHING,
    "framework_op_stats.rank": FOLLOWS,
    "roofline_model.avg_time": ELSEWHERE,
    "roofline_model.avg_self_time": ELSEWHERE,
    "roofline_model.total_self_time": ELSEWHERE,
    "roofline_model.*total_self_time_percent": FOLLOWS,
    "roofline_model.occurrences": ELSEWHERE,
    "roofline_model.measured_memory_bw": ELSEWHERE,
    "roofline_model.model_flop_rate": ELSEWHERE,
    "roofline_model.operational_intensity": ELSEWHERE,
    "roofline_model.hlo_module_id": ELSEWHERE,
    "roofline_model.dma_stall_percent": SAYS_NOTHING,
    "roofline_model.rank": FOLLOWS,
    "roofline_model.total_time_in_percentage": FOLLOWS,
    "roofline_model.total_time_per_core": FOLLOWS,
    "roofline_model.bottleneck_operational_intensity": FOLLOWS,
    "roofline_model.cmem_*_operational_intensity": SAYS_NOTHING,
    "roofline_model.vmem_*_operational_intensity": SAYS_NOTHING,
}


class Row(dict):
    """{column: value} that notes what is asked for."""

    def __init__(self, columns, tool, cells):
        super().__init__(cells)
        self.columns, self.tool = columns, tool
        for column, value in self.items():
            columns.there[tool][column] |= value not in NOTHING

    def __getitem__(self, column):
        self.columns.looked_at[self.tool].add(column)
        return super().__getitem__(column)

    def get(self, column, default=None):
        self.columns.looked_at[self.tool].add(column)
        return super().get(column, default)


class Columns:
    """Of all tables that were opened, by the tool that wrote them ("hlo_stats.hlo_op_name")."""

    def __init__(self):
        self.there = defaultdict(lambda: defaultdict(bool))  # {tool: {column: whether it says anything}}
        self.looked_at = defaultdict(set)

    def rows(self, tool, table):
        names = [column["id"] for column in table.get("cols", [])]
        return [Row(self, tool, zip(names, (cell.get("v") if cell else None for cell in row["c"]))) for row in table["rows"]]

    def end(self, check, not_compared):
        """not_compared: {pattern: reason}; each is still needed."""
        check.part("columns of the peer's tables")
        needed = set()
        for tool, columns in self.there.items():
            for column in sorted(columns.keys() - self.looked_at[tool]):
                name = f"{tool}.{column}"
                patterns = [pattern for pattern in not_compared if fnmatchcase(name, pattern)]
                needed.update(patterns)
                if check.true(f"{name} is compared, or said why not", patterns):
                    check.true(f"{name} says nothing", not columns[column] or
                               any(not_compared[pattern] != SAYS_NOTHING for pattern in patterns))
        check.equal("compared after all: take it off the list", sorted(not_compared.keys() - needed), [])
