"""False families: answers with formulas that are wrong for some member, and must never be called Proved.

Data alone, for any harness: a row names its question, the answer, the restriction of the family (if any), the exact member at
which the answer fails, how it fails there, and the clause of the prover that stands between it and a proof. The members lie
where a sample of members does not look. `tests/problems/test_false_families.py` confirms every failure with mpmath, which shares
no code with the library, and then asks the library, once as it is and once without any sampling.

How a row fails (`fails`):
- "weights": at the member `at` the weights miss what is asked; "long": the query is longer than the question allows;
- "undefined": a formula has no value there; "edge": there is no room to spare, where noise vanishes and needs some;
- "same": the two queries are one there, where they must differ;
- "limit": large symbols: along the path `at`, written in x, the weights miss the error `miss` at every x of `FAR`;
- "matrix": a read-out is off at bases of the sizes `at`; "layer": an output is off by more than `miss`·β at every β of `FAR`;
- "rank": a matrix of low rank has too large a rank, or is too far away, at a matrix of the size `at`.
"""

from dataclasses import dataclass

FAR = ("10^3", "10^6", "10^12", "10^24")


@dataclass(frozen=True)
class Family:
    """One false family. `n` and `error` restrict it, as the arguments of `check` do."""

    id: str
    answer: dict[str, str]
    at: dict[str, str]
    fails: str
    guard: str
    n: int | None = None
    error: str | None = None
    miss: str = "1/100"

    def __str__(self):
        told = ", ".join(self.answer.values())
        only = "".join(f" {name}={value}" for name, value in (("n", self.n), ("error", self.error)) if value)
        return f"{self.id} {told}{only}"


_VECTORS = {
    **{"A.1a": "k_1", "A.1b": "(k_1+k_2)"},
    **dict.fromkeys(("B.3b", "C.1.2a", "D.b-ii"), "(k_a+k_b)"),
    **dict.fromkeys(("B.3c-i", "B.3d-i"), "(u_a+u_b)"),
    **dict.fromkeys(("C.2.1a", "C.2.2a", "D.c-i", "D.d-i"), "(mu_a+mu_b)"),
    "E.1e": "(mu_i+mu_j)",
}


def _factor(problem_id, factor, at, fails, guard, **options):
    """The family of one query: a factor times the vectors that the question asks for."""
    at = {name: str(value) for name, value in at.items()}
    return Family(problem_id, {"q": f"({factor})*{_VECTORS[problem_id]}"}, at, fails, guard, **options)


def _query(problem_id, text, at, fails, guard, **options):
    return Family(problem_id, {"q": text}, {k: str(v) for k, v in at.items()}, fails, guard, **options)


def _pair(problem_id, first, second, at, fails, guard, **options):
    return Family(problem_id, {"q1": first, "q2": second}, {k: str(v) for k, v in at.items()}, fails, guard, **options)


# The clauses that issue 12 found unguarded.
UNGUARDED = [
    _factor("A.1a", "199*log(n/eps)/7", {"n": 10, "eps": "1/2"}, "long", "proving._short_enough"),
    _factor("A.1a", "2*log(n/eps)+0/(n-5)", {"n": 5, "eps": "1/2"}, "undefined", "formulas.defined"),
    _factor("B.3b", "t/(n-2)", {"n": 2, "t": "x"}, "undefined", "large._proved: n = 2"),
    _factor("B.3b", "t^2-s", {"n": 10, "t": "x", "s": "2*x^2"}, "limit", "limits._together: the rise"),
    _pair("C.2.2a", "t*(mu_a+mu_b)", "(t+n-5)*(mu_a+mu_b)", {"n": 5, "t": "x"}, "same", "large._differ"),
    _factor("B.3c-i", "log(8/eps)", {"n": 10, "eps": "1/2"}, "edge", "proving._ahead: strict", n=10),
    _query("B.3c-i", "log(51/49)*u_a", {"n": 2}, "edge", "proving._inequalities_hold: strict", n=2, error="1/100"),
]

