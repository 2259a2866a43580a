"""Runs tests under other kernels of OpenBLAS than the machine's own: `make test-kernels`. What a machine lacks is named.

OpenBLAS has kernels for each family of processors. They round products differently, so a search may take another of two
answers that tie. `OPENBLAS_CORETYPE` names the kernels to be used, and acts on NumPy's copy of the library and on SciPy's.
"""

import os
import subprocess
import sys

# What the processor must have, since the library may take the word for it, and how the library then names the kernels:
# on 64 bits those of Katmai and Prescott are the same.
KERNELS = {"Prescott": ({"SSE3"}, {"Prescott", "Katmai"}), "Haswell": ({"AVX2", "FMA3"}, {"Haswell"})}
TESTS = [
    "tests/cli",
    "tests/compression",
    "tests/constructions",
    "tests/geometry",
    "tests/handbook/test_pages.py",
    "tests/programs",
    "tests/spectrum",
    "tests/test_design.py",
    "tests/test_layer.py",
    "tests/test_program.py",
    "tests/test_top.py",
]


def in_use():
    """The kernels that this process multiplies with, by the libraries that NumPy and SciPy bring."""
    import scipy.linalg  # noqa: F401 - it loads its own copy of the library, as NumPy did
    from threadpoolctl import threadpool_info

    found = {f"{each['architecture']} ({each['internal_api']} {each['version']})" for each in threadpool_info()
             if each["user_api"] == "blas" and "architecture" in each}  # fmt: skip
    return sorted(found) or ["unknown to threadpoolctl"]


def features():
    """What this processor has, in NumPy's words; NumPy has no public name for the list."""
    from numpy._core._multiarray_umath import __cpu_features__

    return {name for name, has in __cpu_features__.items() if has}


def lacking(kernel, has, ask):
    """Why the kernel cannot be run here, or None. The processor comes first: an instruction it lacks would end the process."""
    needed, names = KERNELS[kernel]
    if missing := sorted(needed - has):
        return f"this processor lacks {' and '.join(missing)}"
    used = ask(kernel)
    if all(each.split()[0] in names for each in used):
        return None
    return f"the library uses {', '.join(used)} instead"


def asked(kernel):
    """`in_use` of a process that starts under this kernel."""
    code = "from tests.kernels import in_use; print(*in_use(), sep='\\n')"
    run = subprocess.run([sys.executable, "-c", code], env=under(kernel), check=True, stdout=subprocess.PIPE, text=True)
    return run.stdout.splitlines()


def under(kernel):
    return {**os.environ, "OPENBLAS_CORETYPE": kernel}


def main(options):
    """Run them all, and say at the end, where a reader of a long log looks, what became of each kernel."""
    fates, failed = [], False
    for kernel in KERNELS:
        if why := lacking(kernel, features(), asked):
            fates.append(f"{kernel}: not run, since {why}")
            continue
        code = subprocess.run([sys.executable, "-m", "pytest", *options, *TESTS], env=under(kernel)).returncode
        fates.append(f"{kernel}: {'passed' if code == 0 else f'failed, with exit status {code}'}")
        failed |= code != 0
    print("kernels of OpenBLAS", *fates, sep="\n", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
