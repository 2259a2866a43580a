#!/usr/bin/env bash
# Gradescope runs this for every submission and then reads results/results.json. That file is written first, with 0 points:
# if the judge cannot start or is killed, it says so.
root="${AUTOGRADER_ROOT:-/autograder}"
mkdir -p "$root/results"
cat > "$root/results/results.json" <<'RESULTS'
@FALLBACK@
RESULTS
"$root/source/environment/bin/python" -I -m headwright.problems.gradescope.on_gradescope "$root" --visibility @VISIBILITY@ 2>&1
ended=$?
[ "$ended" -eq 0 ] || echo "The judge ended with exit code $ended. Look at the output of setup.sh in the build of the image."
exit 0
