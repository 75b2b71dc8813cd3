"""Unions inside unions: a second tag in a variant, and a payload that is itself a union."""

from mini import refused, same


def check_payload_is_a_union(pkg):
    same(pkg.v1, "Alarm", {"alarm": "fire", "level": 1, "reach": "street", "street": "s"})
    same(pkg.v1, "Alarm", {"alarm": "fire", "level": 1, "reach": "town", "town": "t", "x": {}})
    same(pkg.v1, "Alarm", {"alarm": "flood", "reach": "_sea", "far": True})
    same(pkg.v1, "Alarm", {"alarm": "drill"})
    same(pkg.v1, "Alarm", {"alarm": "_other", "reach": 5})
    assert refused(pkg.v1, "Alarm", {"alarm": "fire", "level": 1, "reach": "street"}) == ["/street"]
    assert refused(pkg.v1, "Alarm", {"alarm": "fire", "reach": "town", "town": "t"}) == ["/level"]
    assert refused(pkg.v1, "Alarm", {"alarm": "flood", "reach": "street"}) == ["/street"]
    for bad in (
        {"alarm": "fire", "level": 1, "reach": "sea"},
        {"alarm": "fire", "level": 1},
        {"alarm": "flood"},
        {"reach": "street", "street": "s"},
        {},
    ):
        refused(pkg.v1, "Alarm", bad)
    assert refused(pkg.v1, "Desk", {"alarms": [{"alarm": "flood", "reach": "street"}]}) == [
        "/alarms/0/street"
    ]


def check_tag_then_tag(pkg):
    same(pkg.v1, "Call", {"caller": "c", "mode": "ask", "answer": "no", "why": "w"})
    same(pkg.v1, "Call", {"caller": "c", "mode": "tell", "text": "t", "answer": 5})
    assert refused(pkg.v1, "Call", {"caller": "c", "mode": "tell"}) == ["/text"]
    assert refused(pkg.v1, "Call", {"mode": "ask", "answer": "yes"}) == ["/caller"]
    refused(pkg.v1, "Call", {"caller": "c", "mode": "ask", "answer": "maybe"})
    refused(pkg.v1, "Call", {"caller": "c", "mode": "ask"})


def check_python(pkg):
    made = pkg.v1.StreetFireAlarm(level=2, street="s")
    assert pkg.v1.encode(made) == {"alarm": "fire", "reach": "street", "level": 2, "street": "s"}
    desk = pkg.v1.Desk(alarms=[made], call=pkg.v1.NoAskCall(caller="c"))
    assert pkg.v1.encode(desk)["call"] == {"caller": "c", "mode": "ask", "answer": "no"}
