"""How far may the keys move before the average breaks? Exactly, with the moved keys that break it."""

import numpy as np

import headwright as hw

keys = np.eye(20)
design = hw.design(keys, hw.Average(2, 11), error=0.01, method="closed-form")

safe, broken = 0.0, 1.0
for _ in range(30):
    middle = (safe + broken) / 2
    if hw.certify(keys, design, error=0.05, radius=middle, norm="ball").status == "proved":
        safe = middle
    else:
        broken = middle
print(f"every key may move by {safe:.6f} and the weights stay within 0.05 of half and half")

verdict = hw.certify(keys, design, error=0.05, radius=broken * 1.01, norm="ball")
print(verdict)
moved = verdict.counterexample["keys"]
print("weights at the moved keys:", hw.attend(design, moved).weights[[2, 11]].round(4))
