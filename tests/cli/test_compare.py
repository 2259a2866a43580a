"""headwright compare: what it prints, writes and answers, and how it refuses."""

import numpy as np
import pytest

import headwright as hw
from headwright.kernel.certificate import load
from tests.facts import says


@pytest.fixture
def files(tmp_path, rng):
    keys = rng.standard_normal((2, 8, 4))
    arrays = {
        "keys": keys,
        "stored": keys + 0.05 * rng.standard_normal(keys.shape),
        "queries": rng.standard_normal((4, 8, 4)),
        "values": rng.standard_normal((2, 8, 3)),
    }
    for name, array in arrays.items():
        np.save(tmp_path / f"{name}.npy", array)
    return arrays


LINE = "compare keys.npy stored.npy queries.npy"


def test_the_screen_says_how_far(call, files):
    code, out, err = call(f"{LINE} --causal --values values.npy")
    assert (code, err) == (0, "")
    assert says(out, 32, "total variation", "proved", "50 %", "99 %", "output")


def test_json_is_the_summary(answer, files):
    code, told = answer(f"{LINE} --causal --scale 1/2")
    c = hw.compare(files["keys"], files["stored"], files["queries"], scale="1/2", causal=True)
    assert (code, told["status"], told["saved"]) == (0, "done", None)
    assert told["worst"] == c.worst.value.to_dict() | {"where": list(c.worst.where)}
    assert told["shape"] == [4, 8]


def test_one_array_of_several(answer, files, tmp_path):
    np.savez(tmp_path / "all.npz", **files)
    line = "compare all.npz all.npz all.npz --values all.npz --stored-values all.npz --array keys"
    options = [
        "--stored-array stored",
        "--query-array queries",
        "--values-array values",
        "--stored-values-array values",
    ]
    assert answer(f"{line} {' '.join(options)}") == answer(f"{LINE} --values values.npy")
    for left_out in options:
        code, told = answer(f"{line} {' '.join(option for option in options if option != left_out)}")
        assert (code, f"`{left_out.split()[0]}`" in told["message"]) == (2, True)


def test_a_column_is_one_query(answer, files, tmp_path):
    np.savetxt(tmp_path / "column.csv", files["queries"][0, 0])
    np.save(tmp_path / "one.npy", files["keys"][0])
    assert answer("compare one.npy one.npy column.csv")[1]["shape"] == []
    np.save(tmp_path / "narrow.npy", files["keys"][0, :, :1])
    assert answer("compare narrow.npy narrow.npy column.csv")[1]["shape"] == [4]  # keys of one channel: four queries


def test_claims_are_judged_and_saved(call, answer, files, tmp_path):
    assert call(f"{LINE} --error 0.5 --save kept.safetensors")[0] == 0
    assert load(tmp_path / "kept.safetensors").kind == "attention-kept"
    assert call("verify kept.safetensors")[0] == 0
    code, told = answer(f"{LINE} --error 1e-6")
    assert (code, told["status"], told["verdict"]["status"]) == (1, "refuted", "refuted")
    line = f"{LINE} --values values.npy --stored-values values.npy --error 9 --of output --save out.safetensors"
    assert call(line)[0] == 0
    assert load(tmp_path / "out.safetensors").values is not None


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ("--save kept.safetensors", "--save"),
        ("--error 2", "--error"),
        ("--error 0.1 --of output", "--of"),
        ("--scale 0", "--scale"),
        ("--scale much", "--scale"),
        ("--values-array v", "--values-array"),
        ("--stored-values values.npy", "--stored-values"),
        ("--values keys.csv", "--values"),
    ],
)
def test_usage_errors_name_the_option(call, files, options, named):
    code, _, err = call(f"{LINE} {options}")
    assert code == 2
    assert f"`{named}`" in err


def test_a_usage_error_names_the_file_that_does_not_fit(call, files, tmp_path):
    np.save(tmp_path / "stored.npy", np.zeros((2, 7, 4)))
    code, _, err = call(LINE)
    assert (code, "`stored`" in err) == (2, True)
