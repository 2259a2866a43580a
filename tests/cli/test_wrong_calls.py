"""Wrong calls: exit code 2, one clear line on stderr, nothing on stdout; with --json one object there."""

import numpy as np
import pytest

WRONG = {
    "design": "`goal` must be exactly one of `--copy 3`, `--average 3,7`, `--blend 3=0.7,7=0.3` and `--top 3,7`, got none",
    "design --orthonormal 4 --copy 1 --average 1,2": "got --copy and --average",
    "design --orthonormal 4 --copy x": "`--copy` must name keys by non-negative integers (0-based), got 'x'",
    "design --orthonormal 4 --copy -1": "got '-1'",
    "design --orthonormal 4 --copy 4": "names key 4, but there are only 4 keys",
    "design --orthonormal 4 --average 1,": "`--average` must name keys",
    "design --orthonormal 4 --average 1,1": "must be distinct",
    "design --orthonormal 4 --blend 1:0.5": "`--blend` must look like 3=0.7,7=0.3, got '1:0.5'",
    "design --orthonormal 4 --blend 1=0.5,1=0.5": "names key 1 more than once",
    "design --orthonormal 4 --blend 1=half": "`share of key 1` must spell a number",
    "design --orthonormal 4 --blend 1=-1": "`share of key 1` must be positive",
    "design --orthonormal 4 --copy 1 --error 2": "`error`",
    "design --orthonormal 4 --copy 1 --error much": "`error` must spell a number",
    "design --orthonormal 4 --copy 1 --heads 2": "`heads` must be 1",
    "design --orthonormal 4 --copy 1 --heads many": "'--heads'",
    "design --orthonormal 4 --copy 1 --method magic": "`method` must be one of",
    "design --orthonormal 4 --copy 1 --save no/c.safetensors": "`--save` no/c.safetensors lies in no existing folder",
    "design --orthonormal 4 --copy 1 --save .": "is a folder",
    "design --orthonormal 4 --copy 1 --query-out q.txt": "`--query-out` must end in .npy",
    "design --orthonormal 4 --copy 1 --save-bound no/b.safetensors": "`--save-bound` no/b.safetensors lies in no existing",
    "design --orthonormal 4 --copy 1 --save c --save-bound c": "`--save` and `--save-bound` both name c",
    "design --orthonormal 4 --average 1,2 --heads 2 --save-bound b": "`--save-bound` needs one head",
    "design --orthonormal 4 --copy 1 --method closed-form --save-bound b": "and the method least-norm",
    "design --orthonormal 4 --copy 1 --precision float8": "`precision` must be None or one of 'float32', 'float16'",
    "design --orthonormal 4 --copy 1 --seed -1": "'--seed'",
    "design --orthonormal 4 --top 1 --error 0.01": "`--error` does not go with `--top`, which asks for a score gap",
    "design --orthonormal 4 --top 1 --copy 1": "got --copy and --top",
    "design --orthonormal 4 --top 1,x": "`--top` must name keys by non-negative integers (0-based), got 'x'",
    "design --orthonormal 4 --top 0,1,2,3": "names all 4 keys",
    "design --orthonormal 4 --top 4": "names key 4, but there are only 4 keys",
    "design --orthonormal 4 --top 1 --precision float32": "do not go with Top",
    "certify --orthonormal 4 --query q.npy": "`goal` must be exactly one of",
    "design --orthonormal 0 --copy 1": "`--orthonormal` must lie between 1 and 10000, got 0",
    "design --orthonormal 1000000 --copy 1": "`--orthonormal` must lie between",
    "design --orthonormal 4 --array k --copy 1": "it needs `--keys`",
    "design --copy 1": "exactly one of `--keys FILE` and `--orthonormal N`, got neither",
    "design --keys k.npy --orthonormal 4 --copy 1": "got both",
    "design --keys missing.npy --copy 1": "`keys` missing.npy is not a file",
    "design --keys pickled.npy --copy 1": "pickled Python objects, which are never loaded",
    "design --keys vast.npy --copy 1": "but holds only 0",
    "design --orthonormal 4 --size 3": "No such option",
    "certify --orthonormal 4 --copy 1": "'--query'",
    "design --orthonormal 4 --copy 1 --heads auto": "`--heads auto` needs keys that vary: say how by `--along`",
    "design --orthonormal 4 --copy 1 --confidence 0.9": "`--confidence` needs keys that vary",
    "design --orthonormal 4 --copy 1 --along 1=0.1": "`--confidence` is needed for keys that vary",
    "design --orthonormal 4 --copy 1 --along 1=0.1 --confidence 1": "`confidence` must lie strictly between 0 and 1",
    "design --orthonormal 4 --copy 1 --along 1=0.1 --confidence 0.9 --heads 0": "`heads` must be",
    "design --orthonormal 4 --top 1 --along 1=0.1 --confidence 0.9": "`goal` must be Copy, Average or Blend",
    "design --orthonormal 4 --copy 1 --along 1=1 --confidence 0.9 --save-bound b": "`--save-bound` does not go with keys",
    "design --orthonormal 4 --copy 1 --along 1": "`--along` must look like 0=0.5,3=0.1, got '1'",
    "design --orthonormal 4 --copy 1 --along 1=1 --along 2=1,1=2": "`--along` names key 1 more than once",
    "design --orthonormal 4 --copy 1 --along x=1": "`--along` must name keys by non-negative integers (0-based), got 'x'",
    "design --orthonormal 4 --copy 1 --along 1=much": "`--along 1=` must spell a number",
    "design --orthonormal 4 --copy 1 --along 4=1": "`along` names key 4, but there are only 4 keys",
    "design --orthonormal 4 --copy 1 --along 1=-1": "the covariance of key 1 must be positive semi-definite",
    "design --keys zero.npy --copy 1 --along 0=1": "`along[0]` asks for variance along the mean of key 0, which has norm",
    "design --orthonormal 4 --copy 1 --isotropic wide": "`--isotropic` must spell a number",
    "design --orthonormal 4 --copy 1 --isotropic -1": "must be positive semi-definite",
    "design --orthonormal 4 --copy 1 --factor 1=none.npy": "`factor` none.npy is not a file",
    "design --orthonormal 4 --copy 1 --factor 1=zero.npy": "`factors[1]` must have shape (d, r) with d = 4, got (2, 3)",
    "design --orthonormal 4 --copy 1 --scaled 1=1:1 --along 1=1": "`--along` makes them Gaussian: give one or the other",
    "design --orthonormal 4 --copy 1 --scaled 1=0.5,1.5": "`--scaled` must look like 0=0.5:1/2,1.5:1/2, got '0.5'",
    "design --orthonormal 4 --copy 1 --scaled 1=2:0.5": "`--scaled`: `laws[1]` must have probabilities that sum to one",
    "design --orthonormal 4 --copy 1 --scaled 1=2:1/2,2:1/2": "`--scaled` gives key 1 the factor 2 twice",
    "certify --orthonormal 4 --query zero.npy --copy 1 --confidence 0.9": "`--confidence` needs keys that vary",
    "certify --orthonormal 4 --query zero.npy --copy 1 --along 0=1": "`--confidence` is needed for keys that vary",
    "certify --keys zero.npy --query zero.npy --of 0 --at-least 1 --along 1=1 --confidence 0.9": "`of` does not go with keys",
    "outcome --orthonormal 4": "'--query'",
    "outcome --orthonormal 4 --query none.npy": "`query` none.npy is not a file",
    "outcome --orthonormal 4 --query zero.npy --copy 1": "`queries` must have the keys' dimension",
    "outcome --orthonormal 4 --query zero.npy --error 0.1": "`--error` needs a goal: one of `--copy 3`",
    "outcome --orthonormal 4 --query zero.npy --picture p.svg": "`--picture` needs a goal",
    "outcome --orthonormal 4 --query zero.npy --quantile 0.9": "`--quantile` needs a goal",
    "outcome --keys zero.npy --query zero.npy --copy 1 --quantile 1": "`--quantile` must lie strictly between 0 and 1, got 1",
    "outcome --keys zero.npy --query zero.npy --copy 1 --error -1": "`error` must not be negative",
    "outcome --keys zero.npy --query zero.npy --copy 2": "names key 2, but there are only 2 keys",
    "outcome --keys zero.npy --query zero.npy --values wide.npy": "`values` must have one row per key (2), got shape (4, 1)",
    "outcome --keys zero.npy --query zero.npy --samples 0": "'--samples'",
    "outcome --keys zero.npy --query zero.npy --copy 1 --picture p.pdf": "`--picture` must end in .svg or .png, got 'p.pdf'",
    "outcome --keys zero.npy --query zero.npy --copy 1 --picture no/p.svg": "lies in no existing folder",
    "outcome --keys zero.npy --query zero.npy --copy 1 --against q.npy": "`--against` is drawn in a picture",
    "outcome --keys zero.npy --query zero.npy --copy 1 --picture p.svg --key-picture p.svg": "both name p.svg",
    "verify": "Missing argument",
    "verify missing.safetensors": "missing.safetensors is not a file",
    "problems A.1": "Did you mean A.1a, A.1b, A.1c, A.1d?",
    "tour --out no/report.html": "`--out` no/report.html lies in no existing folder",
    "fly": "No such command 'fly'",
}


@pytest.mark.parametrize("line", WRONG)
def test_wrong_calls(call, answer, tmp_path, line):
    np.save(tmp_path / "pickled.npy", np.array([[{}]], dtype=object), allow_pickle=True)
    np.save(tmp_path / "zero.npy", np.array([[0.0, 0, 0], [1, 2, 3]]))
    np.save(tmp_path / "wide.npy", np.ones((4, 1)))
    with (tmp_path / "vast.npy").open("wb") as file:
        header = {"descr": "<f8", "fortran_order": False, "shape": (10**9, 10**6)}
        np.lib.format.write_array_header_1_0(file, header)
    code, out, err = call(line)
    assert (code, out) == (2, "")
    assert WRONG[line] in err
    assert err.count("\n") == 1
    if line.split()[0] != "fly":
        code, told = answer(line)
        assert code == 2
        assert told["status"] == "error"
