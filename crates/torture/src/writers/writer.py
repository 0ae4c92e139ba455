"""writer.py TABLE ROUNDS POINTS...: a thread for each file of points writes its table again and again; 0 rounds: for ever."""

import itertools
import os
import sys
import threading

import bucketwheel as bw

table, rounds, *files = sys.argv[1:]


def write(points):
    try:
        bases = bw.Bases.open(points, copies=2)
        for _ in range(int(rounds)) if int(rounds) else itertools.count():
            bases.write_table(table)
    except BaseException as error:
        print(error, file=sys.stderr, flush=True)
        os._exit(1)


threads = [threading.Thread(target=write, args=(points,)) for points in files]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
