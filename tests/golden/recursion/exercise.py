"""Types that contain themselves."""

from mini import refused, same


def check_objects(pkg):
    same(
        pkg.v1,
        "Folder",
        {
            "name": "a",
            "folders": [{"name": "b", "up": {"name": "c", "up": None}}],
            "by": {"k": {"name": "d"}},
        },
    )
    assert refused(pkg.v1, "Folder", {"name": "a", "folders": [{"name": "b", "up": {}}]}) == [
        "/folders/0/up/name"
    ]
    same(pkg.v1, "Ping", {"pong": {"ping": {"pong": {"folder": None}}}})
    assert refused(pkg.v1, "Ping", {"pong": {"ping": {"pong": 1}}}) == ["/pong/ping/pong"]


def check_unions(pkg):
    leaf = {"pane": "leaf", "note": "n"}
    same(pkg.v1, "View", {"pane": "split", "left": {"pane": "split", "left": leaf}, "right": leaf})
    assert refused(pkg.v1, "View", {"pane": "split", "left": {"pane": "split"}}) == ["/left/left"]
    assert refused(pkg.v1, "Folder", {"name": "a", "view": {"pane": "leaf", "note": 1}}) == [
        "/view/note"
    ]


def check_deep(pkg):
    value: dict = {"name": "x"}
    for _ in range(60):
        value = {"name": "x", "folders": [value]}
    same(pkg.v1, "Folder", value)


def check_python(pkg):
    folder = pkg.v1.Folder(name="a", up=pkg.v1.Folder(name="b"))
    assert pkg.v1.encode(folder) == {"name": "a", "up": {"name": "b"}}
    assert "Folder" in repr(folder)