# Wrong at one n, or a few, between those that are looked at (2, 3, 4, 10, 1000, 10^6, 10^12).
BETWEEN = [
    *(
        _factor("B.3b", f"ln(99*n)*(n-{m})^2", {"n": m}, "weights", "signs: a zero at a whole n")
        for m in (5, 7, 11, 12345, 999983)
    ),
    *(
        _factor("B.3b", f"ln(50*n)+(n-{m - 1})*(n-{m + 1})", {"n": m}, "weights", "signs: negative at one n")
        for m in (6, 8, 12, 100)
    ),
    _factor("C.1.2a", "ln(99*n)-9/(1+(n-7)^2)", {"n": 7}, "weights", "signs: a dip between samples"),
    _factor("D.b-ii", "ln(99*n)-ln(99)/(1+(n-77)^4)", {"n": 77}, "weights", "signs: a narrow dip"),
    _factor("A.1b", "ln(n/eps)*(1-1/(1+(n-7)^2))", {"n": 7, "eps": "1/2"}, "weights", "signs: a factor that vanishes"),
    _factor("A.1a", "2*ln((n-1)/eps)-(n-2)*(n-3)/n^9", {"n": 7, "eps": "1/2"}, "weights", "proving._ahead"),
    _factor("B.3c-i", "ln(99*n)*(n-7)^2", {"n": 7}, "weights", "signs: a zero at a whole n"),
    _factor("B.3b", "ln(18.4*n^(4/3))", {"n": 8}, "weights", "exponentials._between: powers between"),
    _factor("B.3b", "ln(99*n)-1/(n-13/2)^2", {"n": 6}, "weights", "signs: a pole between whole n"),
    _factor("B.3b", "ln(99*n)+1/(n-29/4)", {"n": 7}, "weights", "signs: a pole between whole n"),
    _factor("B.3b", "2*sqrt(n+1)", {"n": 4}, "weights", "exponentials._natural: roots with a shift"),
    _factor("B.3b", "abs(n-7)*ln(99*n)", {"n": 7}, "weights", "abs has a corner"),
    _factor("B.3b", "max(n-7,0)*ln(99*n)", {"n": 5}, "weights", "max switches sides"),
    _factor("B.3b", "min(n-2,1)*ln(99*n)*min((n-7)^2,1)", {"n": 7}, "weights", "min switches sides"),
    _factor("D.c-i", "ln(60*n)-ln(n)*exp(-(n-7)^2)", {"n": 7}, "weights", "exp of a polynomial"),
    _factor("E.1e", "ln(99*n)*(n-7)^2", {"n": 7}, "weights", "signs: a zero at a whole n"),
    _factor("C.2.1a", "ln(50*n)+(n-6)*(n-8)", {"n": 7}, "weights", "signs: negative at one n"),
    _factor("D.b-ii", "ln(99*n)*sqrt((n-7)^2)", {"n": 7}, "weights", "a root that vanishes"),
]

# Wrong for tiny ε, for ε near 1, or at one ε.
TOLERANCES = [
    _factor("A.1b", "ln(n/(eps+10^-13))", {"n": 1000, "eps": "10^-14"}, "weights", "proving._ahead: all ε down to 0"),
    _factor("B.3b", "ln(n/(eps+10^-13))", {"n": 1000, "eps": "10^-14"}, "weights", "proving._ahead: all ε down to 0"),
    _factor("A.1a", "2*ln(n/(eps+10^-15))", {"n": 1000, "eps": "10^-16"}, "weights", "proving._ahead"),
    _factor("B.3b", "min(ln(n/eps),1000)", {"n": 10, "eps": "10^-600"}, "weights", "min switches sides"),
    _factor(
        "A.1b", "ln(n)+(1-10^-3)*ln(1/eps)", {"n": 10, "eps": "10^-300"}, "weights", "exponentials: exponent below 1"
    ),
    _factor("B.3b", "ln(n/eps)-10^-20/eps", {"n": 10, "eps": "10^-22"}, "weights", "signs at ε → 0"),
    _factor("B.3b", "ln(n/eps)*(1-eps^9)", {"n": 1000, "eps": "99999999/100000000"}, "weights", "signs at ε → 1"),
    _factor("B.3b", "ln(n/eps)*(eps-1/3)^2*10^9", {"n": 10, "eps": "1/3"}, "weights", "signs: a zero at one ε"),
    _factor("A.1b", "ln(n/eps)*(1-10^-6/(10^-6+(eps-1/7)^2))", {"n": 10, "eps": "1/7"}, "weights", "signs"),
    _factor("A.1a", "2*ln(n/eps)-eps*(1-eps)^9", {"n": 10**6, "eps": "1/10"}, "weights", "proving._ahead"),
    _factor("C.1.2a", "ln(n/eps)+ln(eps^2+1/4-eps)", {"n": 10, "eps": "1/3"}, "weights", "ln of a square"),
    _factor("B.3c-i", "ln(n/eps)+ln(eps+10^-30)/70", {"n": 10**9, "eps": "10^-40"}, "weights", "signs at ε → 0"),
    _factor("D.b-ii", "ln(n/eps)-sqrt(eps)/10^5", {"n": 10**8, "eps": "9/10"}, "weights", "roots of ε"),
    _factor("B.3b", "ln(n/eps^(1-10^-2))", {"n": 10, "eps": "10^-60"}, "weights", "exponentials._between"),
]

# Wrong only for more keys than anyone looks at.
MANY = [
    _factor("B.3b", "ln(99*n)-n/10^14", {"n": 10**15}, "weights", "signs: the leading coefficient"),
    _factor("B.3b", "ln(99*n)*(1-n/10^18)", {"n": 10**18}, "weights", "signs: the leading coefficient"),
    _factor("B.3b", "min(ln(99*n),60)", {"n": 10**30}, "weights", "min switches sides"),
    _factor("B.3b", "(1-10^-3)*ln(n)+ln(99)", {"n": "10^400"}, "weights", "exponentials: exponent below 1"),
    _factor("B.3b", "ln(60*n/(1+n/10^16))", {"n": 10**17}, "weights", "limits of quotients"),
    _factor("A.1b", "ln(n/eps)-n/10^16", {"n": 10**17, "eps": "1/2"}, "weights", "signs: the leading coefficient"),
    _factor("B.3b", "ln(99*n)-ln(1+n/10^20)", {"n": 10**21}, "weights", "ln of a slow factor"),
    _factor("B.3b", "ln(99*n)-sqrt(n)/10^9", {"n": 10**22}, "weights", "roots beat logarithms"),
    _factor("C.1.2a", "ln(99*n)-ln(n)^2/10^4", {"n": "10^5000"}, "weights", "squares of logarithms"),
    _factor(
        "D.b-ii", "ln(n^2+99)-ln(n+1)-ln(2)/2+ln(1000)-ln(n)/1000", {"n": "10^5000"}, "weights", "sums of logarithms"
    ),
    _factor("A.1a", "2*ln((n-1)/eps)-n/10^30", {"n": 10**31, "eps": "1/2"}, "weights", "proving._ahead"),
    _factor("B.3b", "40", {"n": 10**20}, "weights", "scores that do not follow n"),
    _factor("B.3b", "10^5", {"n": "10^50000"}, "weights", "scores that do not follow n"),
    _factor("C.2.1a", "ln(99*n)-n/10^14", {"n": 10**15}, "weights", "signs: the leading coefficient"),
]

