#include "correlate/engine.h"

#include "correlate/run.h"
#include "correlate/sample.h"
#include "correlate/task.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What Snakemake does was seen with strace in version 7.21 and read in its executors/__init__.py,
 * shell.py and deployment/ (docs/correlation.md).
 */
#define TASK_PREFIX_LIMIT 65536 /* bytes of a shell's program that are searched */
#define FOLDER_LIMIT      64    /* components of a path */
#define RULE_NAMES_SIZE   200

/* Options after which Snakemake tells something and starts no job. */
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
	"-l",
	"--list-target-rules",
	"--lt",
	"--lint",
	"--unlock",
	"--report",
	"--print-compilation",
	"--containerize",
	"--cleanup-metadata",
	"--list-params-changes",
	"--list-input-changes",
	"--list-code-changes",
	"--list-version-changes",
	"--list-untracked",
	"--list-resources",
	"--delete-all-output",
	"--delete-temp-output",
	"--archive",
	"--bash-completion",
	"--list-conda-envs",
	"--conda-create-envs-only",
	"--conda-cleanup-envs",
	"--generate-unit-tests",
	"--export-cwl",
	"--touch",
	"-t",
};

static bool only_tells(const char *arg)
{
	for (size_t i = 0; i < sizeof(telling_options) / sizeof(*telling_options); i++)
		if (strcmp(arg, telling_options[i]) == 0)
			return true;
	/* "-np": -n among other letters that take no value. */
	return arg[0] == '-' && arg[1] != '-' && strchr(arg, 'n') &&
	       strspn(arg + 1, "npqrkF") == strlen(arg + 1);
}

static bool snakemake_begins(const struct sight *sight)
{
	for (size_t i = 0; i < sight->command->count; i++)
		if (only_tells(sight->command->args[i]))
			return false;
	return true;
}

/* The folder a file lies in, as a name: the last component of the path, joined to cwd; of a folder
 * "workflow" (where Snakemake's own layout puts the Snakefile) the one above. */
static void folder_name(const char *cwd, const char *path, char *name, size_t size)
{
	const char *texts[2] = { cwd, path };
	struct {
		const char *text;
		size_t len;
	} stack[FOLDER_LIMIT];
	size_t depth = 0;

	for (size_t i = *path == '/'; i < 2; i++) {
		for (const char *at = texts[i]; *at;) {
			size_t len = strcspn(at, "/");

			if (len == 2 && memcmp(at, "..", 2) == 0)
				depth -= depth > 0;
			else if (len > 1 || (len == 1 && *at != '.'))
				stack[depth < FOLDER_LIMIT ? depth++ : FOLDER_LIMIT - 1] =
					(__typeof__(*stack)){ at, len };
			at += len + (at[len] == '/');
		}
	}
	depth -= depth > 0; /* the file */
	if (depth > 1 && stack[depth - 1].len == 8 &&
	    memcmp(stack[depth - 1].text, "workflow", 8) == 0)
		depth--;
	if (depth > 0)
		name_copy(stack[depth - 1].text, stack[depth - 1].len, name, size);
	else
		snprintf(name, size, "snakemake");
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

static void snakemake_describe(struct run *run, const struct sight *sight)
{
	char name[RECORD_NAME_LIMIT];

	folder_name(sight->image->cwd ? sight->image->cwd : "", snakefile(sight->command), name,
		    sizeof(name));
	run_set_pipeline(run, name, false);
}

/* The program of `SHELL -c PROGRAM`, or NULL. */
static const char *shell_program(const struct sight *sight)
{
	const struct command *command = sight->command;

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

/*
 * Jobs are `SHELL -c` children that a worker thread makes. Where the thread is unknown: they hold
 * what Snakemake writes around a job's command, or are called by the absolute path of the shell a
 * Snakefile chose (shell.executable), other than /bin/sh, which is what Python's own shell=True
 * calls. Where the first image was missed (the agent started later, a record was lost), the image
 * count tells that a shell was there before.
 */
static bool snakemake_is_task(const struct run *run, const struct sight *sight)
{
	const struct tree_image *image = sight->image;
	const char *program = shell_program(sight);

	if (image->parent_tid && image->parent_tid == image->ppid)
		return false;
	if (!program)
		return image->image_seq >= run->image_seq + 2;
	if (image->parent_tid || is_job_program(program))
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

/* A Snakemake started for one job says which. */
static void snakemake_name_task(struct task *task, const struct sight *sight)
{
	const struct command *command = sight->command;
	const char *attempt;
	char rules[RULE_NAMES_SIZE], sample[SAMPLE_SIZE];
	size_t at = 0;

	if (task->named || engine_of(command) != &engine_snakemake ||
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

const struct engine engine_snakemake = {
	.name = "snakemake",
	.program = "snakemake",
	.begins = snakemake_begins,
	.describe = snakemake_describe,
	.is_task = snakemake_is_task,
	.name_task = snakemake_name_task,
};
