"""An entry of a question's file is decided only when every fact that it names comes out as it must."""

from decimal import Decimal

import pytest

import headwright as hw
from headwright.problems.judges import entries

TRUE = {"query": "9*u_0", "weight": 0, "at_least": "0.9"}
FALSE = {"query": "9*u_0", "weight": 0, "at_most": "0.9"}
OPEN = {"holds": "x > 0", "where": {"x": ">= 0"}}
WORDS = {"argument": "weights.md#weights-are-a-distribution", "scope": "all", "reason": "So it is."}
LENGTH = {"gaussian": {"along": {"0": Decimal("0.5")}}}


def status(**entry):
    return entries.verdict_on({"reason": "So it is.", **entry}, "said").status


def test_what_speaks_for_and_against_an_entry():
    assert status(**{"for": [TRUE]}) == status(**{"for": [TRUE, TRUE]}) == "proved"
    for facts_for in ([FALSE], [TRUE, FALSE], [OPEN], [TRUE, OPEN]):
        assert status(**{"for": facts_for}) == "undecided"
    assert status(against=[TRUE]) == status(against=[TRUE, {**FALSE, "not": True}]) == "refuted"
    for facts_against in ([FALSE], [TRUE, FALSE], [OPEN], [{**TRUE, "not": True}], [TRUE, {**OPEN, "not": True}]):
        assert status(against=facts_against) == "undecided"


def test_an_argument_needs_every_instance():
    assert status(**WORDS) == "argued"
    verdict = entries.verdict_on({**WORDS, "instances": [TRUE, {**FALSE, "not": True}]}, "said")
    assert (verdict.status, verdict.claim, verdict.scope, verdict.reason) == ("argued", "said", "all", "So it is.")
    assert [instance.status for instance in verdict.instances] == ["proved", "proved"]
    for instances in ([FALSE], [TRUE, FALSE], [OPEN], [{**TRUE, "not": True}], [{**OPEN, "not": True}]):
        assert status(**WORDS, instances=instances) == "undecided"


@pytest.mark.parametrize("entry", [{"for": [TRUE]}, {"against": [TRUE]}, WORDS])
def test_words_need_what_they_rest_on(entry):
    decided = status(**entry)
    assert decided != "undecided"
    assert status(**entry, besides=[TRUE, {**FALSE, "not": True}]) == decided
    for besides in ([FALSE], [TRUE, OPEN]):
        assert status(**entry, besides=besides) == "undecided"


def test_when_an_entry_holds_is_what_is_proved_of_it():
    def judged(*where):
        return entries.verdict_on({"against": [TRUE], "where": where}, "said", lambda answer: entries.fact(answer))

    for where in ([TRUE], [{"answer": TRUE}], [TRUE, {**FALSE, "not": True}]):
        assert judged(*where).record.where.prove().claim in judged(*where).holds_when
    for where in ([FALSE], [TRUE, OPEN], [{"answer": FALSE}]):
        assert judged(*where).status == "undecided"
    assert judged().holds_when is None
    written = [problem.published_entry for problem in hw.problems.CATALOGUE.values() if problem.published]
    written += [statement.entry for problem in hw.problems.CATALOGUE.values() for statement in problem.statements]
    assert all("against" in entry for entry in written if "where" in entry)  # nothing else would carry it


def test_words_about_an_answer_need_what_they_rest_on():
    def judged(besides):
        entry = {"answer": {"q": "9"}, "reason": "So it is.", "besides": besides}
        return entries.verdict_on(entry, "said", lambda answer: entries.fact(TRUE))

    assert judged([TRUE]).reason == "So it is."
    assert judged([FALSE]).status == "undecided"


def test_a_fact_that_is_not_so():
    assert entries.fact({**FALSE, "not": True}).status == "proved"
    assert entries.fact({**TRUE, "not": True}).status == "refuted"
    assert entries.fact({**OPEN, "not": True}).status == "undecided"


def test_what_makes_no_claim_is_not_a_fact():
    with pytest.raises(TypeError, match="claim"):
        entries.record_of(hw.Undecided("P = NP"))
    with pytest.raises(ValueError, match="exactly one of"):
        entries.fact({"query": "9*u_0"})


def test_figures_are_proved():
    one = {"sd_of": 0, "keys": LENGTH, "query": "log(10000)*(u_0 + u_1)"}
    assert entries.text("{sd} and {sqrt(495)}", {"sd": one}) == "0.4370 and 22.25"
    with pytest.raises(ValueError, match="estimate"):
        entries.figure({**one, "keys": {"gaussian": {**LENGTH["gaussian"], "isotropic": Decimal("0.01")}}})


def test_the_names_in_a_query():
    from headwright.problems.judges.weight_facts import queries_of

    assert queries_of({"keys": {"orthonormal": 3}, "query": "2*ones - u_0"}).tolist() == [1, 2, 2]
