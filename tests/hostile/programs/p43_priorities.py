"""Asks for a better priority, real time, shared memory and message queues."""

import os

from probe import answer, attempt, libc, request

ask = request()
found = {
    "nice": attempt(os.nice, -5),
    "setpriority": attempt(os.setpriority, os.PRIO_PROCESS, 0, -10),
    "real time": attempt(os.sched_setscheduler, 0, os.SCHED_FIFO, os.sched_param(10)),
    "round robin": attempt(os.sched_setscheduler, 0, os.SCHED_RR, os.sched_param(10)),
    "shared memory": attempt(libc, "shmget", ask["key"], 4096, 0o1600 if ask["make"] else 0),
    "message queue": attempt(libc, "msgget", ask["key"], 0o1600 if ask["make"] else 0),
    "semaphore": attempt(libc, "semget", ask["key"], 1, 0o1600 if ask["make"] else 0),
    "posix queue": attempt(libc, "mq_open", b"/hostile-queue", 0),
}
answer(ask, found=found)
