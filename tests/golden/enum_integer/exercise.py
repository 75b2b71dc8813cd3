"""Integer enums, open and closed: 1 is not true and not "1"."""

from mini import refused, same


def check_open(pkg):
    for code in (-4, 12, 0, 2**70):
        same(pkg.v1, "Signal", code)
    for code in ("12", True, None, 1.5):
        refused(pkg.v1, "Signal", code)
    assert pkg.v1.encode(pkg.v1.decode("Signal", 12.0, strict=True)) == 12


def check_closed(pkg):
    for step in (1, 2, 1.0):
        assert pkg.v1.decode("Step", step, strict=True) == step
    for step in (0, 3, True, "1", None, 1.5):
        refused(pkg.v1, "Step", step)


def check_fields(pkg):
    same(pkg.v1, "Post", {"signal": 7, "step": 2, "level": 10})
    assert refused(pkg.v1, "Post", {"signal": True}) == ["/signal"]
    assert refused(pkg.v1, "Post", {"signal": 1, "step": True}) == ["/step"]
    assert refused(pkg.v1, "Post", {"signal": 1, "level": False}) == ["/level"]
