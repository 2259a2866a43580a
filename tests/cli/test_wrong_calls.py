"""Wrong calls: exit code 2, one clear line on stderr, nothing on stdout; with --json one object there."""

import numpy as np
import pytest

WRONG = {
    "design": "`goal`",
    "design --orthonormal 4 --copy 1 --average 1,2": "--copy and --average",
    "design --orthonormal 4 --copy x": "`--copy`",
    "design --orthonormal 4 --copy -1": "'-1'",
    "design --orthonormal 4 --copy 4": "Copy(4)",
    "design --orthonormal 4 --average 1,": "`--average`",
    "design --orthonormal 4 --average 1,1": "`goal`",
    "design --orthonormal 4 --blend 1:0.5": "`--blend`",
    "design --orthonormal 4 --blend 1=0.5,1=0.5": "`--blend`",
    "design --orthonormal 4 --blend 1=half": "`share of key 1`",
    "design --orthonormal 4 --blend 1=-1": "`share of key 1`",
    "design --orthonormal 4 --copy 1 --error 2": "`--error`",
    "design --orthonormal 4 --copy 1 --error much": "`--error`",
    "design --orthonormal 4 --copy 1 --heads 2": "`--heads`",
    "design --orthonormal 4 --copy 1 --heads many": "`--heads`",
    "design --orthonormal 4 --copy 1 --method magic": "`--method`",
    "design --orthonormal 4 --copy 1 --save no/c.safetensors": "`--save`",
    "design --orthonormal 4 --copy 1 --save .": "`--save`",
    "design --orthonormal 4 --copy 1 --query-out q.txt": "`--query-out`",
    "design --orthonormal 4 --copy 1 --save-bound no/b.safetensors": "`--save-bound`",
    "design --orthonormal 4 --copy 1 --save c --save-bound c": "`--save`",
    "design --orthonormal 4 --average 1,2 --heads 2 --save-bound b": "`--save-bound`",
    "design --orthonormal 4 --copy 1 --method closed-form --save-bound b": "`--save-bound`",
    "design --orthonormal 4 --copy 1 --precision float8": "`--precision`",
    "design --orthonormal 4 --copy 1 --seed -1": "'--seed'",
    "design --orthonormal 4 --top 1 --error 0.01": "`--error`",
    "design --orthonormal 4 --top 1 --copy 1": "--copy and --top",
    "design --orthonormal 4 --top 1,x": "`--top`",
    "design --orthonormal 4 --top 0,1,2,3": "Top(0, 1, 2, 3)",
    "design --orthonormal 4 --top 4": "Top(4)",
    "design --orthonormal 4 --top 1 --precision float32": "`--precision`",
    "certify --orthonormal 4 --query q.npy": "`goal`",
    "design --orthonormal 0 --copy 1": "`--orthonormal`",
    "design --orthonormal 1000000 --copy 1": "`--orthonormal`",
    "design --orthonormal 4 --array k --copy 1": "`--keys`",
    "design --copy 1": "`--keys FILE`",
    "design --keys k.npy --orthonormal 4 --copy 1": "`--orthonormal N`",
    "design --keys missing.npy --copy 1": "`--keys`",
    "design --keys pickled.npy --copy 1": "pickled.npy",
    "design --keys vast.npy --copy 1": "vast.npy",
    "design --orthonormal 4 --size 3": "No such option",
    "certify --orthonormal 4 --copy 1": "'--query'",
    "design --orthonormal 4 --copy 1 --heads auto": "`--heads`",
    "design --orthonormal 4 --copy 1 --confidence 0.9": "`--confidence`",
    "design --orthonormal 4 --copy 1 --along 1=0.1": "`--confidence`",
    "design --orthonormal 4 --copy 1 --along 1=0.1 --confidence 1": "`--confidence`",
    "design --orthonormal 4 --copy 1 --along 1=0.1 --confidence 0.9 --heads 0": "`--heads`",
    "design --orthonormal 4 --top 1 --along 1=0.1 --confidence 0.9": "`goal`",
    "design --orthonormal 4 --copy 1 --along 1=1 --confidence 0.9 --save-bound b": "`--save-bound`",
    "design --orthonormal 4 --copy 1 --along 1": "`--along`",
    "design --orthonormal 4 --copy 1 --along 1=1 --along 2=1,1=2": "`--along`",
    "design --orthonormal 4 --copy 1 --along x=1": "`--along`",
    "design --orthonormal 4 --copy 1 --along 1=much": "`--along 1=`",
    "design --orthonormal 4 --copy 1 --along 4=1": "`--along`",
    "design --orthonormal 4 --copy 1 --along 1=-1": "`--along`",
    "design --keys zero.npy --copy 1 --along 0=1": "`along[0]`",
    "design --orthonormal 4 --copy 1 --isotropic wide": "`--isotropic`",
    "design --orthonormal 4 --copy 1 --isotropic -1": "`--isotropic`",
    "design --orthonormal 4 --copy 1 --factor 1=none.npy": "`--factor`",
    "design --orthonormal 4 --copy 1 --factor 1=zero.npy": "`factors[1]`",
    "design --orthonormal 4 --copy 1 --scaled 1=1:1 --along 1=1": "`--along`",
    "design --orthonormal 4 --copy 1 --scaled 1=0.5,1.5": "`--scaled`",
    "design --orthonormal 4 --copy 1 --scaled 1=2:0.5": "`--scaled`",
    "design --orthonormal 4 --copy 1 --scaled 1=2:1/2,2:1/2": "`--scaled`",
    "certify --orthonormal 4 --query zero.npy --mix equal --copy 1 --confidence 0.9": "`--confidence`",
    "certify --orthonormal 4 --query zero.npy --mix equal --copy 1 --along 0=1": "`--confidence`",
    "certify --keys zero.npy --query zero.npy --mix equal --of 0 --at-least 1 --along 1=1 --confidence 0.9": "`--of`",
    "certify --orthonormal 4 --copy 1 --query none.npy": "`--query`",
    "certify --orthonormal 4 --query zero.npy --mix equal --copy 1": "`--query`",
    "certify --keys zero.npy --query zero.npy --mix equal --copy 1 --error -1": "`--error`",
    "certify --keys zero.npy --query zero.npy --mix equal --copy 2": "Copy(2)",
    "certify --keys zero.npy --query zero.npy --copy 1": '`--mix="equal"`, or weights as `--mix`',
    "certify --keys zero.npy --query zero.npy --copy 0": "and `--each` if each is a query of its own",
    "certify --keys zero.npy --query zero.npy --top 1": "`--query` has 2 rows",
    "certify --keys zero.npy --query zero.npy --each --mix 1,1 --copy 1": "`--mix` does not go with `--each`",
    "certify --keys zero.npy --query zero.npy --mix both --copy 1": "`--mix` must be `equal`",
    "verify": "Missing argument",
    "verify missing.safetensors": "missing.safetensors",
    "problems A.1": "A.1a, A.1b, A.1c, A.1d",
    "tour --out no/report.html": "`--out`",
    "fly": "No such command 'fly'",
}


@pytest.mark.parametrize("line", WRONG)
def test_wrong_calls(call, answer, tmp_path, line):
    np.save(tmp_path / "pickled.npy", np.array([[{}]], dtype=object), allow_pickle=True)
    np.save(tmp_path / "zero.npy", np.array([[0.0, 0, 0], [1, 2, 3]]))
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
