/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/engines/engine.h"

#include "correlate/command/folder.h"
#include "correlate/model/run.h"
#include "correlate/label/sample.h"
#include "correlate/model/task.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What Snakemake does was seen with strace in versions 7.21 and 9.27 and read in their executors/,
 * shell.py and deployment/ (docs/engines/snakemake.md).
 */
#define RULE_NAMES_SIZE  200
#define METADATA_FOLDER  ".snakemake/metadata"
#define RECORD_PART      254  /* NAME_MAX of Linux's file systems, less one */
#define RECORD_CODE_SIZE 4096 /* bytes of a path in base64url */

/* Options with which Snakemake prints something and starts no job. */
static const char *const telling_options[] = {
	"--version",
	"-v",
	"--help",
	"-h",
	"--dry-run",
	"--dryrun",
	"--dag",
	"--rulegraph",
	"--filegraph",
	"--d3dag",
	"--summary",
	"-S",
	"--detailed-summary",
	"-D",
	"--list",
	"--list-rules",
	"-l",
	"--list-target-rules",
	"--lt",
	"--lint",
	"--unlock",
	"--print-compilation",
	"--containerize",
	"--cleanup-metadata",
	"--list-changes",
	"--list-params-changes",
	"--lp",
	"--list-input-changes",
	"--li",
	"--list-code-changes",
	"--lc",
	"--list-version-changes",
	"--lv",
	"--list-untracked",
	"--lu",
	"--list-resources",
	"--delete-all-output",
	"--delete-temp-output",
	"--archive",
	"--bash-completion",
	"--list-conda-envs",
	"--conda-create-envs-only",
	"--conda-cleanup-envs",
	"--container-cleanup-images",
	"--generate-unit-tests",
	"--export-cwl",
	"--touch",
	"-t",
};

/* The option alone, or with its value. */
static bool is_option(const char *arg, const char *option)
{
	size_t len = strlen(option);

	return strncmp(arg, option, len) == 0 && (arg[len] == '\0' || arg[len] == '=');
}

static bool only_tells(const char *arg)
{
	for (size_t i = 0; i < sizeof(telling_options) / sizeof(*telling_options); i++)
		if (is_option(arg, telling_options[i]))
			return true;
	/* "-np": -n among other letters that take no value. */
	return arg[0] == '-' && arg[1] != '-' && strchr(arg, 'n') &&
	       strspn(arg + 1, "npqrkF") == strlen(arg + 1);
}

/* A report is made of what ran before, unless version 9 is to run first. */
static bool snakemake_begins(const struct exec_view *exec)
{
	const struct command *command = exec->command;
	bool reports = false, runs_first = false;

	for (size_t i = 0; i < command->count; i++) {
		if (only_tells(command->args[i]))
			return false;
		reports |= is_option(command->args[i], "--report");
		runs_first |= is_option(command->args[i], "--report-after-run");
	}
	return !reports || runs_first;
}

/* "-s FILE", "-sFILE", "--snakefile FILE", and what argparse takes for it. */
static const char *snakefile(const struct command *command)
{
	const char *found = command_option(command->args, command->count, "--snakefile", NULL);

	if (!found)
		found = command_option(command->args, command->count, "-s", NULL);
	for (size_t i = 0; !found && i < command->count; i++)
		if (strncmp(command->args[i], "-s", 2) == 0 && command->args[i][2])
			found = command->args[i] + 2;
	return found ? found : "Snakefile";
}

static void snakemake_describe(struct run *run, const struct exec_view *exec)
{
	char name[RECORD_NAME_LIMIT];

	folder_name(exec->image->cwd ? exec->image->cwd : "", snakefile(exec->command), "snakemake",
		    name, sizeof(name));
	run_set_pipeline(run, name, false);
}

static bool snakemake_share(const struct exec_view *exec, char *ret_folder, size_t size,
			    bool *ret_part)
{
	const struct command *command = exec->command;
	const char *folder = command_option(command->args, command->count, "--directory", NULL);

	if (!folder)
		folder = command_option(command->args, command->count, "-d", NULL);
	*ret_part = command_option(command->args, command->count, "--target-jobs", NULL);
	return folder_join(exec->image->cwd ? exec->image->cwd : "", folder ? folder : "",
			   ret_folder, size);
}

