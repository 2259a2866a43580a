"""A key whose length varies: the textbook's single head tosses a coin, two heads mostly hold, a cleverer query always does."""

import tempfile
from pathlib import Path

import numpy as np

import headwright as hw
from headwright.faces import pictures

keys = hw.GaussianKeys(np.eye(12), along={0: 0.5})  # key 0 is (1 + z/√2) u_0, z standard normal
goal, t = hw.Average(0, 1), np.log(1e4)
designs = {
    "one textbook head": t * (keys.mean[0] + keys.mean[1]),
    "two textbook heads": t * keys.mean[:2],
    "one head, designed": hw.design(keys, goal, error="0.1", confidence="0.99"),
}
for name, design in designs.items():
    found = hw.outcome(keys, design, goal, mix=None if isinstance(design, hw.Design) else "equal")
    print(f"{name}: weight of key 0 is {found.mean[0]:.4f} ± {found.sd[0]:.4f}")
    print(f"  error at most 0.1 with probability {found.probability('0.1')}")
print(hw.certify(keys, designs["one head, designed"]))

with tempfile.TemporaryDirectory() as folder:
    try:
        picture = pictures.weights_over_samples(keys, designs, goal, error="0.1", mix="equal")
        print("drawn:", pictures.save(picture, Path(folder) / "weights.svg").name)
    except ImportError as missing:
        print("not drawn:", missing)
