"""A formula shown back as it was read: 2·ln(n/ε)·(k_1 + k_2). Reading what is shown gives the same formula again."""

from __future__ import annotations

from headwright.reading.formulas.symbols import shown_name
from headwright.theories.formulas.forms.trees import (
    Array,
    Call,
    Constant,
    Name,
    Node,
    Number,
    Power,
    Product,
    Sum,
    Transposed,
)

_CONSTANTS = {"pi": "π"}


def shown(node: Node) -> str:
    """The formula with · for products, − for minus, Greek letters and ᵀ.

    >>> shown(Product(((1, Number(2)), (1, Call("log", (Product(((1, Name("n")), (-1, Name("eps")))),))), (1, Name("k_1")))))
    '2·ln(n/ε)·k_1'
    """
    match node:
        case Number(value):
            return str(value).replace("-", "−")
        case Name(name):
            return shown_name(name)
        case Constant(name):
            return _CONSTANTS.get(name, name)
        case Array(rows):
            lines = [", ".join(str(x).replace("-", "−") for x in row) for row in rows]
            return f"[{', '.join(line if len(rows[0]) == 1 else f'[{line}]' for line in lines)}]"
        case Sum(terms):
            parts = [shown(part) if isinstance(part, Product | Power) else _factor(part) for _, part in terms]
            text = "".join(f" {'+' if sign > 0 else '−'} {part}" for (sign, _), part in zip(terms, parts, strict=True))
            return text[3:] if terms[0][0] > 0 else f"−{text[3:]}"
        case Product(factors):
            text = "".join(f"{'·' if way > 0 else '/'}{_factor(part)}" for way, part in factors)
            return text[1:] if factors[0][0] > 0 else f"1{text}"
        case Power(base, exponent):
            return f"{_base(base)}^{_base(exponent)}"
        case Transposed(of):
            return f"{_base(of)}ᵀ"
        case Call("exp", (of,)):
            return f"e^{_base(of)}"
        case Call("inv", (of,)):
            return f"{_base(of)}⁻¹"
        case Call("pinv", (of,)):
            return f"{_base(of)}⁺"
        case Call("sqrt", (of,)):
            return f"√{_base(of)}"
        case Call("norm", (of,)) if not any(_has_bars(part) for part in (of,)):
            return f"‖{shown(of)}‖"
        case Call("dot", (left, right)):
            return f"⟨{shown(left)}, {shown(right)}⟩"
        case Call(function, arguments):
            return f"{'ln' if function == 'log' else function}({', '.join(map(shown, arguments))})"


def _factor(node: Node) -> str:
    """A part of a product: a power needs no brackets there."""
    return shown(node) if isinstance(node, Power) else _grouped(node)


def _grouped(node: Node) -> str:
    fraction = isinstance(node, Number) and (node.value.denominator > 1 or node.value < 0)
    return f"({shown(node)})" if fraction or isinstance(node, Sum | Product | Power) else shown(node)


def _base(node: Node) -> str:
    """The base or exponent of a power, or what a root or transpose stands on."""
    return f"({shown(node)})" if isinstance(node, Call | Array | Transposed) else _grouped(node)


def _has_bars(node: Node) -> bool:
    return "‖" in shown(node)