# No value at one member.
UNDEFINED = [
    _factor("B.3b", "ln(99*n)+0/(n-7)", {"n": 7}, "undefined", "formulas.defined: division"),
    _factor("B.3b", "(n-9)/(n-9)*ln(99*n)", {"n": 9}, "undefined", "formulas.defined: cancelled factors"),
    _factor("B.3b", "ln(99*n)+0*log((n-7)^2)", {"n": 7}, "undefined", "formulas.defined: ln of a square"),
    _factor("B.3b", "ln(99*n)+0*sqrt((n-6)*(n-8))", {"n": 7}, "undefined", "formulas.defined: root of a negative"),
    _factor("B.3b", "ln(99*n)+ln(n-4)-ln(n-4)", {"n": 4}, "undefined", "formulas.defined: cancelled logarithms"),
    _factor("B.3b", "ln(99*n)+0*log(n-2)", {"n": 2}, "undefined", "formulas.defined at n = 2"),
    _factor("B.3b", "ln(99*n)+0*sqrt(n-3)", {"n": 2}, "undefined", "formulas.defined: root of a negative"),
    _factor("B.3b", "ln(99*n)+0/(n^2-49)", {"n": 7}, "undefined", "formulas.defined: factors"),
    _factor("B.3b", "ln(99*n)+0/(n^2-13*n+42)", {"n": 6}, "undefined", "formulas.defined: factors"),
    _factor("A.1b", "ln(n/eps)+0/(eps-1/3)", {"n": 10, "eps": "1/3"}, "undefined", "formulas.defined over ε"),
    _factor("A.1b", "(3*eps-1)/(3*eps-1)*ln(n/eps)", {"n": 10, "eps": "1/3"}, "undefined", "formulas.defined over ε"),
    _factor("A.1a", "2*ln(n/eps)+0*log(1-2*eps)", {"n": 10, "eps": "3/4"}, "undefined", "formulas.defined over ε"),
    _factor(
        "A.1a", "2*ln(n/eps)+0*sqrt((eps-1/3)^2-10^-6)", {"n": 10, "eps": "1/3"}, "undefined", "formulas.defined over ε"
    ),
    _factor("A.1a", "2*ln(n/eps)+0/(n*eps-1)", {"n": 7, "eps": "1/7"}, "undefined", "formulas.defined over n and ε"),
    _factor("B.3b", "ln(99*n)+0*log(log(n)-log(2))", {"n": 2}, "undefined", "formulas.defined: nested logarithms"),
    _factor("B.3b", "ln(99*n)+0*log(log(log(n)))", {"n": 2}, "undefined", "formulas.defined: nested logarithms"),
    _factor("B.3b", "ln(99*n)+0/(sqrt(n)-3)", {"n": 9}, "undefined", "formulas.defined: division by a root"),
    _factor("B.3b", "ln(99*n)+0/(sqrt(n-2)-5)", {"n": 27}, "undefined", "formulas.defined: roots with a shift"),
    _factor("B.3b", "ln(99*n)+0/log(n/100)", {"n": 100}, "undefined", "formulas.defined: division by a logarithm"),
    _factor("B.3b", "ln(99*n)+0/(ln(n)^2-ln(12)^2)", {"n": 12}, "undefined", "formulas.defined: squares of logarithms"),
    _factor("B.3b", "ln(99*n)+sqrt(20-n)-sqrt(20-n)", {"n": 21}, "undefined", "formulas.defined: cancelled roots"),
    _factor("B.3b", "ln(99*n)*((n-8)/(n-8))^0", {"n": 8}, "undefined", "formulas.defined: powers of zero"),
    _factor("B.3c-i", "ln(99*n)+0/(n-7)", {"n": 7}, "undefined", "formulas.defined: division"),
    _factor("E.1e", "ln(99*n)+0*log(n-2)", {"n": 2}, "undefined", "formulas.defined at n = 2"),
    _factor("D.c-i", "t+0/(n-7)", {"n": 7, "t": "x"}, "undefined", "limits.defined_far_out"),
    _factor("C.2.1a", "t+0*log(n-5)", {"n": 4, "t": "x"}, "undefined", "limits.defined_far_out"),
    _factor("B.3b", "t+0*log(5-t)", {"n": 10, "t": "x"}, "undefined", "limits.defined_far_out: far out"),
    _factor("B.3b", "t+0*sqrt(n-t)", {"n": 10, "t": "x"}, "undefined", "limits.defined_far_out: far out"),
    _factor(
        "B.3b", "t+0*log(t-s)", {"n": 10, "t": "x", "s": "2*x"}, "undefined", "limits.defined_far_out: two symbols"
    ),
    _factor("B.3b", "t+0/(t-s)", {"n": 10, "t": "x", "s": "x"}, "undefined", "limits.defined_far_out: two symbols"),
    _factor("B.3b", "t+0/(eps-1/3)", {"n": 10, "eps": "1/3", "t": "x"}, "undefined", "limits.defined_far_out over ε"),
    _pair("C.2.2a", "t*mu_a+0/(n-3)*mu_b", "t*mu_b", {"n": 3, "t": "x"}, "undefined", "limits.defined_far_out"),
    _pair(
        "C.2.2a",
        "(t+0/(t-s))*mu_a",
        "s*mu_b",
        {"n": 10, "t": "x", "s": "x"},
        "undefined",
        "limits.defined_far_out alone",
    ),
    _pair(
        "D.d-i",
        "(t+0*log(t-s))*mu_a",
        "s*mu_b",
        {"n": 10, "t": "x", "s": "2*x"},
        "undefined",
        "limits.defined_far_out alone",
    ),
    _pair(
        "B.3d-i", "(t+0*sqrt(t-s))*u_a", "s*u_b", {"n": 10, "t": "x", "s": "2*x"}, "undefined", "limits.defined_far_out"
    ),
    _pair(
        "C.2.2a",
        "(t+0*log(2*s-t))*mu_a",
        "s*mu_b",
        {"n": 10, "t": "3*x", "s": "x"},
        "undefined",
        "limits.defined_far_out",
    ),
    _pair(
        "D.d-i", "(t+0/(3*s-t))*mu_a", "s*mu_b", {"n": 10, "t": "3*x", "s": "x"}, "undefined", "limits.defined_far_out"
    ),
    _pair("A.1d", "t*u/(n-4)*(n-4)", "t*k_2", {"n": 4, "t": "x"}, "undefined", "limits.defined_far_out"),
]

