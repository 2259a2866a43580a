"""Two published answers of the problem sheets, judged: one right for every n and ε, one wrong."""

import headwright as hw

for problem_id in ("A.1a", "C.1.1d"):
    problem = hw.problems.CATALOGUE[problem_id]
    print(problem)
    print("published:", problem.published)
    print(hw.problems.published(problem_id), "\n")
