"""Changed rules are noticed: the build refuses them, or a vector comes out differently."""

from __future__ import annotations

import copy
import functools
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import convprop_mutants as mutating
import convprop_schemas as schemas
import convprop_vectors as vectors
import pytest

#: Mutants that change nothing, and why. ``dead`` marks what the rules file could do without.
EQUIVALENT = {
    # A v1 mode state always has members, a text is never an empty list.
    "types/NewSessionResponse/members/modes/refuse: soften": "modes are never empty",
    "types/LoadSessionResponse>ResumeSessionResponse>v1_to_v2/members/modes/refuse: soften": "modes are never empty",
    "types/ResumeSessionResponse/members/modes/refuse: soften": "modes are never empty",
    "types/RequestPermissionRequest/members/description/refuse: soften": "a text is no empty list",
    # The choice decides the target before the rule's own is looked at.
    "types/LoadSessionRequest>ResumeSessionRequest>v1_to_v2/only: drop": "the choice names the target",
    "types/ResumeSessionRequest/members/replayFrom/absorb/type: drop": "the choice: it is absent here",
    'types/ResumeSessionRequest/members/replayFrom/absorb/type: make it "startX"': "the choice: it is absent here",
    "types/LoadSessionRequest>ResumeSessionRequest>v2_to_v1/case: drop": "dead: the choice pairs them",
    "types/LoadSessionRequest>ResumeSessionRequest>v2_to_v1/case: make it false": "dead: the choice pairs them",
    # No choice leads to LoadSessionResponse, so its rules from v2 are never followed.
    "types/LoadSessionResponse>ResumeSessionResponse>v2_to_v1: drop": "dead",
    "types/LoadSessionResponse>ResumeSessionResponse>v2_to_v1/members: drop": "dead",
    "types/LoadSessionResponse>ResumeSessionResponse>v2_to_v1/members/availableCommands: drop": "dead",
    "types/LoadSessionResponse>ResumeSessionResponse>v2_to_v1/members/availableCommands/empty: drop": "dead",
    "types/LoadSessionResponse>ResumeSessionResponse>v2_to_v1/members/availableCommands/empty: harden": "dead",
    # The other direction has a rule of its own name first, or no such definition.
    "types/ToolCall>ToolCallUpdate>v1_to_v2/only: drop": "the rule for ToolCallUpdate comes first",
    "types/AvailableCommand>Command>v2_to_v1/only: drop": "the rule for AvailableCommand comes first",
    "types/TerminalExitStatus: drop": "dead: both versions have the name",
    # Only the text of the refusal differs.
    "unions/ContentBlock: drop": "its word is for people only",
    # Names of v1 branches that have no tag: nothing reads them.
    'unions/AuthMethod/untagged/v1: make it "agentX"': "dead: nothing reads it",
    'unions/McpServer/untagged/v1: make it "stdioX"': "dead: nothing reads it",
    'unions/SetSessionConfigOptionRequest/untagged/v1: make it "value_idX"': "dead: nothing reads it",
    "unions/RequestPermissionOutcome/variants/cancelled>cancelled/v1: drop": "the same tag is paired anyway",
}
#: Wrong rules that once made the build crash.
ONCE_UNCLEAN = {
    "types/InitializeRequest/members/clientCapabilities>capabilities/v1: drop",
    "types/InitializeRequest/members/clientCapabilities>capabilities/v2: drop",
    "types/InitializeResponse/members/agentCapabilities>capabilities/v1: drop",
    "types/InitializeResponse/members/agentCapabilities>capabilities/v2: drop",
    "types/AgentCapabilities/members/mcpCapabilities>session.mcp/v1: drop",
    "types/AgentCapabilities/members/mcpCapabilities>session.mcp/v2: drop",
    "types/AgentCapabilities/members/sessionCapabilities>session/v1: drop",
    "types/AgentCapabilities/members/sessionCapabilities>session/v2: drop",
    "types/RequestPermissionRequest/members/title/same_as: drop",
    "unions/SessionUpdate/variants/user_message/v2: drop",
    "unions/SessionUpdate/variants/agent_message/v2: drop",
    "unions/SessionUpdate/variants/agent_thought/v2: drop",
    'unions/McpServer/name: make it "McpServerX"',
    'unions/ToolCallContent/name: make it "ToolCallContentX"',
    'unions/SessionUpdate/name: make it "SessionUpdateX"',
    'unions/RequestPermissionOutcome/name: make it "RequestPermissionOutcomeX"',
    'choices/ResumeSessionRequest/direction: make it "v1_to_v2"',
    'choices/ResumeSessionRequest/absent: make it "ResumeSessionRequestX"',
    'choices/ResumeSessionRequest/cases/start: make it "LoadSessionRequestX"',
}


@dataclass
class Score:
    """What became of the mutants."""

    counts: Counter[str] = field(default_factory=Counter)
    alive: list[str] = field(default_factory=list)
    unclean: list[str] = field(default_factory=list)


@functools.cache
def every() -> list[mutating.Mutant]:
    """Return all mutants."""
    return list(mutating.mutants(copy.deepcopy(dict(mutating.rules().data))))


def score(chosen: list[mutating.Mutant], told: tuple[dict[str, Any], ...]) -> Score:
    """Try mutants against the build and the vectors."""
    base = mutating.build(mutating.rules().data)
    assert not isinstance(base, str), base
    plain = mutating.wordless(base)
    found = Score()
    for mutant in chosen:
        try:
            plan = mutating.build(mutant.data)
        except Exception as error:
            found.unclean.append(f"{mutant}: {type(error).__name__}: {error}")
            continue
        if isinstance(plan, str):
            found.counts["build"] += 1
        elif mutating.wordless(plan) != plain and next(
            vectors.differences(mutating.subject(plan), told), ""
        ):
            found.counts["vectors"] += 1
        else:
            found.counts["alive"] += 1
            found.alive.append(str(mutant))
    return found


def test_convprop_own_vectors() -> None:
    base = mutating.build(mutating.rules().data)
    assert not isinstance(base, str), base
    assert len(vectors.own()) > 230
    assert not list(vectors.differences(mutating.subject(base), vectors.own()))


def test_convprop_own_vectors_are_valid() -> None:
    for vector in vectors.own():
        source = schemas.DIRECTIONS[vector["direction"]][0]
        assert not schemas.problems(source, vector["type"], vector["input"]), vector["id"]


@pytest.mark.skipif(not vectors.SHARED.is_file(), reason="the shared folder is not at hand")
def test_convprop_shared_vectors() -> None:
    base = mutating.build(mutating.rules().data)
    assert not isinstance(base, str), base
    assert not list(vectors.differences(mutating.subject(base), vectors.shared()))


def test_convprop_rule_mutants_quick() -> None:
    chosen = schemas.rng("mutants").sample(every(), 50)
    found = score(chosen, vectors.own())
    assert set(found.alive) <= set(EQUIVALENT), f"ACP_SEED={schemas.SEED}"
    assert not found.unclean


@pytest.mark.slow
def test_convprop_rule_mutants() -> None:
    found = score(every(), vectors.own())
    assert sorted(found.alive) == sorted(EQUIVALENT)
    assert not found.unclean
    assert len(every()) > 1000 and found.counts["build"] > 600 and found.counts["vectors"] > 250


def test_convprop_wrong_rules_are_input_errors() -> None:
    chosen = [mutant for mutant in every() if str(mutant) in ONCE_UNCLEAN]
    if len(chosen) != len(ONCE_UNCLEAN):
        pytest.fail("the list has mutants that are no more")
    assert not score(chosen, ()).unclean
