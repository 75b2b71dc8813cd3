"""Tagged unions with a catch-all: unknown tags stay whole, known ones are never swallowed."""

import pytest

from mini import refused, salvaged, same


def check_known(pkg):
    same(pkg.v1, "Weather", {"sky": "rain", "mm": 1.5})
    same(pkg.v1, "Weather", {"sky": "sun", "more": None})
    assert refused(pkg.v1, "Weather", {"sky": "rain"}) == ["/mm"]
    assert refused(pkg.v1, "Weather", {"sky": "sun", "hours": "2"}) == ["/hours"]


def check_unknown(pkg):
    hail = same(pkg.v1, "Weather", {"sky": "_hail", "size": {"mm": [1, None, 2.5]}, "mm": "x"})
    assert type(hail).__name__ == "OtherWeather"
    assert hail.sky == "_hail" and hail.model_extra["mm"] == "x"
    for bad in ({"mm": 1}, {"sky": None}, {"sky": 1}, {}, [], "rain"):
        refused(pkg.v1, "Weather", bad)


def check_python(pkg):
    made = pkg.v1.OtherWeather(sky="fog", density=2)
    assert pkg.v1.encode(made) == {"sky": "fog", "density": 2}
    for tag in ("rain", "sun"):
        with pytest.raises(ValueError):
            pkg.v1.OtherWeather(sky=tag)
    with pytest.raises(TypeError):
        pkg.v1.RainWeather(mm=1, density=2)


def check_places(pkg):
    same(pkg.v1, "Report", {"now": {"sky": "x"}, "next": [{"sky": "sun"}, {"sky": "y", "a": 1}]})
    assert refused(pkg.v1, "Report", {"now": {"sky": "rain"}}) == ["/now/mm"]
    assert refused(pkg.v1, "Report", {"next": [{"sky": "z"}, {"sky": "rain"}]}) == ["/next/1/mm"]
    salvaged(pkg.v1, "Report", {"soft": {"sky": "rain"}}, {})
    salvaged(
        pkg.v1, "Report", {"softs": [{"sky": "rain"}, {"sky": "z"}]}, {"softs": [{"sky": "z"}]}
    )