# Longer than the question allows, on a small set.
LONG = [
    _factor("A.1a", "2*ln((n+10^-14)/eps)", {"n": 10, "eps": "1/2"}, "long", "proving._short_enough"),
    _factor("A.1a", "2*ln(n/eps)+10^-20", {"n": 10, "eps": "1/2"}, "long", "proving._short_enough"),
    _factor("A.1a", "2*ln((n-1/2)/eps)+1/(1+(n-7)^2)", {"n": 7, "eps": "1/2"}, "long", "proving._short_enough"),
    _factor("A.1a", "2*ln(n/eps)+eps^20", {"n": 10, "eps": "999/1000"}, "long", "proving._short_enough"),
    _factor("A.1a", "2*ln((n+eps^9/10^9)/eps)", {"n": 10, "eps": "9/10"}, "long", "proving._short_enough"),
    _factor("A.1a", "(2+10^-12)*ln(n/eps)", {"n": 10, "eps": "1/2"}, "long", "proving._short_enough"),
    _factor("A.1a", "2*ln((n+1/n^9)/eps)", {"n": 2, "eps": "1/2"}, "long", "proving._short_enough"),
    _factor("A.1b", "(2+10^-9)*ln(n/eps)", {"n": 10, "eps": "1/2"}, "long", "proving._short_enough"),
    _factor("A.1b", "2*ln((n+10^-14)/eps)", {"n": 10, "eps": "1/2"}, "long", "proving._short_enough"),
    _factor("A.1b", "2*ln(n/eps)+(eps/n)^9", {"n": 2, "eps": "9/10"}, "long", "proving._short_enough"),
    _factor("A.1b", "max(2*ln(n/eps),3)", {"n": 2, "eps": "9/10"}, "long", "max switches sides"),
    _query("A.1b", "(2*ln(n/eps)+1/n^9)*k_1+2*ln(n/eps)*k_2", {"n": 2, "eps": "1/2"}, "long", "proving._short_enough"),
    _query("A.1a", "-2*ln(n/eps)*k_1-4*ln(n/eps)*k_1", {"n": 10, "eps": "1/2"}, "long", "proving._short_enough: sizes"),
]

# Wrong by a constant, or in one of the targets.
CONSTANTS = [
    _factor("B.3b", "ln(49*(n-2)+1)", {"n": 1000}, "weights", "proving._ahead"),
    _factor("B.3b", "ln(99*n/2)-ln(1+10^-9)", {"n": 10**13}, "weights", "proving._ahead"),
    _factor("B.3b", "ln((n-2)/eps+1)-10^-30", {"n": 10**40, "eps": "1/2"}, "weights", "proving._ahead"),
    _factor("A.1b", "ln((n-3)/eps+1)", {"n": 10**20, "eps": "1/2"}, "weights", "proving._ahead"),
    _factor("A.1a", "2*ln((n-1-10^-20)/eps)", {"n": 10, "eps": "1/2"}, "weights", "proving._ahead"),
    _query("B.3b", "ln(99*n)*k_a+(ln(99*n)-1/20)*k_b", {"n": 10}, "weights", "weights.inequalities: each target"),
    _query(
        "B.3b", "ln(9999*n)*k_a+(ln(9999*n)+ln(52/49))*k_b", {"n": 2}, "weights", "weights.inequalities: each target"
    ),
    _query("A.1b", "ln(n/eps)*k_1+ln((n-1)/eps)*k_2", {"n": 10, "eps": "1/100"}, "weights", "weights.inequalities"),
    _query("B.3b", "ln(99*n)*k_a+ln(99*n+7*n)*k_b", {"n": 10**6}, "weights", "weights.inequalities"),
    _pair("B.3d-i", "ln(200*n)*u_a", "ln(19*n)*u_b", {"n": 10**6}, "weights", "weights.inequalities: two heads"),
    _pair("D.d-i", "ln(200*n)*mu_a", "ln(200*n)*mu_b-ln(n)*mu_a-ln(9)*mu_b", {"n": 1000}, "weights", "two heads"),
    _pair("C.2.2a", "ln(200*n)*mu_a", "ln(200*n)*(mu_a+mu_b)", {"n": 10}, "weights", "weights.inequalities: two heads"),
    _pair(
        "A.1d", "2*log(n/eps)*u", "log(n/eps)*k_2/2", {"n": 1000, "eps": "1/100"}, "weights", "two heads of two lengths"
    ),
    _pair(
        "A.1d",
        "log(n/eps)*u+log(2)*u",
        "2*log(n/eps)*k_2",
        {"n": 10**6, "eps": "1/100"},
        "weights",
        "the shorter length",
    ),
]

