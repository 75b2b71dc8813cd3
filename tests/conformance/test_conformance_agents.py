"""The example agent holds all guarantees, and each check notices when its own one is broken."""

from __future__ import annotations

import faulty_agents
import pytest
from acp_conformance import CHECKS, Outcome

VERSIONS = ("v1", "v2")
#: The check for agents that do not advertise archiving.
UNADVERTISED = "unadvertised-refused"
#: Where archiving is advertised.
PLACES = {
    "v1": "agentCapabilities.sessionCapabilities.archive",
    "v2": "capabilities.session.archive",
}


def names(report, outcome):
    return {result.name for result in report.results if result.outcome is outcome}


def neighbours(check):
    """A check and the one behind it, which is about something alike."""
    order = list(CHECKS)
    return [check, order[(order.index(check) + 1) % len(order)]]


def alternating():
    """Each check with one of the versions; the slow tests take both."""
    return [(check, VERSIONS[place % 2]) for place, check in enumerate(CHECKS)]


def test_there_is_a_faulty_agent_for_each_check():
    assert set(faulty_agents.FAULTS) == set(CHECKS)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_example_agent_passes_every_check(run_agent, version):
    report = run_agent("example", version)
    assert {result.name: result.why for result in report.results if result.why} == {
        UNADVERTISED: f"the agent advertises {PLACES[version]}"
    }
    assert report.counts() == {"pass": len(CHECKS) - 1, "fail": 0, "skip": 1}


@pytest.mark.parametrize("version", VERSIONS)
def test_an_agent_that_does_not_advertise_archiving_passes_the_one_check_for_it(run_agent, version):
    report = run_agent("without-archive", version, [UNADVERTISED, "archive-hides", "meta-accepted"])
    assert names(report, Outcome.PASS) == {UNADVERTISED}
    assert names(report, Outcome.FAIL) == set()
    assert {result.why for result in report.results if result.why} == {
        f"the agent does not advertise {PLACES[version]}"
    }


@pytest.mark.parametrize(("check", "version"), alternating())
def test_a_faulty_agent_fails_its_own_check_and_not_the_next(run_agent, check, version):
    report = run_agent(check, version, neighbours(check))
    assert names(report, Outcome.FAIL) == {check}
    [failure] = [result for result in report.results if result.name == check]
    assert failure.why and failure.exchange


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("check", CHECKS)
def test_a_faulty_agent_fails_its_own_check_and_no_other(run_agent, check, version, kill_check):
    others = [name for name in CHECKS if name != kill_check]
    failed = set()
    for only in (others, [kill_check]):
        failed |= names(run_agent(check, version, only), Outcome.FAIL)
    assert failed == {check}


#: What a lawful agent cannot be judged on, beside the check for those that do not advertise.
SKIPPED = {
    "archives-only-closed": {"does-not-close", "close-keeps-state", "observer-told"},
    "archives-only-idle": set(),
    "opens-only-unarchived": set(),
    "lists-after-prompt": {"filter-before-pages"},
    "one-page": {"filter-before-pages", "updated-at-kept"},
    "speaks-the-other-version": set(CHECKS),
}
_DELETION = {"deleted-session", "deleted-stays-out", "deleted-not-restored"}
_OPENING = {
    "unarchive-restores-history",
    "load-keeps-state",
    "resume-keeps-state",
    "close-keeps-state",
}
BARE = {"v1": _DELETION | _OPENING, "v2": _DELETION}
#: The checks that each lawful agent was written for.
TELLING = {
    "archives-only-closed": ["archive-hides", "result-object", "does-not-close", "active-session"],
    "archives-only-idle": ["active-session", "does-not-cancel"],
    "opens-only-unarchived": ["load-keeps-state", "resume-keeps-state"],
    "lists-after-prompt": ["archive-hides"],
    "one-page": ["updated-at-kept"],
    "speaks-the-other-version": ["versions-agree"],
    "bare": ["capability-advertised", "deleted-session", "load-keeps-state"],
}


def skipped(agent, version):
    return (BARE[version] if agent == "bare" else SKIPPED[agent]) | {UNADVERTISED}


@pytest.mark.slow
@pytest.mark.parametrize("agent", TELLING)
def test_what_the_rfd_leaves_open_is_no_failure(run_agent, agent):
    for version in VERSIONS if agent == "bare" else ["v1"]:
        report = run_agent(agent, version, TELLING[agent])
        assert names(report, Outcome.FAIL) == set()
        assert names(report, Outcome.SKIP) == skipped(agent, version) & set(TELLING[agent])


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("agent", TELLING)
def test_no_check_fails_a_lawful_agent(run_agent, agent, version):
    report = run_agent(agent, version)
    assert names(report, Outcome.FAIL) == set()
    assert names(report, Outcome.SKIP) == skipped(agent, version)
