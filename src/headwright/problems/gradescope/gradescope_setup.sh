#!/usr/bin/env bash
# Gradescope runs this once, when it builds the image of the autograder. It makes an environment for headwright, which comes
# with this archive. What headwright needs comes from PyPI, in the versions that constraints.txt lists.
set -euo pipefail
root="${AUTOGRADER_ROOT:-/autograder}"
source="$root/source"
environment="$source/environment"

find_python() {
  local name
  for name in python3 python3.14 python3.13 python3.12 python3.11; do
    if command -v "$name" >/dev/null && "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      command -v "$name"
      return 0
    fi
  done
  return 1
}

as_root_with_apt() { command -v apt-get >/dev/null && [ "$(id -u)" -eq 0 ]; }

if ! python="$(find_python)"; then
  if as_root_with_apt; then
    apt-get update || true
    apt-get install -y python3.12 python3.12-venv || apt-get install -y python3.11 python3.11-venv || true
  fi
  if ! python="$(find_python)"; then
    echo "headwright needs Python 3.11 or newer, and this image has $(python3 --version 2>&1 || true)." >&2
    echo "Choose a newer base image in the autograder's settings, such as Ubuntu 24.04, and build again." >&2
    exit 1
  fi
fi

if ! "$python" -c 'import venv, ensurepip' 2>/dev/null && as_root_with_apt; then
  apt-get install -y "$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')" || true
fi
if ! "$python" -m venv --clear "$environment"; then
  echo "$python could not make an environment. On Ubuntu the package python3-venv brings what it needs." >&2
  exit 1
fi

if ! "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --no-input \
  --constraint "$source/constraints.txt" "$source"/headwright-*.whl; then
  echo "pip could not install headwright with $("$python" --version) and the versions in constraints.txt." >&2
  echo "They were tried with another Python: $(head -n 1 "$source/constraints.txt")" >&2
  echo "Choose a base image with that Python, or make the archive again with the Python of this image." >&2
  exit 1
fi

# An autograder that cannot read its assignment is better found now than by the first student.
"$environment/bin/python" -I -c 'import sys, headwright as hw; print(hw.problems.read_assignment(sys.argv[1]).title)' \
  "$source/assignment/assignment.toml"
