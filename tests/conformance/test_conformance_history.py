"""Histories are compared by what they say, not by the pieces they come in."""

from __future__ import annotations

from acp_conformance.exchange import Exchange
from acp_conformance.history import read_history, same


def chunk(speaker, text, **more):
    content = {"type": "text", "text": text}
    return {"sessionUpdate": f"{speaker}_message_chunk", "content": content, **more}


def said(*updates):
    return [(message.speaker, message.text) for message in read_history(updates)]


def test_chunks_in_a_row_are_one_message():
    assert said(
        chunk("user", "a"), chunk("user", "b"), chunk("agent", "c"), chunk("user", "d")
    ) == [
        ("user_message", "ab"),
        ("agent_message", "c"),
        ("user_message", "d"),
    ]


def test_chunks_with_an_id_are_joined_wherever_they_come():
    one, two = {"messageId": "1"}, {"messageId": "2"}
    assert said(
        chunk("agent", "a", **one), chunk("agent", "b", **two), chunk("agent", "c", **one)
    ) == [("agent_message", "ac"), ("agent_message", "b")]


def test_a_whole_message_replaces_its_chunks_and_without_content_leaves_them():
    whole = {"sessionUpdate": "agent_message", "messageId": "1"}
    content = [{"type": "text", "text": "x"}, {"type": "text", "text": "y"}]
    start = chunk("agent", "a", messageId="1")
    assert said(start, {**whole, "content": content}) == [("agent_message", "xy")]
    assert said(start, whole) == [("agent_message", "a")]
    assert said(start, {**whole, "content": None}) == [("agent_message", "")]


def test_what_is_no_text_counts_and_other_updates_do_not():
    image = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
    update = {"sessionUpdate": "user_message_chunk", "content": image}
    [message] = read_history([{"sessionUpdate": "plan", "entries": []}, update])
    assert '"data": "AAAA"' in message.text


def test_histories_with_other_ids_are_the_same_and_with_other_texts_are_not():
    first = read_history([chunk("user", "a", messageId="1"), chunk("user", "b", messageId="2")])
    again = read_history([chunk("user", "a", messageId="8"), chunk("user", "b", messageId="9")])
    joined = read_history([chunk("user", "ab")])
    assert same(first, again)
    assert not same(first, joined)
    assert not same(first, first[:1])


def test_an_exchange_keeps_its_beginning_and_its_end_and_is_short():
    exchange = Exchange()
    for number in range(10_000):
        exchange.sent(1, {"number": number, "text": "x" * 100_000, "list": list(range(1000))})
    lines = exchange.lines()
    assert len(lines) == 61
    assert lines[0].startswith('1 <- {"number": 0,') and 'number": 9999,' in lines[-1]
    assert lines[20] == "... 9940 more"
    assert max(map(len, lines)) < 500


def test_an_exchange_is_safe_to_print():
    exchange = Exchange()
    exchange.received(
        1, {"\x1b[2J": "\ud800\n\u202e", "deep": {"a": [[[[[[[[[[[[[[[]]]]]]]]]]]]]]]}}
    )
    [line] = exchange.lines()
    assert line.isprintable() and line.startswith('1 -> {"')
