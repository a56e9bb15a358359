#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sends one more run, which is running, to a lake: one_run.py URL TOKENS_FOLDER ID"""
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent.parent / "bench"))
import batch  # noqa: E402

URL, TOKENS, ID = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
NOW = time.time_ns()

agent = batch.Agent(URL, (TOKENS / "admin").read_text().strip(), f"host-{ID}", NOW)
agent.send(runs=[{"run_id": ID, "name": ID, "pipeline": ID, "engine": "tracer", "status": "running", "pid": 9, "start_ns": 9, "user": "ada",
                  "command": "sleep", "started_at": NOW - 10**9}])