/* A job that it gave to a scheduler is a Snakemake in the same folder, with targets on its command
 * line.
 */
static bool snakemake_handed(const struct run *run, const struct exec_view *exec)
{
	char folder[RECORD_COMMAND_LIMIT];
	bool part;

	return engine_of(exec->command) == run->engine && run->folder && !run->part &&
	       snakemake_share(exec, folder, sizeof(folder), &part) && part &&
	       strcmp(folder, run->folder) == 0;
}

/* "snakejob.sort.12.sh": the rule. */
static void snakemake_name_queued(struct task *task, const char *script)
{
	static const char before[] = "snakejob.";
	const char *rule = script + sizeof(before) - 1, *end;
	char step[RECORD_NAME_LIMIT];

	if (!text_starts_with(script, before))
		return;
	end = strchr(rule, '.');
	if (end && end > rule)
		record_set(&task->record.step,
			   name_copy(rule, (size_t)(end - rule), step, sizeof(step)),
			   RECORD_NAME_LIMIT);
}

/* The program of `SHELL -c PROGRAM`, or NULL. */
static const char *shell_program(const struct exec_view *exec)
{
	const struct command *command = exec->command;

	if (!command->rule || command->rule->kind != RULE_SHELL || command->count < 2 ||
	    strcmp(command->args[0], "-c") != 0)
		return NULL;
	return command->args[1];
}

/* Snakemake's helpers that go through the same shell as jobs do (deployment/conda.py,
 * deployment/singularity.py). */
static bool is_helper(const char *program)
{
	static const char *const helpers[] = {
		"conda ", "mamba ", "micromamba ", "singularity --version", "apptainer --version",
		"git "
	};

	program += strspn(program, " ");
	for (size_t i = 0; i < sizeof(helpers) / sizeof(*helpers); i++)
		if (text_starts_with(program, helpers[i]))
			return true;
	return false;
}

static bool is_job_program(const char *program)
{
	return strstr(program, "set -euo pipefail;") || strstr(program, ".snakemake/shell_tmp.") ||
	       (strstr(program, " -m snakemake ") && strstr(program, " --target-jobs "));
}

/* It hands a job to a scheduler (of --cluster, with the script that it wrote for that), or asks
 * the scheduler about one, or ends one. */
static bool is_handing_over(const char *program)
{
	static const char *const clients[] = { "sbatch",   "squeue", "sacct", "scancel", "sinfo",
					       "scontrol", "qsub",   "qstat", "qdel",    "qacct",
					       "bsub",     "bjobs",  "bkill" };
	char word[RECORD_NAME_LIMIT];

	if (strstr(program, "/.snakemake/tmp."))
		return true;
	program += strspn(program, " ");
	(void)snprintf(word, sizeof(word), "%.*s", (int)strcspn(program, " "), program);
	for (size_t i = 0; i < sizeof(clients) / sizeof(*clients); i++)
		if (strcmp(text_basename(word), clients[i]) == 0)
			return true;
	return false;
}

/*
 * Jobs are `SHELL -c` children that a worker thread makes. Where the thread is unknown: they hold
 * what Snakemake writes around a job's command, or are called by the absolute path of the shell a
 * Snakefile chose (shell.executable), other than /bin/sh, which is what Python's own shell=True
 * calls. Where the first image was missed (the agent started later, a record was lost), the image
 * count shows that a shell was there before.
 */
static bool snakemake_is_task(const struct run *run, const struct exec_view *exec)
{
	const struct tree_image *image = exec->image;
	const char *program = shell_program(exec);

	if (image->parent_tid && image->parent_tid == image->ppid)
		return false;
	if (!program)
		return image->image_seq >= run->image_seq + 2;
	if (is_job_program(program))
		return true;
	if (is_handing_over(program))
		return false;
	if (image->parent_tid)
		return true;
	return image->argc > 0 && image->argv[0][0] == '/' &&
	       strcmp(image->argv[0], "/bin/sh") != 0 && !is_helper(program);
}