# No room to spare, where the noise vanishes and needs some.
EDGES = [
    _factor("C.2.1a", "ln((n-2)/eps+(n-7)^2)", {"n": 7, "eps": "1/2"}, "edge", "proving._ahead: strict at one n"),
    _factor("B.3c-i", "ln((n-2)/eps+(n-7)^2)", {"n": 7, "eps": "1/3"}, "edge", "proving._ahead: strict at one n"),
    _factor("D.c-i", "ln(8/eps)", {"n": 10, "eps": "1/7"}, "edge", "proving._ahead: strict", n=10),
    _factor("E.1e", "ln(8*99/2)", {"n": 10}, "edge", "proving._ahead: strict", n=10, error="1/100"),
    _factor("C.2.1a", "ln(99/2)", {"n": 3}, "edge", "proving._ahead: strict", n=3, error="1/100"),
    _factor("B.3c-i", "ln((n-2)/eps+(eps-1/3)^2)", {"n": 7, "eps": "1/3"}, "edge", "strict at one ε", n=7),
    _query("C.2.1a", "log(51/49)*mu_a", {"n": 2}, "edge", "inequalities: strict", n=2, error="1/100"),
    _query("D.c-i", "log(51/49)*mu_b", {"n": 2}, "edge", "inequalities: strict", n=2, error="1/100"),
    _query("E.1e", "log(51/49)*mu_i+7*(mu_i+mu_j)", {"n": 2}, "edge", "inequalities: strict", n=2, error="1/100"),
    _query("B.3c-i", "log(3)*u_a", {"n": 2}, "edge", "inequalities: strict", n=2, error="1/4"),
    _pair("B.3d-i", "log(51/49)*u_a", "log(51/49)*u_a+u_a+u_b", {"n": 2}, "edge", "two heads", n=2, error="1/100"),
    _pair("D.d-i", "log(51/49)*mu_a", "log(51/49)*mu_a+mu_a+mu_b", {"n": 2}, "edge", "two heads", n=2, error="1/100"),
    _pair("C.2.2a", "log(8*99/2)*(mu_a+mu_b)", "-1*log(8*99/2)*mu_a", {"n": 10}, "weights", "two heads", n=10),
]

# The two queries are one at some member.
SAME = [
    _pair("D.d-i", "t*(mu_a+mu_b)", "(t+n-7)*(mu_a+mu_b)", {"n": 7, "t": "x"}, "same", "large._differ"),
    _pair("C.2.2a", "t*(mu_a+mu_b)", "(t+(n-7)^2)*(mu_a+mu_b)", {"n": 7, "t": "x"}, "same", "large._differ"),
    _pair(
        "C.2.2a", "t*(mu_a+mu_b)", "(t+eps-1/3)*(mu_a+mu_b)", {"n": 10, "eps": "1/3", "t": "x"}, "same", "large._differ"
    ),
    _pair("C.2.2a", "t*(mu_a+mu_b)", "(t*n/(n+0))*(mu_a+mu_b)", {"n": 10, "t": "x"}, "same", "large._differ"),
    _pair(
        "C.2.2a", "t*(mu_a+mu_b)", "s*(mu_a+mu_b)", {"n": 10, "t": "x", "s": "x"}, "same", "large._differ: two symbols"
    ),
    _pair("D.d-i", "t*(n-4)^2*(mu_a+mu_b)+t*(mu_a+mu_b)", "t*(mu_a+mu_b)", {"n": 4, "t": "x"}, "same", "large._differ"),
    _pair("D.d-i", "ln(999*n)*(mu_a+mu_b)", "(ln(999*n)+(n-9)^2)*(mu_a+mu_b)", {"n": 9}, "same", "proving.differ"),
    _pair("C.2.2a", "ln(999*n)*(mu_a+mu_b)", "ln(999*n+abs(n-9))*(mu_a+mu_b)", {"n": 9}, "same", "proving.differ"),
    _pair(
        "C.2.2a",
        "ln(n^2/eps)*(mu_a+mu_b)",
        "ln(n^2/eps+(n*eps-1)^2)*(mu_a+mu_b)",
        {"n": 4, "eps": "1/4"},
        "same",
        "differ",
    ),
    _pair("C.2.2a", "ln(999*n)*(mu_a+mu_b)", "(ln(999)+ln(n))*(mu_a+mu_b)", {"n": 9}, "same", "proving.differ"),
    _pair("D.d-i", "ln(999*n)*(mu_a+mu_b)", "ln(998*n+12)*(mu_a+mu_b)", {"n": 12}, "same", "proving.differ"),
]

