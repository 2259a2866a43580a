"""A certificate file: save a proof in one place, prove it again in another from the file alone."""

import tempfile
from pathlib import Path

import numpy as np

import headwright as hw
from headwright.kernel.certificate import BadCertificate

keys = np.linalg.qr(np.random.default_rng(1).standard_normal((30, 30)))[0]  # orthonormal rows, none of them round
design = hw.design(keys, hw.Blend({3: "0.7", 7: "0.3"}), error="0.001", method="closed-form")
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "blend.safetensors"
    hw.save(path, hw.certify(keys, design))
    print(hw.verify(path).expect())

    damaged = bytearray(path.read_bytes())
    damaged[-1] ^= 1  # one bit of one number
    path.write_bytes(damaged)
    try:
        hw.verify(path)
    except BadCertificate as refusal:
        print("refused:", str(refusal).split(" is ")[-1])
