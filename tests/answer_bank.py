"""Answers to the sheets' questions, right and wrong, and files that nobody should send: what answer files are made of in tests.

What is right here is so by hand: `tests/second_opinion_answers.py` contradicts no formula at many points.
"""

_TWO = ("k_a", "k_b"), ("u_a", "u_b"), ("mu_a", "mu_b")


def _averages(a, b, *, eps=True):
    """Queries that average two of n orthonormal vectors."""
    found = [
        f"t*({a} + {b})",
        f"log(T)*({a}+{b})",
        f"5*beta*{a} + 5*beta*{b}",
        f"t^2*({a} + {b})/n",
        f"(log(n) + s)*({a} + {b})",
        f"ln(99*n)*({a} + {b})",
        f"log(50*n + 7)*({a}+{b})",
    ]
    return [{"q": text} for text in [*found, *([f"ln(n/eps)*({a} + {b})", f"2*log(n/eps)*({a}+{b})"] if eps else [])]]


def _wrong_averages(a, b):
    found = [
        f"({a}+{b})/2",
        f"t*{a}",
        f"t*({a} - {b})",
        f"2*t*{a} + t*{b}",
        f"0*{a}",
        f"-t*({a}+{b})",
        f"log(n)*({a}+{b})",
        f"9*({a}+{b})",
    ]
    return [{"q": text} for text in found]


def _pairs(a, b):
    found = [
        (f"t*{a}", f"t*{b}"),
        (f"log(s)*{a}", f"log(T)*{b}"),
        (f"t*{b}", f"t*{a}"),
        (f"3*beta*{a} - beta*{b}", f"3*beta*{b} - beta*{a}"),
        (f"ln(200*n)*{a}", f"ln(200*n)*{b}"),
    ]
    return [{"q1": first, "q2": second} for first, second in found]


def _wrong_pairs(a, b):
    found = [
        (a, b),
        (f"t*{a}", f"t*{a}"),
        (f"t*({a}+{b})", f"t*({a}-{b})"),
        (f"t*{a}", f"0*{b}"),
        (f"-t*{a}", f"-t*{b}"),
    ]
    return [{"q1": first, "q2": second} for first, second in found]


_KEYS, _MEANS, _MUS = _TWO
RIGHT = {
    "A.1a": [
        {"q": "2*log(n/eps)*k_1"},
        {"q": "2*ln((n-1)/eps)*k_1"},
        {"q": "ln((n/eps)^2)*k_1"},
        {"q": "2*(log(n)-log(eps))*k_1"},
    ],
    "A.1b": [
        {"q": "log(n/eps)*(k_1+k_2)"},
        {"q": "2*ln(n/eps)*(k_1 + k_2)"},
        {"q": "3*log(n/eps)*(k_1+k_2)/2"},
        {"q": "k_1*log(n/eps) + log(n/eps)*k_2"},
    ],
    "A.1d": [
        {"q1": "t*u", "q2": "t*k_2"},
        {"q1": "2*t*u", "q2": "t*k_2"},
        {"q1": "2*log(n/eps)*u", "q2": "2*log(n/eps)*k_2"},
        {"q1": "t*k_2", "q2": "t*u"},
    ],
    **{name: _averages(*_KEYS) for name in ("B.3b", "C.1.2a", "D.b-ii")},
    "B.3c-i": _averages(*_MEANS),
    **{name: _averages(*_MUS) for name in ("C.2.1a", "D.c-i")},
    "E.1e": _averages("mu_i", "mu_j", eps=False),
    "B.3d-i": _pairs(*_MEANS),
    **{name: _pairs(*_MUS) for name in ("C.2.2a", "D.d-i")},
    "E.1c": [{"q": "none"}],
    "D.b-i": [{"M": "A*A'"}, {"M": "A@A.T"}, {"M": "I - B*B'"}, {"M": "A*inv(A'*A)*A'"}],
    "E.1d": [{"M": "2*S*inv(S'*S)*S'"}, {"M": "2*S*pinv(S)"}, {"M": "2*(S*inv(S'*S)*S')"}],
    "B.3e-ii": [
        {"V": "(u_b*u_b'-u_c*u_c')/beta^2", "K": "I", "Q": "(u_c*u_d'+u_d*u_a')/beta^2"},
        {"V": "(u_b*u_b' - u_c*u_c')/beta**2", "K": "3*I", "Q": "(u_c*u_d' + u_d*u_a')/beta**2"},
    ],
}
WRONG = {
    "A.1a": [
        {"q": "log(n/eps)*k_1"},
        {"q": "3*log(n/eps)*k_1"},
        {"q": "k_1"},
        {"q": "-2*log(n/eps)*k_1"},
        {"q": "2*log(n)*k_1"},
    ],
    "A.1b": [
        {"q": "log(n/eps)*(k_1-k_2)"},
        {"q": "log(n/eps)*(k_1+k_2)/2"},
        {"q": "log(n/eps)*k_1"},
        {"q": "9*(k_1+k_2)"},
    ],
    "A.1d": [
        {"q1": "log(n/eps)*u", "q2": "log(n/eps)*k_2"},
        {"q1": "u", "q2": "k_2"},
        {"q1": "t*(u+k_2)", "q2": "t*(u+k_2)"},
    ],
    **{name: _wrong_averages(*_KEYS) for name in ("B.3b", "C.1.2a", "D.b-ii")},
    "B.3c-i": _wrong_averages(*_MEANS),
    **{name: _wrong_averages(*_MUS) for name in ("C.2.1a", "D.c-i")},
    "E.1e": _wrong_averages("mu_i", "mu_j"),
    "B.3d-i": _wrong_pairs(*_MEANS)[:1] + _wrong_pairs(*_MEANS)[2:],
    **{name: _wrong_pairs(*_MUS) for name in ("C.2.2a", "D.d-i")},
    "E.1c": [{"q": "t*(k_i + k_j)"}, {"q": "10^9*(k_i+k_j)"}],
    "D.b-i": [{"M": "A'"}, {"M": "A"}, {"M": "A*B'"}, {"M": "2*A*A'"}, {"M": "I"}, {"M": "A'*A"}],
    "E.1d": [{"M": "S*inv(S'*S)*S'"}, {"M": "2*S*S'"}, {"M": "2*T*inv(T'*T)*T'"}, {"M": "I"}],
    "B.3e-ii": [
        {"V": "I", "K": "I", "Q": "I"},
        {"V": "(u_b*u_b'-u_c*u_c')/beta^2", "K": "I", "Q": "(u_c*u_d'-u_d*u_a')/beta^2"},
    ],
}