# A wrong limit, at some member or on some way out.
LIMITS = [
    _factor("B.3b", "(n-5)^2*t", {"n": 5, "t": "x"}, "limit", "signs: a leading coefficient that vanishes"),
    _factor("B.3b", "(n-7)*t", {"n": 4, "t": "x"}, "limit", "signs: a negative leading coefficient"),
    _factor("B.3b", "t*(eps-1/2)^2", {"n": 10, "eps": "1/2", "t": "x"}, "limit", "signs: a zero at one ε"),
    _factor("B.3b", "t*(eps-10^-9)", {"n": 10, "eps": "10^-10", "t": "x"}, "limit", "signs at ε → 0"),
    _factor("B.3b", "t*log(2*eps)", {"n": 10, "eps": "1/4", "t": "x"}, "limit", "signs of a logarithm"),
    _factor("B.3b", "log(t)/t", {"n": 10, "t": "x"}, "limit", "growth: powers beat logarithms"),
    _factor("B.3b", "log(t)^9/t", {"n": 10, "t": "x^20"}, "limit", "growth: powers beat logarithms"),
    _factor("B.3b", "t-t^2/10^9", {"n": 10, "t": "10^10*x"}, "limit", "growth: the leading term"),
    _factor("B.3b", "sqrt(t+1)-sqrt(t)", {"n": 10, "t": "x"}, "limit", "growth: roots that cancel"),
    _factor("B.3b", "log(t+1)-log(t)+1", {"n": 10, "t": "x"}, "limit", "growth: logarithms that cancel"),
    _factor("B.3b", "t*log((t+1)/t)", {"n": 10, "t": "x"}, "limit", "growth: a product of ∞ and 0"),
    _factor("B.3b", "t/s", {"n": 10, "t": "x", "s": "x"}, "limit", "limits._together"),
    _factor("B.3b", "t^2/s", {"n": 10, "t": "x", "s": "x^3"}, "limit", "limits._together"),
    _factor("B.3b", "t-log(s)", {"n": 10, "t": "log(x)", "s": "x"}, "limit", "limits._together"),
    _factor("B.3b", "t-s", {"n": 10, "t": "x", "s": "x"}, "limit", "limits._together"),
    _factor("B.3b", "t+s-T", {"n": 10, "t": "x", "s": "x", "T": "2*x"}, "limit", "limits._together: three symbols"),
    _factor("B.3b", "t*s-T", {"n": 10, "t": "x", "s": "x", "T": "x^2"}, "limit", "limits._together: three symbols"),
    _factor(
        "B.3b", "beta^2-t*s", {"n": 10, "beta": "x", "t": "x", "s": "x"}, "limit", "limits._together: three symbols"
    ),
    _factor("B.3b", "log(T)-log(s)", {"n": 10, "T": "x", "s": "x"}, "limit", "limits._together: logarithms"),
    _factor(
        "B.3b", "log(T)^2-log(s)", {"n": 10, "T": "x", "s": "exp(log(x)^2)"}, "limit", "limits._together: logarithms"
    ),
    _factor("B.3b", "sqrt(t*s)-s", {"n": 10, "t": "x", "s": "4*x"}, "limit", "limits._together: roots"),
    _factor(
        "B.3b", "t^2+s^2-2*t*s", {"n": 10, "t": "x", "s": "x"}, "limit", "limits._together: a square that vanishes"
    ),
    _factor("B.3b", "(t-s)^2+(t-T)^2", {"n": 10, "t": "x", "s": "x", "T": "x"}, "limit", "limits._together"),
    _factor("B.3b", "t^3-s^2", {"n": 10, "t": "x^2", "s": "x^3"}, "limit", "limits._together: powers race"),
    _factor(
        "B.3b", "t^2-s/10^9", {"n": 10, "t": "x", "s": "10^10*x^2"}, "limit", "limits._together: small coefficients"
    ),
    _factor("B.3b", "t*log(log(n)/2)", {"n": 5, "t": "x"}, "limit", "signs of nested logarithms"),
    _factor("B.3b", "t*log(log(n+1)-1/2)", {"n": 3, "t": "x"}, "limit", "signs of nested logarithms"),
    _factor("B.3b", "t*(log(n)-log(9))", {"n": 9, "t": "x"}, "limit", "signs of logarithms: a zero"),
    _factor("B.3b", "t*(sqrt(n)-3)", {"n": 9, "t": "x"}, "limit", "signs of roots: a zero"),
    _factor("B.3b", "t*(n-4)*(n-5)", {"n": 5, "t": "x"}, "limit", "signs: zeros at whole n"),
    _factor("B.3b", "log((n-9)^2*t+1)", {"n": 9, "t": "x"}, "limit", "limits._leads"),
    _factor("B.3b", "log(1+t*(eps-1/3)^2)", {"n": 10, "eps": "1/3", "t": "x"}, "limit", "limits._leads over ε"),
    _factor("B.3b", "t*(1-n/10^15)", {"n": 10**15, "t": "x"}, "limit", "signs: far n"),
    _factor("B.3b", "log(n+1/t)", {"n": 10, "t": "x"}, "limit", "growth: a finite limit"),
    _factor("B.3b", "ln(n/eps)*t/(t+1)", {"n": 10, "eps": "1/2", "t": "x"}, "limit", "growth: a finite limit"),
    _factor("C.1.2a", "100*t/(t+1)", {"n": "10^60", "t": "x"}, "limit", "growth: a finite limit"),
    _factor("B.3c-i", "(n-5)^2*t", {"n": 5, "t": "x"}, "limit", "signs: a leading coefficient that vanishes"),
    _factor("E.1e", "t^2-s", {"n": 10, "t": "x", "s": "2*x^2"}, "limit", "limits._together: the rise"),
    _query("B.3b", "t*k_a+(t+1)*k_b", {"n": 10, "t": "x"}, "limit", "limits.halves"),
    _query("B.3b", "t*k_a+(t+eps)*k_b", {"n": 10, "eps": "1/2", "t": "x"}, "limit", "limits.halves"),
    _query("B.3b", "t*k_a+(t+(n-3)/10)*k_b", {"n": 10, "t": "x"}, "limit", "limits.halves"),
    _query("B.3b", "sqrt(t^2+t)*k_a+t*k_b", {"n": 10, "t": "x"}, "limit", "growth: roots that cancel"),
    _query("B.3b", "(t+log(t))*k_a+t*k_b", {"n": 10, "t": "x"}, "limit", "limits.halves"),
    _query("B.3b", "log(2*t)*k_a+log(t)*k_b", {"n": 10, "t": "x"}, "limit", "limits.halves"),
    _query("B.3b", "t*k_a+s*k_b", {"n": 10, "t": "x", "s": "2*x"}, "limit", "limits.halves: two symbols"),
    _query("B.3b", "t*k_a+(t^2/(t-1))*k_b", {"n": 10, "t": "x"}, "limit", "growth: quotients"),
    _query("D.b-ii", "t*k_a+(t+1/10^3)*k_b", {"n": 10, "t": "x"}, "limit", "limits.halves", miss="1/10000"),
    _pair("C.2.2a", "t*mu_a", "t*mu_b*(n-5)^2", {"n": 5, "t": "x"}, "limit", "two heads"),
    _pair("D.d-i", "t*(mu_a+mu_b)+mu_a", "t*(mu_a+mu_b)+2*mu_b", {"n": 10, "t": "x"}, "limit", "limits._cancel"),
    _pair("D.d-i", "t*(mu_a+mu_b)+n*mu_a", "t*(mu_a+mu_b)+3*mu_b", {"n": 4, "t": "x"}, "limit", "limits._cancel"),
    _pair("C.2.2a", "t*mu_a+s*mu_b", "s*mu_a+2*t*mu_b", {"n": 10, "t": "x", "s": "3*x/2"}, "limit", "limits._cancel"),
    _pair(
        "C.2.2a", "s*mu_a+t^2*mu_b", "t*mu_a", {"n": 10, "t": "x", "s": "2*x^2"}, "limit", "limits._together: the fall"
    ),
    _pair(
        "D.d-i", "t^2*mu_a+s*mu_b", "t*mu_b", {"n": 10, "t": "x", "s": "2*x^2"}, "limit", "limits._together: the rise"
    ),
    _pair("B.3d-i", "t*u_a", "s*u_a+u_b", {"n": 10, "t": "x", "s": "x"}, "limit", "limits._cancel"),
    _pair("A.1d", "t*u", "t*u+3*t*k_2/2", {"n": 10, "t": "x"}, "limit", "each of the two lengths"),
    _pair("A.1d", "t*u+t*k_2", "t*u+t*k_2", {"n": 10, "t": "x"}, "limit", "each of the two lengths"),
    _pair(
        "A.1d", "t*u-t*k_2/4", "t*k_2*(eps-1/3)^2", {"n": 10, "eps": "1/3", "t": "x"}, "limit", "signs: a zero at one ε"
    ),
]

