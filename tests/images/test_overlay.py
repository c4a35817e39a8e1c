from proofyard.core import Entry, MemoryBlobs, Tree, tree_of
from proofyard.images import below, difference, overlaid

BLOBS = MemoryBlobs()
BASE = tree_of({"app/a": "a", "app/d/b": "b", "app/d/c": "c", "data/x": "x"}, BLOBS)


def there_and_back(now: Tree) -> Tree:
    delta = difference(BASE, now)
    assert overlaid(BASE, delta) == now
    return delta


def test_nothing_changed() -> None:
    assert there_and_back(BASE) == Tree()


def test_added_changed_removed() -> None:
    now = tree_of({"app/a": "A", "app/d/b": "b", "app/new": "n"}, BLOBS, ["app/d/b"])
    delta = there_and_back(now)
    assert {path: entry.kind for path, entry in delta.entries.items()} == {
        "app/a": "file", "app/d/b": "file", "app/new": "file", "app/d/c": "whiteout", "data/x": "whiteout",
    }  # fmt: skip


def test_a_folder_that_becomes_a_file_and_the_other_way_round() -> None:
    there_and_back(tree_of({"app/a/in": "1", "app/d": "2", "data/x": "x"}, BLOBS))


def test_what_is_laid_over_without_whiteouts() -> None:
    over = tree_of({"app/d": "file", "data/x/deep": "y"}, BLOBS)
    assert sorted(overlaid(BASE, over).entries) == ["app/a", "app/d", "data/x/deep"]
    gone = Tree(entries={"app/d": Entry(kind="whiteout")})
    assert sorted(overlaid(BASE, gone).entries) == ["app/a", "data/x"]
    link = Tree(entries={"app/d": Entry(kind="symlink", target="/etc")})
    assert sorted(overlaid(BASE, link).entries) == ["app/a", "app/d", "data/x"]


def test_special_files_are_left_out() -> None:
    now = BASE.merged(Tree(entries={"app/fifo": Entry(kind="special")}))
    assert difference(BASE, now) == Tree()


def test_below() -> None:
    assert sorted(below(tree_of({"x": ""}, BLOBS), "/a/b").entries) == ["a/b/x"]
    assert below(BASE, "/") == BASE
