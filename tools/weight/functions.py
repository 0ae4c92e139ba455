#!/usr/bin/env python3
"""Sums up the sizes of functions that differ only in their type arguments: reads lines of `nm --demangle
--print-size`."""

import collections
import re
import sys

sizes, instances = collections.Counter(), collections.Counter()
for line in sys.stdin:
    _, size, _, name = line.split(None, 3)
    name = re.sub(r"::h[0-9a-f]{16}$", "", name.strip())
    while (shorter := re.sub(r"<[^<>]*>", "", name)) != name:
        name = shorter
    sizes[name] += int(size, 16)
    instances[name] += 1
for name, size in sizes.most_common():
    try:
        print(f"{size / 1e3:8.0f} {instances[name]:6d} {name[:100]}")
    except BrokenPipeError:
        break
