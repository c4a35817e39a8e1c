"""What the jobs of the failed-run family are about: names only."""

from typing import Final, NamedTuple

__all__ = ["WORLDS", "World"]


class World(NamedTuple):
    """A domain. title: of the instruction. owner, writers: who has the job, and what writes the exports. The others name the
    module, pipeline, folder, columns, steps and outputs. places: what stands in the second column.
    """

    title: str
    owner: str
    writers: str
    module: str
    pipeline: str
    folder: str
    key: str
    place: str
    amount: str
    read: str
    convert: str
    add: str
    rows: str
    cents: str
    result: str
    places: tuple[str, ...]


WORLDS: Final[dict[str, World]] = {
    "museum": World(
        "One day of the museum is missing", "a museum's", "desks", "museum", "admissions", "desks", "ticket", "hall", "paid",
        "read_desks", "count_cents", "close_day", "tickets", "cents", "admissions",
        ("Hall of Ships", "Minerals", "Weaving", "Garden"),
    ),
    "market": World(
        "One market day has no account", "a fish market's", "scales", "market", "auction", "slips", "lot", "pier", "price",
        "collect_slips", "price_lots", "settle", "lots", "prices", "settlement",
        ("North pier", "South pier", "Ice house"),
    ),
    "laundry": World(
        "One day of the laundry was never booked", "a laundry's", "registers", "laundry", "bookings", "registers", "order",
        "shop", "fee", "load_orders", "fees_in_cents", "book", "orders", "fees", "booking",
        ("Mill Lane", "Station", "Old Town", "Quay"),
    ),
    "campsite": World(
        "One day of the campsite does not show up", "a campsite's", "kiosks", "campsite", "receipts", "kiosks", "receipt",
        "field", "charge", "fetch_receipts", "charges_to_cents", "sum_up", "receipts", "charges", "summary",
        ("Lakeside", "Pines", "Meadow"),
    ),
    "theatre": World(
        "One evening's box office is missing", "a theatre's", "counters", "theatre", "box_office", "counters", "seat", "stage",
        "fare", "read_counters", "fares", "tally", "seats", "fare_cents", "tally",
        ("Main stage", "Studio", "Courtyard"),
    ),
    "library": World(
        "One day's fees are not in the ledger", "a library's", "terminals", "library", "fee_ledger", "terminals", "entry",
        "branch", "fee", "import_entries", "entry_cents", "post", "entries", "entry_amounts", "posting",
        ("Centre", "Riverside", "Hilltop", "Bus"),
    ),
}  # fmt: skip
