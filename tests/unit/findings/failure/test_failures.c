/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "findings/failure/failures.h"
#include "fixture_failure.h"

/*
 * A run and its facts (fixture_failure.h), and what is found, a finding a line: kind, severity,
 * confidence, subject; then what one of the summaries must contain ("|" separates several).
 */
static const struct {
	const char *name, *processes, *facts, *found, *words;
} cases[] = {
	{ "a clean run has none", "a - 0-10 ok shell bash run.sh\nb a 1-2 ok tool samtools sort",
	  "run bash ok a", "", "" },
	{ "an exit code that is documented",
	  "a - 0-10 c2 shell bash run.sh\nb a 1-2 c2 interpreter/qc.py python3 qc.py --bogus",
	  "run bash c2 a", "exit_code critical high run run-1",
	  "`qc.py` ended with exit code 2 after 1.0 s: arguments that were not accepted" },
	{ "a code that nothing is known of",
	  "a - 0-10 c3 shell bash run.sh\nb a 1-2 c3 tool bwa mem", "run bash c3 a",
	  "exit_code critical high run run-1", "`bwa` ended with exit code 3 after 1.0 s." },
	{ "a code that no command had",
	  "a - 0-10 c7 shell bash run.sh\nb a 1-2 c1 helper grep -q x y", "run bash c7 a",
	  "exit_code critical medium run run-1",
	  "No command that it started ended with this code|Before that, `grep -q x y` ended with "
	  "exit code 1." },
	{ "a code that a run within it had", "a - 0-10 c1 shell bash run.sh",
	  "run bash c1 a inner=rnaseq", "exit_code critical medium run run-1",
	  "It had started the run rnaseq, which failed with the same code" },
	{ "the same where records were lost", "a - 0-10 c7 shell bash run.sh",
	  "run bash c7 a lost=12", "unknown_failure critical low run run-1",
	  "the records do not show why|12 records were lost" },
	{ "the root is not in the records", "b - 1-2 ok tool bwa mem", "run bash c7 -",
	  "unknown_failure critical low run run-1", "The run ended with exit code 7" },
	{ "a task of an engine",
	  "a - 0-10 c1 interpreter snakemake\nb a 1-3 c5 task=1 shell bash -c x\n"
	  "c b 1-2 c5 task=1 tool bwa mem",
	  "run snakemake c1 a\ntask align_(A) c5 b 1-3 step=align sample=A attempt=1",
	  "exit_code critical high task align (A)", "`bwa` (task align (A)) ended" },
	{ "the kernel killed it at its limit",
	  "a - 0-10 c1 tool nextflow\nb a 1-9 c137 task=1 shell bash .command.run\n"
	  "c b 2-8 s9 task=1 tool salmon quant",
	  "run nextflow c1 a\ntask QUANT_(A) c137 b 1-9 step=QUANT sample=A attempt=2\n"
	  "rss c 3990\noom_kill c 8 path=/docker/x limit=4096 used=4096 sender=salmon pid=102",
	  "out_of_memory critical high task QUANT (A)",
	  "`salmon` (task QUANT (A), attempt 2) was killed by the kernel after 6.0 s: its control "
	  "group /docker/x reached its memory limit of 4.0 GiB.|peak was 3.9 GiB, and it was asking "
	  "for more" },
	{ "memory in which its task held little", "a - 0-10 s9 task=1 tool bwa mem",
	  "run slurm c1 -\ntask align s9 a 0-10\nrss a 100\n"
	  "oom_kill a 10 path=/slurm/job_1 limit=4096 used=4096 sender=python3 pid=900",
	  "out_of_memory critical high task align",
	  "All processes of its task held at most 100 MiB|`python3` (pid 900)" },
	{ "the host had none left", "a - 0-10 s9 task=1 tool bwa mem",
	  "run slurm c1 -\ntask align s9 a 0-10\nrss a 100\noom_kill a 10 memory=8192",
	  "out_of_memory critical high task align", "the host had no memory left of its 8.0 GiB" },
	{ "its shell says 137, and one of unknown parents was killed",
	  "a - 0-10 c137 task=1 shell bash x.sh\nb - 1-9 s9 task=1 tool bwa mem",
	  "run slurm c1 -\ntask align c137 a 0-10\noom_kill b 9 path=/x limit=100",
	  "out_of_memory critical medium task align", "`bwa` (task align) was killed" },
	{ "a worker of it was killed",
	  "a - 0-10 c1 task=1 interpreter/fit.py python3 fit.py\nb a 1-9 s9 task=1 "
	  "interpreter/fit.py python3 fit.py",
	  "run slurm c1 -\ntask fit c1 a 0-10\noom_kill b 9 path=/x limit=100",
	  "out_of_memory critical medium task fit", "was killed by the kernel" },
	{ "a crash", "a - 0-10 c139 shell bash run.sh\nb a 1-9 s11 tool bcftools mpileup",
	  "run bash c139 a\nkilled b 9 code=11 detail=SIGSEGV_by_the_kernel,_core_dumped "
	  "sender=kernel",
	  "crash critical high run run-1",
	  "`bcftools` crashed after 8.0 s with SIGSEGV|core dump" },
	{ "a crash of which only a shell's code is known", "a - 0-10 c139 shell bash run.sh",
	  "run bash c139 a", "crash critical medium run run-1",
	  "a command was ended by SIGSEGV. Which one is not in the records" },
	{ "a fault's signal from another process is none",
	  "a - 0-10 c139 shell bash run.sh\nb a 1-9 s11 tool bcftools mpileup",
	  "run bash c139 a\nkilled b 9 code=11 detail=SIGSEGV_by_a_process sender=kill pid=900 "
	  "uid=1000",
	  "killed critical high run run-1", "sent by the user maria with `kill` (pid 900)" },
	{ "killed by root", "a - 1-11 s9 tool bwa mem",
	  "run command s9 a\nkilled a 11 code=9 detail=SIGKILL_by_a_process sender=bash pid=900",
	  "killed critical high run run-1", "ended by SIGKILL after 10.0 s, sent by root with" },
	{ "killed at the terminal", "a - 0-10 s2 tool bwa mem",
	  "run command s2 a\nkilled a 10 code=2 detail=SIGINT_by_the_kernel sender=kernel",
	  "killed critical high run run-1", "sent by the terminal (Ctrl-C)" },
	{ "a JVM answers a signal by its exit code",
	  "a - 0-10 c130 shell bash run.sh\nb a 1-9 c130 tool java -jar picard.jar",
	  "run bash c130 a\nanswered b 9 code=130 detail=SIGINT_by_a_process sender=kill pid=900 uid=1000",
	  "killed critical high run run-1",
	  "ended by SIGINT after 8.0 s, sent by the user maria with `kill`" },
	{ "a JVM's own exit code",
	  "a - 0-10 c130 shell bash run.sh\nb a 1-9 c130 tool java -jar picard.jar",
	  "run bash c130 a", "exit_code critical high run run-1", "exit code 130" },
	{ "killed by a sender that was not seen", "a - 0-10 s9 tool bwa mem", "run command s9 a",
	  "killed critical high run run-1", "Who sent it was not seen" },
	{ "a scheduler ended it", "a - 0-10 s9 task=1 tool bwa mem",
	  "run slurm c1 -\ntask align s9 a 0-10\nkilled a 10 code=9 detail=SIGKILL_by_a_process "
	  "sender=slurmstepd pid=900",
	  "killed critical high task align", "Slurm (its time or memory limit, or `scancel`)" },
	{ "timeout",
	  "a - 0-10 c124 shell bash run.sh\nb a 1-3 c124 launcher timeout 2s bwa mem\n"
	  "c b 1-3 s15 tool bwa mem",
	  "run bash c124 a\nkilled c 3 code=15 detail=SIGTERM_by_a_process sender=timeout pid=101",
	  "time_limit critical high run run-1",
	  "`bwa` was ended by `timeout` after 2.0 s: it had not ended within its time limit of 2.0 s" },
	{ "its engine ended it because another task failed",
	  "a - 0-10 c1 tool nextflow\nb a 1-4 c3 task=1 tool bwa mem\nc a 1-5 s15 task=2 tool "
	  "samtools sort",
	  "run nextflow c1 a\ntask ALIGN c3 b 1-4\ntask SORT s15 c 1-5\nkilled c 5 code=15 "
	  "detail=SIGTERM_by_a_process sender=nextflow pid=100",
	  "exit_code critical high task ALIGN\nstopped_by_engine critical high task SORT",
	  "nextflow ended it because the task ALIGN had failed before" },
	{ "a person ended it after another task had failed",
	  "a - 0-10 c1 tool nextflow\nb a 1-4 c3 task=1 tool bwa mem\nc a 1-5 s15 task=2 tool "
	  "samtools sort",
	  "run nextflow c1 a\ntask ALIGN c3 b 1-4\ntask SORT s15 c 1-5\nkilled c 5 code=15 "
	  "detail=SIGTERM_by_a_process sender=kill pid=900",
	  "exit_code critical high task ALIGN\nkilled critical high task SORT", "by root with" },
	{ "a script of which a task failed",
	  "a - 0-10 c1 shell bash run.sh\nb a 1-2 c1 task=1 tool samtools sort x",
	  "run bash c1 a\ntask sort c1 b 1-2", "exit_code critical high task sort", "" },
	{ "its engine asked it to end, and no other had failed",
	  "a - 0-10 c1 tool nextflow\nb a 1-5 c143 task=1 shell/.command.run bash .command.run\n"
	  "c b 2-5 s15 task=1 tool bwa mem",
	  "run nextflow c1 a\ntask SLOW c143 b 1-5\nkilled c 4.9 code=15 "
	  "detail=SIGTERM_by_a_process sender=.command.run pid=101",
	  "time_limit critical low task SLOW", "`bwa` (task SLOW) was asked to end after 3.0 s" },
	{ "its engine ended it, and no other had failed",
	  "a - 0-10 c1 tool nextflow\nb a 1-5 c143 task=1 shell/.command.run bash .command.run\n"
	  "c b 2-5 ok task=1 tool bwa mem",
	  "run nextflow c1 a\ntask SLOW c143 b 1-5\nanswered b 4.9 code=143 "
	  "detail=SIGTERM_by_a_process sender=nextflow pid=100",
	  "time_limit critical low task SLOW", "was ended by nextflow after 4.0 s" },
	{ "its engine was interrupted",
	  "a - 0-10 c143 tool nextflow\nb a 1-5 c143 task=1 shell/.command.run bash .command.run\n"
	  "c b 2-5 ok task=1 tool bwa mem",
	  "run nextflow c143 a\ntask SLOW c143 b 1-5\nanswered b 4.9 code=143 "
	  "detail=SIGTERM_by_a_process sender=nextflow pid=100",
	  "killed critical medium task SLOW", "" },
	{ "its engine ended it, as it answered, because another had failed",
	  "a - 0-10 c1 tool nextflow\nb a 1-5 c143 task=1 shell/.command.run bash .command.run\n"
	  "c b 2-5 ok task=1 tool bwa mem\nd a 1-4 c3 task=2 tool gzip x",
	  "run nextflow c1 a\ntask LONG c143 b 1-5\ntask BAD c3 d 1-4\nanswered b 4.9 code=143 "
	  "detail=SIGTERM_by_a_process sender=nextflow pid=100",
	  "exit_code critical high task BAD\nstopped_by_engine critical medium task LONG",
	  "was ended by SIGTERM after 4.0 s: nextflow ended it because the task BAD" },
	{ "its engine asked it to end because another had failed",
	  "a - 0-10 c1 tool nextflow\nb a 1-5 c143 task=1 shell/.command.run bash .command.run\n"
	  "c b 2-5 s15 task=1 tool bwa mem\nd a 1-4 c3 task=2 tool gzip x",
	  "run nextflow c1 a\ntask LONG c143 b 1-5\ntask BAD c3 d 1-4\nkilled c 4.9 code=15 "
	  "detail=SIGTERM_by_a_process sender=.command.run pid=101",
	  "exit_code critical high task BAD\nstopped_by_engine critical medium task LONG",
	  "nextflow ended it because the task BAD had failed before" },
	{ "no space left", "a - 0-10 c1 shell bash run.sh\nb a 1-3 c1 tool samtools sort",
	  "run bash c1 a\ndisk_full b 2.9 code=28 path=/scratch/x.bam",
	  "disk_full critical high run run-1",
	  "`samtools` found no space left on the disk when it wrote /scratch/x.bam" },
	{ "the quota", "a - 0-10 c1 shell bash run.sh\nb a 1-3 c1 tool samtools sort",
	  "run bash c1 a\ndisk_full b 2.9 code=122 path=/home/x.bam",
	  "disk_full critical high run run-1", "had used up the disk quota" },
	{ "a failing disk", "a - 0-10 c1 shell bash run.sh\nb a 1-3 c1 tool samtools sort",
	  "run bash c1 a\nio_error b 2.9 code=5 path=/data/x.bam",
	  "io_error critical high run run-1", "input/output error at /data/x.bam" },
	{ "a file of its command line is missing",
	  "a - 0-10 c1 shell bash run.sh\nb a 1-3 c1 tool samtools view none.bam",
	  "run bash c1 a\nopen b 1.1 2 /data/locale.alias\nopen b 2.9 2 /data/none.bam\n"
	  "open b 2.95 2 /usr/lib/locale/C.mo",
	  "file_missing critical high run run-1",
	  "`samtools` could not open /data/none.bam (No such file or directory), and ended with exit "
	  "code 1" },
	{ "a file that it is not known to have wanted",
	  "a - 0-10 c1 shell bash run.sh\nb a 1-3 c1 interpreter/x.py python3 x.py",
	  "run bash c1 a\nopen b 2.9 2 /data/counts.tsv", "file_missing critical medium run run-1",
	  "That was the last file that it failed to open" },
	{ "one that it did without for long",
	  "a - 0-10 c1 shell bash run.sh\nb a 1-9 c1 interpreter/x.py python3 x.py",
	  "run bash c1 a\nopen b 2.9 2 /data/counts.tsv", "exit_code critical high run run-1", "" },
	{ "no permission", "a - 0-10 c1 shell bash run.sh\nb a 1-3 c1 tool samtools view x.bam",
	  "run bash c1 a\nopen b 2.9 13 /data/x.bam", "permission_denied critical high run run-1",
	  "could not open /data/x.bam (Permission denied)" },
	{ "a path that was not recorded: it was looked for as a matter of course",
	  "a - 0-10 c2 shell bash run.sh\nb a 1-3 c2 tool sort none.sam",
	  "run bash c2 a\nopen b 2.999 2 -", "exit_code critical high run run-1",
	  "ended with exit code 2 after 2.0 s: an error while it sorted." },
	{ "a command is not there",
	  "a - 0-10 c127 shell bash run.sh\nb a 1-2 c127 launcher env salmonn x",
	  "run bash c127 a\nexec_failed b 2 code=2 path=/usr/bin/salmonn",
	  "command_not_found critical high run run-1", "the command `salmonn` was not found" },
	{ "a command that cannot be run",
	  "a - 0-10 c126 shell bash run.sh\nb a 1-2 c126 shell bash run.sh",
	  "run bash c126 a\nexec_failed b 2 code=13 path=/data/run.pl",
	  "command_not_found critical high run run-1", "`run.pl` could not be run: Permission" },
	{ "a command with a name in the shell's own argument",
	  "a - 0-10 c127 task=1 shell bash -c "
	  "set_-euo_pipefail;_salmonn_--x",
	  "run snakemake c1 -\ntask quant c127 a 0-10",
	  "command_not_found critical medium task quant", "the command `salmonn` was not found" },
	{ "one of several commands", "a - 0-10 c127 shell bash -c x;_y", "run command c127 a",
	  "command_not_found critical medium run run-1", "Its name is not in the records" },
	{ "a name that is not resolved",
	  "a - 0-10 c6 shell bash run.sh\nb a 1-2 c6 helper curl -O https://u:p@no.example:80/x",
	  "run bash c6 a", "name_not_resolved critical high run run-1",
	  "could not find the address of the host no.example:80" },
	{ "refused", "a - 0-10 c7 shell bash run.sh\nb a 1-2 c7 helper curl http://db.example/x",
	  "run bash c7 a\nconnect_failed b 1.9 code=111 path=10.0.0.7:80",
	  "connection_failed critical high run run-1",
	  "`curl` got no connection to 10.0.0.7:80 (Connection refused), and ended with exit code 7" },
	{ "an attempt to connect before a program gave up",
	  "a - 0-10 c1 shell bash run.sh\nb a 1-2 c1 interpreter/get.py python3 get.py",
	  "run bash c1 a\nconnect_failed b 1.9 code=110 path=10.0.0.7:443",
	  "connection_failed critical medium run run-1", "(Connection timed out)" },
	{ "a name server that is not there",
	  "a - 0-10 c1 shell bash run.sh\nb a 1-2 c1 interpreter/get.py python3 get.py",
	  "run bash c1 a\nconnect_failed b 1.9 code=111 path=127.0.0.53:53/udp",
	  "name_not_resolved critical medium run run-1",
	  "The name server 127.0.0.53:53/udp could not be reached" },
	{ "no answer", "a - 0-10 c1 shell bash run.sh\nb a 1-8 c28 helper curl http://db.example/x",
	  "run bash c28 a\nconnect_failed b 7.9 path=10.0.0.7:80 detail=no_answer_in_5.0_s",
	  "connection_failed critical medium run run-1", "to 10.0.0.7:80 (no answer in 5.0 s)" },
	{ "the reader of a pipe ended first",
	  "a - 0-10 c141 shell bash -e run.sh\nb a 1-9 s13 out=1 tool bwa mem\n"
	  "c a 1-8 ok in=1 helper head -1",
	  "run bash c141 a", "broken_pipe critical high run run-1",
	  "`head`, which read its output, had ended before and had succeeded" },
	{ "all succeeded but the engine",
	  "a - 0-10 c1 tool nextflow\nb a 1-9 ok task=1 tool bwa mem",
	  "run nextflow c1 a tasks=3 last=ALIGN_(A)@9", "output_missing critical low run run-1",
	  "although all of its tasks succeeded. The last one was ALIGN (A)" },
	{ "a tool failed and nothing noticed",
	  "a - 0-10 ok shell bash run.sh\nb a 1-2 c1 task=1 tool samtools sort x\nc a 3-4 s11 tool "
	  "bwa mem\nd a 5-6 ok tool samtools index",
	  "run bash ok a\ntask sort c1 b 1-2\nkilled c 4 code=11 detail=SIGSEGV_by_the_kernel "
	  "sender=kernel",
	  "masked_failure warning high run run-1",
	  "2 tools failed and nothing noticed it; the run succeeded|`bwa` crashed" },
	{ "an OOM kill in a pipe that succeeded",
	  "a - 0-10 ok shell bash run.sh\nb a 1-9 s9 out=1 task=1 tool sort x\nc a 1-9 ok in=1 "
	  "task=1 helper cat",
	  "run tracer_run ok a\ntask sort ok b 1-9\noom_kill b 9 path=/x limit=48",
	  "masked_failure warning high run run-1",
	  "1 tool failed|`sort` was killed by the kernel after 8.0 s: its control group /x" },
	{ "tried again with success",
	  "a - 0-10 ok tool nextflow\nb a 1-9 s9 task=1 tool salmon quant",
	  "run nextflow ok a\ntask QUANT s9 b 1-9 attempt=1 later=ok peak=6000\noom_kill b 9 path=/x "
	  "limit=4096",
	  "retried info high task QUANT",
	  "A later attempt succeeded.|A task of this step that succeeded used at most 5.9 GiB" },
	{ "tried again without success",
	  "a - 0-10 c1 tool nextflow\nb a 1-9 c2 task=1 tool bwa mem\nc a 9-10 c2 task=2 tool bwa mem",
	  "run nextflow c1 a\ntask A c2 b 1-9 step=S attempt=1 later=c1\ntask A c2 c 9-10 step=S "
	  "attempt=2",
	  "exit_code critical high step S", "1 later attempt did not succeed either" },
	{ "the same of many is one",
	  "a - 0-10 c1 tool nextflow\nb a 1-9 c2 task=1 tool bwa mem\nc a 1-9 c2 task=2 tool bwa mem\n"
	  "d a 1-9 c3 task=3 tool bwa mem",
	  "run nextflow c1 a\ntask A c2 b 1-8 step=S\ntask B c2 c 1-9 step=S\ntask C c3 d 1-9 step=S",
	  "exit_code critical high step S\nexit_code critical high task C",
	  "1 more task failed the same way: B." },
	{ "a script that the engine wrote, of a task with a name",
	  "a - 0-10 c1 tool nextflow\nb a 1-9 c7 task=1 shell .command.sh",
	  "run nextflow c1 a\ntask CHECK c7 b 1-9", "exit_code critical medium task CHECK",
	  "task `CHECK` ended with exit code 7" },
	{ "two causes, the earlier first",
	  "a - 0-10 c1 tool nextflow\nb a 1-9 c1 task=1 shell bash x.sh\nc b 1-3 s9 task=1 tool sort "
	  "x\nd b 4-8 c1 task=1 tool bwa mem",
	  "run nextflow c1 a\ntask A c1 b 1-9\noom_kill c 3 path=/x limit=48\ndisk_full d 7 code=28 "
	  "path=/d",
	  "out_of_memory critical high task A",
	  "`sort` (task A) was killed by the kernel|Later, `bwa` (task A) found no space left" },
	{ "a host that went away", "a - 0-? lost task=1 tool bwa mem",
	  "run nextflow run -\ntask ALIGN lost a 0-? gone cloud=m5.large",
	  "spot_interruption critical medium task ALIGN", "an instance in a cloud (m5.large)" },
	{ "a host that its cloud took away", "a - 0-? lost task=1 tool bwa mem",
	  "run nextflow run -\ntask ALIGN lost a 0-? gone cloud=m5.large notice=preempted",
	  "spot_interruption critical high task ALIGN",
	  "the cloud had said that it takes the host away (preempted)" },
	{ "a run that was killed, with its tasks",
	  "a - 0-10 s15 tool nextflow\nb a 1-9 s15 task=1 tool bwa mem",
	  "run nextflow s15 a\ntask ALIGN s15 b 1-9\nkilled b 9 code=15 "
	  "detail=SIGTERM_by_a_process sender=pkill pid=900 uid=1000\nkilled a 10 code=15 "
	  "detail=SIGTERM_by_a_process sender=pkill pid=900 uid=1000",
	  "killed critical high task ALIGN", "the user maria with `pkill`" },
};