/* "--target-jobs RULE:WILDCARDS …": the rules' names, and the first's wildcards. */
static void read_targets(const struct command *command, size_t at, char rules[RULE_NAMES_SIZE],
			 char sample[SAMPLE_SIZE])
{
	size_t used = 0;

	rules[0] = sample[0] = '\0';
	for (size_t i = at; i < command->count && command->args[i][0] != '-'; i++) {
		const char *target = command->args[i];
		size_t len = strcspn(target, ":");

		if (used + len + 3 > RULE_NAMES_SIZE)
			break;
		if (used == 0 && target[len])
			sample_of_wildcards(target + len + 1, sample);
		used += (size_t)snprintf(rules + used, RULE_NAMES_SIZE - used, "%s%.*s",
					 used ? ", " : "", (int)len, target);
	}
}

static bool is_snakemake(const struct command *command)
{
	const struct engine *engine = engine_of(command);

	return engine && strcmp(engine->name, "snakemake") == 0;
}

/* A Snakemake started for one job says which. */
static void snakemake_name_task(struct task *task, const struct exec_view *exec)
{
	const struct command *command = exec->command;
	const char *attempt;
	char rules[RULE_NAMES_SIZE], sample[SAMPLE_SIZE];
	size_t at = 0;

	if (task->named || !is_snakemake(command) ||
	    !command_option(command->args, command->count, "--target-jobs", &at))
		return;
	read_targets(command, at - 1, rules, sample);
	if (!*rules)
		return;
	task_set_name(task, rules, sample);
	attempt = command_option(command->args, command->count, "--attempt", NULL);
	if (attempt)
		task->record.attempt = (uint32_t)strtoul(attempt, NULL, 10);
}

/* Bytes in base64url: what Python's urlsafe_b64encode writes. false: they do not fit. */
static bool encode(const char *key, char *ret, size_t size)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				     "0123456789-_";
	const unsigned char *bytes = (const unsigned char *)key;
	size_t len = strlen(key), used = 0;

	if ((len + 2) / 3 * 4 + 1 > size)
		return false;
	for (size_t i = 0; i < len; i += 3) {
		size_t left = len - i;
		uint32_t three = (uint32_t)bytes[i] << 16 |
				 (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
				 (left > 2 ? bytes[i + 2] : 0);

		ret[used++] = digits[three >> 18];
		ret[used++] = digits[three >> 12 & 63];
		ret[used++] = left > 1 ? digits[three >> 6 & 63] : '=';
		ret[used++] = left > 2 ? digits[three & 63] : '=';
	}
	ret[used] = '\0';
	return true;
}

/*
 * Snakemake's persistence (7.21 persistence.py, 9.27 persistence/file.py: _record_path): the file's
 * path as the rule has it, in base64url; what is longer than a file's name may be, less one byte,
 * is parted into folders, each with an '@' before it.
 */
static bool snakemake_output_record(const char *key, char *ret, size_t size)
{
	char code[RECORD_CODE_SIZE];
	const char *at = code;
	size_t used = (size_t)snprintf(ret, size, "%s", METADATA_FOLDER);

	if (!encode(key, code, sizeof(code)) || used >= size)
		return false;
	for (; strlen(at) > RECORD_PART; at += RECORD_PART) {
		used += (size_t)snprintf(ret + used, size - used, "/@%.*s", RECORD_PART, at);
		if (used >= size)
			return false;
	}
	used += (size_t)snprintf(ret + used, size - used, "/%s", at);
	return used < size;
}

const struct engine engine_snakemake = {
	.name = "snakemake",
	.program = "snakemake",
	.begins = snakemake_begins,
	.describe = snakemake_describe,
	.is_task = snakemake_is_task,
	.share = snakemake_share,
	.name_task = snakemake_name_task,
	.handed = snakemake_handed,
	.name_queued = snakemake_name_queued,
	.output_record = snakemake_output_record,
};