WORDS = [
    *"+-*/^()'@,[].",
    "**",
    ".T",
    "log",
    "ln",
    "exp",
    "sqrt",
    "inv",
    "pinv",
    "norm",
    "abs",
    "dot",
    "min",
    "max",
    "log(",
    "exp(",
    "sqrt(",
    "k_1",
    "k_2",
    "k_a",
    "k_b",
    "u",
    "u_a",
    "u_b",
    "mu_a",
    "mu_b",
    "mu_i",
    "n",
    "eps",
    "t",
    "T",
    "s",
    "beta",
    "A",
    "B",
    "S",
    "I",
    "0",
    "1",
    "2",
    "3",
    "0.5",
    "10",
    "99",
    "1e9",
    "1e-300",
    "1e999",
    "pi",
    "e",
    "none",
    "ε",
    "·",
    "²",
    "β",
    "_",
    "__class__",
    "x",
    "1/2",
    "(n/eps)",
    "2*",
    "-1*",
]


def _asked(text, name="q", problem_id="A.1a"):
    return f'["{problem_id}"]\n{name} = "{text}"\n'.encode()


_PROGRAMS = (
    "__import__('os').system('touch canary')",
    "().__class__.__bases__[0].__subclasses__()",
    "k_1.__class__",
    "eval('1')",
    "exec('x=1')",
    "open('canary','w')",
    "lambda: 1",
    "[x for x in (1,)]",
    "k_1 if n else k_1",
    "k_1; import os",
    "f'{n}'",
    "n.__init__.__globals__",
    "print(1)",
    "{}",
    "k_1[0]",
    "*k_1",
    "k_1 := 2",
    "yield",
    "\\u0000",
    "\\u202ek_1",
    "𝐤_1",
    "ｋ_1",
    "k_1\\n+k_1",
    "%s%s%s%n",
    "{0.__class__}",
    "${7*7}",
    "<script>alert(1)</script>",
    "'; DROP TABLE grades; --",
    "k_1 & k_1",
    "~k_1",
    "n!",
    "k_1 // 2",
    "1_000*k_1",
    "0x10*k_1",
    "1j*k_1",
)
_NUMBERS = (
    "9**9**9**9*k_1",
    "10^(10^10)*k_1",
    "2^2^2^2^2^2^2*k_1",
    "exp(exp(exp(exp(exp(n)))))*k_1",
    "(n^300)^300*k_1",
    "log(0)*k_1",
    "log(-1)*k_1",
    "k_1/0",
    "k_1/(n-n)",
    "0^-1*k_1",
    "0^0*k_1",
    "1e308*1e308*k_1",
    "nan*k_1",
    "inf*k_1",
    "sqrt(-n)*k_1",
    "log(eps-1)*k_1",
    "k_1/(n-3)",
    "n^(1/3)*k_1",
    "n^eps*k_1",
    "n^n*k_1",
    "eps^-n*k_1",
    "log(log(log(n/eps)))*k_1",
    "k_1^2",
    "k_1^k_1",
    "inv(k_1)",
    "norm(k_1)*k_1",
    "2^(1/2)*log(n/eps)*k_1",
    "(" + "+".join(["log(n/eps)"] * 120) + ")*k_1",
    "*".join(["(1+n+eps)"] * 40) + "*k_1",
    "^".join(["n"] * 50) + "*k_1",
    "(1+n+eps)^300*k_1",
    "1/(1+1/(1+1/(1+1/(1+1/(1+1/n)))))*k_1",
    "-" * 1500 + "k_1",
    "k_1" + "'" * 1500,
    "+".join(["k_1"] * 240),
    "((1+n)^40+(2+eps)^40)^40*k_1",
    "log((1+n)^200*(3+eps)^200)*k_1",
    "(n+eps)^(1/97)*k_1",
    "log(n/eps)^60*k_1",
    "(1/7)^299*k_1",
)
_FILES = (
    b"",
    b"\n",
    b"\x00",
    b"\xff\xfe\x00",
    b"\xef\xbb\xbf",
    b"[A.1a]",
    b"[A.1a]\n[A.1a]\n",
    b"[[A.1a]]\nq = 1\n",
    b"A = 1\n",
    b"[A]\n1a = 1\n",
    b"[A.1a]\nq = k_1\n",
    b"[A.1a]\nq = nan\n",
    b"[A.1a]\nq = [nan]\n",
    b"[A.1a]\nq = inf\n",
    b"[A.1a]\nq = true\n",
    b"[A.1a]\nq = 1979-05-27\n",
    b"[A.1a]\nq = {}\n",
    b"[A.1a]\nq = []\n",
    b"[A.1a]\nq = [[]]\n",
    b"[A.1a]\nq = [1, 2]\n",
    b"[A.1a]\nq = [[1, 2], [3]]\n",
    b'[A.1a]\nq = ["k_1"]\n',
    b"[A.1a]\nq = 1e400\n",
    b"[A.1a]\nq = [1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308, 1e308]\n",
    b"[A.1a]\nq = [5e-324, 0, 0, 0, 0, 0, 0, 0, 0, 0]\n",
    b"[D.b-i]\nM = [[1, 2], [3, 4]]\n",
    b"[D.b-i]\nM = [" + b"[1,2,3,4,5,6,7,8,9,0]," * 2000 + b"]\n",
    b"[A.1a]\nq = " + b"9" * 10_000 + b"\n",
    b"[A.1a]\nq = 0x" + b"f" * 100_000 + b"\n",
    b"[A.1a]\nq = " + b"[" * 10_000 + b"]" * 10_000,
    b"[A.1a]\nq = " + b"{q=" * 10_000,
    b"[" + b"a." * 100_000 + b"a]\n",
    b"a." * 50_000 + b"a = 1\n",
    b"[A.1a]\n" + b"q=1\n" * 50_000,
    b"".join(b"[x%d]\nq=1\n" % k for k in range(20_000)),
    b'[A.1a]\nq = "' + b"(" * 10_000 + b")" * 10_000 + b'"\n',
    b'[A.1a]\nq = "' + b"k_1+" * 250_000 + b'k_1"\n',
    b"#" * 1_000_000,
    b'[A.1a]\nq = "' + b"(" * 900 + b"k_1" + b")" * 900 + b'"\n',
    b'[D.a-i]\nstatement = "' + b"free words " * 500 + b'"\n',
    b'[D.a-i]\nstatement = "non-negative"\nq = "k_1"\n',
    b"[D.a-i]\nstatement = 3\n",
    b'[A.1a]\n"q\\u0000" = "k_1"\n',
    b'[A.1a]\n"__class__" = "k_1"\n',
    b'[A.1a]\nq = "k_1"\nq.x = 1\n',
    b'student = 3\n[A.1a]\nq = "k_1"\n',
    b'student = "' + b"x" * 100_000 + b'"\n[A.1a]\nq = "k_1"\n',
    b'[A.1a]\nq = """\nk_1\n"""\n',
    b"[A.1a]\r\nq = 'k_1'\r\n",
    b"[A.1a]\rq = 'k_1'\r",
)
NASTY = (
    *_FILES,
    *(_asked(text) for text in (*_PROGRAMS, *_NUMBERS)),
    *(_asked(text.replace("k_1", "(k_a+k_b)"), problem_id="B.3b") for text in _NUMBERS),
    *(
        _asked(text.replace("k_1", "(A*A')"), name="M", problem_id="D.b-i")
        for text in _NUMBERS
        if "n" not in text and "eps" not in text
    ),
    *(
        _asked(text, name="M", problem_id="E.1d")
        for text in ("inv(S)", "inv(S*S')", "S^-1", "(S*inv(S'*S)*S')^50", "S'" * 3, "S*S'*" * 60 + "I")
    ),
    *(_asked("+".join([f"{k}*t^{k}" for k in range(40)]) + "*k_a", problem_id="B.3b"),),
)
