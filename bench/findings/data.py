# SPDX-License-Identifier: Apache-2.0
"""The small data that the tools work on, and the programs, made once."""
import random
import subprocess

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


def compute(case, seconds):
    """A command of a drawn tool that uses one thread for about that time."""
    programs, data = case.lab.programs, case.lab.data
    out = case.folder / "computed"
    repeats = max(1, round(seconds / 0.52))
    return case.draw.choice((
        f"python3 {programs}/kmers.py {round(seconds * 130)} > {out}",
        f"{JAVA} -Xmx64m -cp {programs} Kmers {round(seconds * 230)} > {out}",
        f"bwa mem -t 1 {data}/reference.fa " + f"<(for i in {' '.join(str(i) for i in range(repeats))}; do cat {data}/reads.fq; done) > {out}",
        f"awk '{{ for (i = 1; i < length($10); i++) n[substr($10, i, 6)]++ }} END {{ print length(n) }}' "
        + " ".join([f"{data}/reads.sam"] * max(1, round(seconds / 0.46))) + f" > {out}",
    ))
