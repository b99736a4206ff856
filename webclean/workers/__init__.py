"""A function and inputs -> outcomes, computed in worker processes that one input cannot take down for the others.

Whatever an input does to the process that works on it (raise, hang in Python or in C, crash, exit, eat memory), the
outcome of that input says so, a new worker takes the place of the old one, and no other input is lost or done twice.
Nor need an input that takes long hold up those behind it: with `Aside`, its worker goes on beside a new one.

    pool = WorkerPool(function, jobs=2, limits=WorkLimits(seconds=30, memory_mb=1024))
    outcome = pool.run(item)                   # or pool.submit(item) -> Future[Outcome]
    for item, outcome in pool.map(items):      # in order, reading ahead no further than the workers need
        ...

loky 3.7 and `ProcessPoolExecutor` give up the whole pool when one worker dies, and all inputs with it (the first test
of tests/test_workers.py). pebble 5.2 restarts workers, but at times gives up too when those that wait are killed, needs
1.8 times as long for results of 10 MB, and has neither urgent inputs nor workers that go on aside, of which five tests
tell. Here each worker has a pipe of its own and is sent one input at a time, so that what it did when it died is known.
"""

from __future__ import annotations
