"""Makes packages that install without a compiler, in target/packages, and tests them (docs/packages.md).

python3 tools/packages          # builds the packages for Linux on x86-64: some minutes
python3 tools/packages test     # installs and runs them in a clean Debian; needs root, debootstrap and qemu-user-static
"""

import sys

import build
import check
from common import timed


def main(arguments: list[str]) -> int:
    """Runs the program; returns the exit status."""
    if arguments == []:
        timed("all packages", build.main)
    elif arguments == ["test"]:
        timed("all checks", check.main)
    else:
        print(f"tools/packages: unknown arguments {' '.join(arguments)}; expected test or none", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