/* Each of "one|other" is in a summary or headline of the findings. */
static void expect_words(const struct findings *findings, const char *words)
{
	CLEANUP(freep) char *copy = strdup(words);
	char *rest;

	for (char *part = strtok_r(copy, "|", &rest); part; part = strtok_r(NULL, "|", &rest)) {
		bool found = false;

		for (size_t i = 0; i < findings->count; i++)
			found = found || strstr(findings->items[i].summary, part) ||
				strstr(findings->items[i].headline, part);
		if (!found)
			fail_msg("not said: %s\n%s", part,
				 findings->count ? findings->items[0].summary : "(nothing)");
	}
}

/* What every finding must have. */
static void expect_sound(const struct finding *finding)
{
	json_t *evidence = json_loads(finding->evidence, 0, NULL);

	assert_non_null(evidence);
	assert_string_equal(json_string_value(json_object_get(evidence, "run_id")), "run-id");
	json_decref(evidence);
	assert_true(finding->headline && *finding->headline);
	assert_true(*finding->advice);
	assert_true(finding->saves_s < 0 && finding->saves_usd < 0);
}

static void write_found(const struct findings *findings, char *out, size_t size)
{
	size_t len = 0;

	*out = '\0';
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->items[i];

		expect_sound(finding);
		len += (size_t)snprintf(out + len, size - len, "%s%s %s %s %s", i > 0 ? "\n" : "",
					finding->kind, finding_severity_name(finding->severity),
					finding_confidence_name(finding->confidence),
					finding->subject);
		assert_true(len < size);
	}
}

static void each_failure_has_its_cause(void **state)
{
	static struct failure_scene scene;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CLEANUP(findings_clear) struct findings findings = { 0 };
		char found[4096];

		print_message("%s\n", cases[i].name);
		failure_scene_read(&scene, cases[i].processes, cases[i].facts);
		assert_int_equal(failures_find(&(struct finding_input){ .failure = &scene.facts },
					       &findings),
				 0);
		write_found(&findings, found, sizeof(found));
		assert_string_equal(found, cases[i].found);
		expect_words(&findings, cases[i].words);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(each_failure_has_its_cause) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
