"""Fields of the parent beside a union: every variant has both."""

from mini import refused, salvaged, same


def check_tagged(pkg):
    same(pkg.v1, "Gauge", {"id": "a", "form": "dial", "now": 1, "top": 2, "_meta": {"k": 1}})
    gauge = same(pkg.v1, "Gauge", {"id": "a", "form": "switch", "now": False, "_meta": None})
    assert gauge.id == "a" and gauge.now is False and gauge.name == "gauge"
    assert refused(pkg.v1, "Gauge", {"form": "switch", "now": True}) == ["/id"]
    assert refused(pkg.v1, "Gauge", {"id": "a", "form": "dial", "now": True}) == ["/now"]
    assert set(refused(pkg.v1, "Gauge", {"id": 1, "form": "dial"})) == {"/id", "/now"}
    refused(pkg.v1, "Gauge", {"id": "a", "now": 1})
    found = salvaged(
        pkg.v1,
        "Gauge",
        {"id": "a", "form": "dial", "now": 1, "_meta": 5},
        {"id": "a", "form": "dial", "now": 1},
    )
    assert found.meta is None


def check_untagged(pkg):
    same(pkg.v1, "SetGauge", {"id": "a", "form": "switch", "now": True})
    same(pkg.v1, "SetGauge", {"id": "a", "now": "high"})
    same(pkg.v1, "SetGauge", {"id": "a", "form": "other", "now": "high"})
    refused(pkg.v1, "SetGauge", {"id": "a", "now": True})
    refused(pkg.v1, "SetGauge", {"id": "a", "now": 5})
    refused(pkg.v1, "SetGauge", {"id": "a", "form": "switch"})
    refused(pkg.v1, "SetGauge", {"now": "high"})


def check_list(pkg):
    good = {"id": "a", "form": "dial", "now": 1}
    salvaged(
        pkg.v1,
        "Panel",
        {"gauges": [{"form": "dial", "now": 1}, good, {"id": "b"}]},
        {"gauges": [good]},
    )


def check_python(pkg):
    made = pkg.v1.DialGauge(id="a", now=0.5, meta={"k": [1]})
    assert pkg.v1.encode(made) == {"id": "a", "form": "dial", "now": 0.5, "_meta": {"k": [1]}}
