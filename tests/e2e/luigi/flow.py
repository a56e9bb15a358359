# SPDX-License-Identifier: Apache-2.0
"""Three samples through two tasks, and one that fails once."""
import subprocess

import luigi
from luigi.contrib.external_program import ExternalProgramTask


class Reads(luigi.Task):
    sample = luigi.Parameter()

    def output(self):
        return luigi.LocalTarget(f"{self.sample}.txt")

    def run(self):
        subprocess.run(f"seq 2000 | gzip -c > {self.sample}.gz", shell=True, check=True)
        subprocess.run(["gzip", "-dkf", f"{self.sample}.gz"], check=True)
        subprocess.run(["cp", self.sample, f"{self.sample}.txt"], check=True)


class Sort(ExternalProgramTask):
    sample = luigi.Parameter()

    def requires(self):
        return Reads(self.sample)

    def output(self):
        return luigi.LocalTarget(f"{self.sample}.sorted")

    def program_args(self):
        return ["sort", "-r", "-o", f"{self.sample}.sorted", f"{self.sample}.txt"]


class Flaky(luigi.Task):
    retry_count = 2

    def output(self):
        return luigi.LocalTarget("flaky.done")

    def run(self):
        subprocess.run(["bash", "-c", "test -e flaky.tried || { touch flaky.tried; exit 3; }; touch flaky.done"], check=True)


class All(luigi.WrapperTask):
    def requires(self):
        return [Sort(sample) for sample in ("liver_1", "liver_2", "kidney_1")] + [Flaky()]
