# SPDX-License-Identifier: Apache-2.0
"""Every call behind a page of the dashboard and a command, with its bar in milliseconds: of src/server/api/routes.c all that
read, with the parameters that web/src and src/cli give."""
PAGE, SERIES = 100, 200
LIST = 50  # of runs

# Of all runs and hosts. {host}: one of the hosts. {old}: the cursor of a second page.
LISTS = [
    ("/api/v1/runs?limit=50", LIST),
    ("/api/v1/runs?limit=100", PAGE),
    ("/api/v1/runs?limit=100&cursor={old}", PAGE),
    ("/api/v1/runs?limit=50&sort=wall", PAGE),
    ("/api/v1/runs?limit=50&status=failed", PAGE),
    ("/api/v1/runs?limit=50&status=running", PAGE),
    ("/api/v1/runs?limit=50&pipeline=pipeline_3", PAGE),
    ("/api/v1/hosts", PAGE),
    ("/api/v1/hosts/{host}?hours=6", PAGE),
    ("/api/v1/hosts/{host}?hours=48", SERIES),
    ("/api/v1/hosts/{host}/untracked?hours=6", PAGE),
    ("/api/v1/waste?days=30", PAGE),
    ("/api/v1/cost?by=pipeline&days=30", PAGE),
    ("/api/v1/cost?by=run&days=30", PAGE),
    ("/api/v1/cost?by=step&days=30", PAGE),
    ("/api/v1/cost?by=tool&days=30", PAGE),
    ("/api/v1/cost?by=user&days=30", PAGE),
    ("/api/v1/cost?by=instance&days=30", PAGE),
    ("/metrics", PAGE),
]
# While runs run.
LIVE_LISTS = [
    ("/api/v1/runs?limit=50", PAGE),
    ("/api/v1/runs?limit=100", PAGE),
    ("/api/v1/waste?days=30", PAGE),
    ("/api/v1/cost?by=pipeline&days=30", PAGE),
    ("/metrics", PAGE),
]
# Of one run, behind /api/v1/runs/RUN. {task}: one of its tasks.
RUN = [
    ("", PAGE),
    ("/tasks?limit=1000", PAGE),
    ("/tasks?limit=50&status=failed", PAGE),
    ("/tools", PAGE),
    ("/processes?limit=500", PAGE),
    ("/processes?limit=500&task={task}", PAGE),
    ("/processes?limit=500&status=failed", PAGE),
    ("/files?limit=1000", PAGE),
    ("/files?limit=1000&kind=failed", PAGE),
    ("/dataflow?limit=1", PAGE),
    ("/dataflow", PAGE),
    ("/events", PAGE),
    ("/parts", PAGE),
    ("/containers", PAGE),
    ("/network?limit=1000", PAGE),
    ("/io?limit=1000", PAGE),
    ("/syscalls?limit=1000", PAGE),
    ("/gpus", PAGE),
    ("/samples?by=run", PAGE),
    ("/samples?by=share&figures=all", PAGE),
    ("/samples?by=task&figures=use", SERIES),
    ("/samples?by=tool&figures=use", SERIES),
    ("/findings", PAGE),
]
# Of the run with 200,000 executions all that its page asks for must be there within the bar of a page.
LARGE = [(path, PAGE if path.startswith("/samples") else bar) for path, bar in RUN]
# Of runs that run; whether it must not cost more where more samples are stored. (A series shows samples; findings of a run that runs are found again.)
RUNNING = [
    ("", True),
    ("/tasks?limit=1000", True),
    ("/tools", True),
    ("/processes?limit=500", True),
    ("/samples?by=run", False),
    ("/samples?by=task&figures=use", False),
    ("/findings", False),
]