# Read-outs: right for orthonormal bases alone, for one size alone, or off by a little.
_SIZES = {"d": "7", "first": "3", "second": "2"}


def _matrix(problem_id, text, guard, **sizes):
    return Family(problem_id, {"M": text}, {**_SIZES, **sizes}, "matrix", guard)


MATRICES = [
    _matrix("E.1d", "2*S*S'", "right for orthonormal columns alone"),
    _matrix("E.1d", "2*S*S'*S*S'", "right for orthonormal columns alone"),
    _matrix("E.1d", "2*(I-T*T')", "right for orthonormal columns that fill the space"),
    _matrix("E.1d", "2*(I-T*inv(T'*T)*T')*S*S'", "right for orthonormal columns alone"),
    _matrix("E.1d", "2*S*inv(S'*S)*S'*S*S'", "right for orthonormal columns alone"),
    _matrix("E.1d", "S*S'+S*inv(S'*S)*S'", "right for orthonormal columns alone"),
    _matrix("E.1d", "2*S*inv(S'*S)*inv(S'*S)*S'", "right for orthonormal columns alone"),
    _matrix("E.1d", "2*S*(S'*S)*S'", "right for orthonormal columns alone"),
    _matrix("E.1d", "2*S*pinv(S)+S*S'-S*pinv(S)", "right for orthonormal columns alone"),
    _matrix("E.1d", "2*S*inv(S'*S)*S'+T*T'", "the second space must vanish"),
    _matrix("E.1d", "2*S*pinv(S)+10^-9*T*pinv(T)", "the second space must vanish"),
    _matrix("E.1d", "2*(S*pinv(S)-10^-12*S*pinv(S))", "off by a little"),
    _matrix("E.1d", "(2+10^-15)*S*pinv(S)", "off by a little"),
    _matrix("E.1d", "2*S*pinv(S)*T*pinv(T)", "words that are zero"),
    _matrix("E.1d", "2*T*pinv(T)", "the wrong space"),
    _matrix("D.b-i", "A*A'+10^-9*A*A'*A*A'", "words that nearly cancel"),
    _matrix("D.b-i", "A*A'+10^-9*(I-A*A')", "the second space must vanish"),
    _matrix("D.b-i", "A*A'+B*B'", "the second space must vanish"),
    _matrix("D.b-i", "A*A'-10^-12*B*B'", "the second space must vanish"),
    _matrix("D.b-i", "(1+10^-15)*A*A'", "off by a little"),
    _matrix("D.b-i", "2*A*A'-A*A'*A*A'*A*A'*(1-10^-9)", "words that nearly cancel"),
    _matrix("D.b-i", "I-A*A'", "the wrong space"),
    _matrix("D.b-i", "I-B*B'-(I-A*A'-B*B')*A*A'+10^-9*A*A'", "words that nearly cancel"),
    _matrix("D.b-i", "A*A'*B*B'", "words that are zero"),
    _matrix("D.b-i", "A*A'*sqrt(1+10^-12)", "off by a little"),
    _matrix("D.b-i", "abs(-1)*A*A'*min(1,2)*(1-10^-13)", "off by a little"),
]

