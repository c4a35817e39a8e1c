"""What the jobs of the stale-cache family are about: names only, the fault is the same everywhere."""

from typing import Final, NamedTuple

__all__ = ["FITS", "WORLDS", "World"]


class World(NamedTuple):
    """A domain. title: of the instruction. The others name modules, steps, outputs, files, columns and keys.

    data, notes, limits: stems of the files. `..._is`: what they are called in a sentence. level: about how high its numbers
    are.
    """

    title: str
    module: str
    pipeline: str
    load: str
    correct: str
    fit: str
    rate: str
    rows: str
    corrected: str
    model: str
    result: str
    data: str
    notes: str
    limits: str
    data_is: str
    notes_is: str
    limits_is: str
    column: str
    low: str
    high: str
    level: int


WORLDS: Final[dict[str, World]] = {
    "river": World(
        "The rating does not follow the river",
        "river", "river_rating", "load_levels", "shift_gauge", "fit_level", "rate_river",
        "levels", "shifted", "swing", "rating", "levels", "gauge", "alarms",
        "the gauge's levels", "the note on the gauge", "the alarm levels", "level_cm", "watch", "alarm", 180,
    ),
    "bakery": World(
        "The order does not follow the sales",
        "bakery", "bread_order", "read_sales", "add_returns", "model_demand", "plan_order",
        "sales", "net_sales", "demand", "order", "sales", "returns", "ovens",
        "the loaves sold", "the note on returns", "the ovens' limits", "loaves", "one_oven", "two_ovens", 420,
    ),
    "hives": World(
        "The advice does not follow the hives",
        "hives", "hive_advice", "weigh_hives", "deduct_frames", "fit_forage", "advise",
        "weights", "net_weights", "forage", "advice", "weights", "frames", "harvest",
        "the weights of the hives", "the note on frames", "the harvest weights", "weight_hg", "inspect", "harvest", 350,
    ),
    "cycling": World(
        "The report does not follow the counters",
        "cycling", "path_report", "collect_counts", "repair_counts", "fit_traffic", "report_load",
        "counts", "repaired", "traffic", "report", "counts", "outages", "capacity",
        "the counts of bicycles", "the note on outages", "the paths' capacity", "bicycles", "busy", "full", 640,
    ),
    "wells": World(
        "The bulletin does not follow the wells",
        "wells", "well_bulletin", "fetch_depths", "move_datum", "fit_drawdown", "write_bulletin",
        "depths", "moved", "drawdown", "bulletin", "depths", "datum", "permits",
        "the depths of the water", "the note on the datum", "the permitted depths", "depth_cm", "notice", "stop", 900,
    ),
    "kiln": World(
        "The grading does not follow the kiln",
        "kiln", "kiln_grading", "take_readings", "offset_probe", "fit_firing", "grade_firing",
        "readings", "offset", "firing", "grading", "readings", "probe", "cones",
        "the kiln's readings", "the note on the probe", "the cones' temperatures", "celsius", "soft", "melted", 1060,
    ),
}  # fmt: skip

FITS: Final = ("swing", "trend", "spread")
"""The ways in which the dear-looking step in the middle computes; a template each."""
