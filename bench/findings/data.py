# SPDX-License-Identifier: Apache-2.0
"""The small data that the tools work on, and the programs, made once."""
import random
import subprocess
import time

GENOME, READS, LENGTH = 300_000, 30_000, 100


def reads(path, genome, draw, count):
    with open(path, "w") as file:
        for number in range(count):
            at = draw.randrange(len(genome) - LENGTH)
            file.write(f"@read_{number}\n{genome[at:at + LENGTH]}\n+\n{'I' * LENGTH}\n")


def make_data(lab):
    lab.data.mkdir()
    draw = random.Random(1)
    genome = "".join(draw.choices("ACGT", k=GENOME))
    lines = "\n".join(genome[at:at + 60] for at in range(0, GENOME, 60))
    (lab.data / "reference.fa").write_text(f">chr1\n{lines}\n")
    reads(lab.data / "reads.fq", genome, draw, READS)
    reads(lab.data / "few.fq", genome, draw, 2_000)
    shell = f"""set -e; cd {lab.data}; bwa index reference.fa; samtools faidx reference.fa
        bwa mem -t 2 reference.fa reads.fq > reads.sam; samtools sort -o reads.bam reads.sam; samtools index reads.bam
        for i in 1 2 3 4; do cat reads.sam; done | grep -v '^@' > lines.txt; gzip -c reads.sam > reads.sam.gz
        head -c 20000 reads.bam > cut.bam; head -c 30000 reads.sam.gz > cut.gz
        head -n 200 reads.sam > broken.sam; echo 'read_x 0 chr1 not-a-number' >> broken.sam"""
    subprocess.run(["bash", "-c", shell], check=True, capture_output=True)


def make_programs(lab, source):
    lab.programs.mkdir()
    for path in source.glob("*.c"):
        subprocess.run(["gcc", "-O2", "-pthread", "-o", lab.programs / path.stem, path], check=True)
    subprocess.run(["javac", "-d", lab.programs, *source.glob("*.java")], check=True)
    for path in source.glob("*.py"):
        (lab.programs / path.name).write_text(path.read_text())


JAVA = "java -Xms16m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

# Work of a tool on one thread, in units; of how many units calibrate() takes the time.
WORK = {
    "kmers": lambda lab, units: f"python3 {lab.programs}/kmers.py {units}",
    "java": lambda lab, units: f"{JAVA} -Xmx64m -cp {lab.programs} Kmers {units}",
    "perl": lambda lab, units: f"perl -e '$i++ while $i < {units}e5'",
    "bwa": lambda lab, units: f"bwa mem -t 1 {lab.data}/reference.fa <(for i in $(seq {units}); do cat {lab.data}/reads.fq; done)",
    "awk": lambda lab, units: "awk '{ for (i = 1; i < length($10); i++) n[substr($10, i, 6)]++ } END { print length(n) }'"
    + f" {lab.data}/reads.sam" * units,
    "awk lines": lambda lab, units: f"awk '{{ for (k = 0; k < {units}; k++) for (i = 1; i < length($10); i++) n[substr($10, i, 4)]++ }} "
    "END { print length(n) }'",
    "perl lines": lambda lab, units: f"perl -ne 'for $k (1..{units}) {{ $n{{substr($_, $_ % 7, 8)}}++ for 1..120 }} END {{ print scalar keys %n }}'",
}
PROBES = {"kmers": (4, 24), "java": (20, 120), "perl": (20, 120), "bwa": (1, 4), "awk": (1, 4), "awk lines": (1, 3), "perl lines": (1, 5)}


def calibrate(lab):
    """How many units of work a second has on this machine, so that cases last as long on any."""
    for name, work in WORK.items():
        took = []
        for units in PROBES[name]:
            began = time.monotonic()
            subprocess.run(["bash", "-c", f"{work(lab, units)} < {lab.data}/reads.sam > /dev/null"], check=True, capture_output=True)
            took.append(time.monotonic() - began)
        less, more = PROBES[name]
        lab.rates[name] = (more - less) / max(took[1] - took[0], 0.01)


def units(lab, name, seconds):
    return max(1, round(seconds * lab.rates[name]))


def work(case, names, seconds):
    """A command of a drawn one of these that uses one thread for about that time."""
    name = case.draw.choice(names)
    return WORK[name](case.lab, units(case.lab, name, seconds))


def compute(case, seconds):
    return f"{work(case, ('kmers', 'java', 'bwa', 'awk'), seconds)} > {case.folder / 'computed'}"
