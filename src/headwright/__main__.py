"""python -m headwright: the command line."""

from headwright.cli import main

if __name__ == "__main__":
    main()
