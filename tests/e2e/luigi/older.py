# SPDX-License-Identifier: Apache-2.0
"""A task that waits until somebody says go."""
import subprocess

import luigi


class Wait(luigi.Task):
    def output(self):
        return luigi.LocalTarget("done")

    def run(self):
        subprocess.run(["bash", "-c", "touch waits; until test -e go; do sleep 0.2; done; opt/gzip-9.1/bin/gzip -c older.py > done"], check=True)
