"""One head tosses a coin between two values; the designed head holds steady.

    python examples/coin_toss.py

The length of key 0 varies from draw to draw. The textbook query gives keys 0 and 1 equal scores on average, so in each draw
the longer key takes all the weight. The designed query ignores the length of key 0 and pushes the other keys down. It meets the
asked error with a probability that is proved. The README shows both heads in motion (handbook/loops.py).
"""

import numpy as np

import headwright as hw

ERROR, CONFIDENCE = "0.05", "0.99"
keys = hw.GaussianKeys(np.eye(12), along={0: 0.5})
goal = hw.Average(0, 1)
textbook = 9.2 * (np.eye(12)[0] + np.eye(12)[1])
designed = hw.design(keys, goal, error=ERROR, confidence=CONFIDENCE)


def main():
    print(f"textbook: {hw.outcome(keys, textbook, goal).probability(ERROR):.4f}")
    print(hw.certify(keys, designed))


if __name__ == "__main__":
    main()