_V, _K, _Q = "(u_b*u_b'-u_c*u_c')/beta^2", "I", "(u_c*u_d'+u_d*u_a')/beta^2"


def _layer(guard, **maps):
    return Family("B.3e-ii", {"V": _V, "K": _K, "Q": _Q, **maps}, {}, "layer", guard)


LAYERS = [
    _layer("the limit of a value", V="(u_b*u_b'-2*u_c*u_c')/beta^2"),
    _layer("the limit of a value", V="(1+1/20)*(u_b*u_b'-u_c*u_c')/beta^2"),
    _layer("the limit of a value", V="(u_b*u_b'-u_c*u_c'+u_d*u_d'/10)/beta^2"),
    _layer("the sign of a value", V="(u_b*u_b'+u_c*u_c')/beta^2"),
    _layer("a value that vanishes", V="(u_b*u_b'-u_c*u_c')/beta^3"),
    _layer("a value that grows", V="(u_b*u_b'-u_c*u_c')/beta"),
    _layer("scores that vanish", K="I/beta^4"),
    _layer("scores that stay", K="I/beta^2"),
    _layer("scores that fall", K="-1*I"),
    _layer("scores that vanish", Q="(u_c*u_d'+u_d*u_a')/beta^5"),
    _layer("one row asks for the wrong token", Q="(u_c*u_d'-u_d*u_a')/beta^2"),
    _layer("one row asks for nothing", Q="u_c*u_d'/beta^2"),
    _layer("one row asks for nothing", Q="u_d*u_a'/beta^2"),
    _layer("the wrong tokens", Q="(u_d*u_d'+u_c*u_a')/beta^2"),
    _layer("scores that tie", Q="(u_c*u_d'+u_b*u_a')/beta^2"),
    _layer("a score that ties in the limit", Q="(u_c*u_d'+u_d*u_a'+u_c*u_a')/beta^2"),
    _layer("scores that grow too slowly", Q="(u_c*u_d'+u_d*u_a')*log(2+1/beta)/beta^4"),
    _layer("the lead is a constant", Q="(u_c*u_d'+u_d*u_a')/beta^4", K="3*I"),
    _layer("undefined far out", K="I+0*log(5-beta)*I"),
]


def _rank(text, guard, **at):
    return Family("A.3c", {"M": text}, {"rows": "6", "columns": "4", "k": "3", **at}, "rank", guard)


RANKS = [
    _rank("svd_part(A,k)", "the rank, off by one"),
    _rank("svd_part(A,k-2)", "the distance, off by one"),
    _rank("svd_part(A,k+1)", "the rank, off by two"),
    _rank("svd_part(A,2*k-2)", "the rank", k="2"),
    _rank("svd_part(A,1)", "the distance"),
    _rank("svd_part(A,k-1)+10^-6*A", "the rank"),
    _rank("svd_part(A,k-1)/9", "the distance"),
    _rank("-1*svd_part(A,k-1)", "the sign"),
    _rank("svd_part(A,(k-1)^2)", "the rank"),
    _rank("A", "the rank"),
    _rank("0*A", "the distance"),
    _rank("svd_part(A,k*(k-1)/2)", "the rank"),
]

FAMILIES = [
    *(*UNGUARDED, *BETWEEN, *TOLERANCES, *MANY, *UNDEFINED, *LONG, *CONSTANTS, *EDGES, *SAME, *LIMITS),
    *(*MATRICES, *LAYERS, *RANKS),
]
