"""The kernel: what every proof rests on. Numbers come in exactly, arithmetic rounds outward, claims are stored and read."""

HOMES: dict[
    str, str
] = {}  # kind of claim -> the module that defines it; whoever has claims writes them here (`theories`)
