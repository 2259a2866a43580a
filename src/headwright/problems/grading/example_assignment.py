"""An assignment to start from, with a comment on every entry. It loads as it stands."""

EXAMPLE = """\
# An assignment: which questions are asked, what each is worth, and how answers are credited.
#
#   headwright assignment check homework.toml                       says what it asks
#   headwright assignment template homework.toml -o answers.md      the file that students fill in
#   headwright assignment grade homework.toml submissions -o marks  the grades of a folder of such files

title = "Homework 1: attention"

# "practical" gives full points to what holds for all n up to 10^6 and all ε from 10^-6 on, or in the limit.
# "strict" gives points only to what is proved for all n and all ε.
policy = "practical"

# The error that ≈ stands for.
tolerance = 0.01

# Questions of your own lie in a file beside this one, or stand below. `headwright problems` lists those of the sheets.
# problems = "mine.toml"

[[question]]
id = "D.b-ii"
points = 4

[[question]]
id = "A.1b"
points = 7.5
credit = { too-short = 0.5 }   # the share of the points that an answer earns which is right but for its length

[[question]]
id = "E.1c"
points = 5
policy = "strict"              # for this question alone

[[question]]
id = "D.a-i"
points = 2

# A question of your own. `headwright problems --new mine.toml` writes one of each kind.
[[question]]
id = "X.1"
text = "How large is the weight of each of n = 10 keys under the query 0?"
points = 1
claim = { kind = "number", value = "1/10", tolerance = "0.001" }
"""
