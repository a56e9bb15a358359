/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/failure/process_role.h"

#include <string.h>

#include "tune/failure/shell_option.h"

#define NAME_MAX_BYTES 127
/* Arguments that are looked at. */
#define ARGUMENTS_MAX 256

struct program {
	const char *names; /* separated by blanks */
	struct program_role is;
};

static const struct program programs[] = {
	{ "grep egrep fgrep rgrep zgrep cmp diff test [ expr which pgrep pidof false true pkill "
	  "killall kill",
	  { ROLE_TEST, 0, 1 } },
	{ "ping ping6 getent nc", { ROLE_TEST, 0, 2 } },
	{ "mountpoint systemctl", { ROLE_TEST, 0, 32 } },
	/* They do a pipeline's work though the rules call them helpers. */
	{ "gzip bzip2 xz zstd pigz bgzip tar sort dd split curl wget rsync scp cp mv install awk "
	  "gawk mawk nawk sed jq cut paste join comm uniq tr nl fold tac shuf zcat bzcat xzcat",
	  { ROLE_TOOL, 0, 0 } },
	{ "nvidia-smi jspawnhelper git ldconfig", { ROLE_HELPER, 0, 0 } },
	{ "bash rbash sh dash ash ksh mksh zsh csh tcsh fish", { ROLE_SHELL, 0, 0 } },
	{ "timeout", { ROLE_WRAPPER, PROGRAM_LIMITS, 0 } },
	{ "env nice ionice nohup setsid stdbuf time taskset numactl chrt chroot unshare flock sudo "
	  "su runuser setpriv tini dumb-init script strace ltrace catchsegv unbuffer xvfb-run "
	  "conda mamba micromamba pixi poetry uv pyenv pyenv-exec rbenv slurmstepd "
	  "slurm_script argoexec tracer",
	  { ROLE_WRAPPER, 0, 0 } },
	{ "srun mpirun mpiexec orterun docker podman nerdctl singularity apptainer runc crun "
	  "kubectl ssh",
	  { ROLE_WRAPPER, PROGRAM_APART, 0 } },
	{ "make gmake gnumake snakemake nextflow cromwell miniwdl cwltool cwl-runner "
	  "toil-cwl-runner toil-wdl-runner toil _toil_worker luigi dvc nextstrain planemo ninja",
	  { ROLE_ENGINE, PROGRAM_COMMANDS, 0 } },
	{ "xargs parallel", { ROLE_ENGINE, PROGRAM_COMMANDS | PROGRAM_GOES_ON, 0 } },
	{ "python Rscript R perl ruby julia node nodejs java octave lua luajit tclsh php mono dotnet "
	  "pypy",
	  { ROLE_TOOL, PROGRAM_INTERPRETER, 0 } },
};

/* The kinds of the rules (docs/rules.md), for programs of no name above. */
static const struct program kinds[] = {
	{ "shell", { ROLE_SHELL, 0, 0 } },
	{ "launcher", { ROLE_WRAPPER, 0, 0 } },
	{ "helper", { ROLE_HELPER, 0, 0 } },
	{ "interpreter", { ROLE_TOOL, PROGRAM_INTERPRETER, 0 } },
};

/* Options by which a program only checks or shows something. */
static const struct {
	const char *names, *options;
	struct program_role is;
} questions[] = {
	{ "gzip bzip2 xz zstd pigz bgzip", "-t --test -tq -qt -l --list", { ROLE_TEST, 0, 2 } },
	{ "sort", "-c -C --check --check=quiet", { ROLE_TEST, 0, 1 } },
	{ "tar", "-t -tf -tzf --list", { ROLE_TEST, 0, 2 } },
	{ "md5sum sha1sum sha256sum cksum", "-c --check --status", { ROLE_TEST, 0, 1 } },
	{ "curl", "-I --head -sI -fsI -sfI -ISs", { ROLE_TEST, 0, 127 } },
	{ "wget", "--spider", { ROLE_TEST, 0, 127 } },
	{ "samtools", "quickcheck", { ROLE_TEST, 0, 127 } },
	{ "make", "-q --question", { ROLE_TEST, 0, 1 } },
	{ "", "--version -version --help", { ROLE_HELPER, 0, 0 } },
};

/* Whether a word of this length is one of those, separated by blanks. */
static bool one_of(const char *words, const char *word, size_t len)
{
	for (const char *at = words; len && *at;) {
		size_t own = strcspn(at, " ");

		if (own == len && memcmp(at, word, len) == 0)
			return true;
		at += own;
		at += strspn(at, " ");
	}
	return false;
}

/* Names of versions: python3.11, lua5.4, ruby3.1. */
static size_t without_version(const char *name, size_t len)
{
	size_t end = len;

	while (end && ((name[end - 1] >= '0' && name[end - 1] <= '9') || name[end - 1] == '.'))
		end--;
	return end ? end : len;
}

static const struct program *find(const struct program *table, size_t count, const char *name,
				  size_t len)
{
	for (size_t i = 0; i < count; i++)
		if (one_of(table[i].names, name, len))
			return &table[i];
	return NULL;
}

static const struct program *named(const char *name, size_t len)
{
	const size_t count = sizeof(programs) / sizeof(programs[0]);
	const struct program *found;

	if (!len || len > NAME_MAX_BYTES)
		return NULL;
	found = find(programs, count, name, len);
	return found ? found : find(programs, count, name, without_version(name, len));
}

/* The file's name of argv[0]; a login shell's begins with "-". */
static const char *base_name(const struct tree_process *process)
{
	const char *path = process->argc ? process->argv[0] : "", *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	return *name == '-' ? name + 1 : name;
}

/* "samtools sort" is samtools. */
static size_t first_word(const char *tool)
{
	return strcspn(tool, " ");
}

static bool has_argument(const struct tree_process *process, const char *options)
{
	for (size_t i = 1; i < process->argc && i < ARGUMENTS_MAX; i++)
		if (one_of(options, process->argv[i], strlen(process->argv[i])))
			return true;
	return false;
}

static bool is_question(const struct tree_process *process, struct program_role *ret)
{
	const char *name = base_name(process);

	for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
		if (*questions[i].names &&
		    !one_of(questions[i].names, process->tool, first_word(process->tool)) &&
		    !one_of(questions[i].names, name, strlen(name)))
			continue;
		if (!has_argument(process, questions[i].options))
			continue;
		*ret = questions[i].is;
		return true;
	}
	return false;
}

/* A tool without an argument and without an input shows how it is used (`bwa 2>&1 | grep Version`).
 */
static bool shows_usage(const struct tree_process *process)
{
	return process->argc == 1 && !process->pipe_in && strcmp(process->kind, "tool") == 0;
}

static struct program_role by_name(const struct tree_process *process)
{
	const struct program *found = named(process->tool, first_word(process->tool));
	const char *name = base_name(process);

	if (!found)
		found = named(name, strlen(name));
	if (!found)
		found = find(kinds, sizeof(kinds) / sizeof(kinds[0]), process->kind,
			     strlen(process->kind));
	return found ? found->is : (struct program_role){ ROLE_TOOL, 0, 0 };
}

static bool is_copy(const struct tree_process *process, const struct tree_process *parent)
{
	if (!parent || !process->argc || process->argc != parent->argc ||
	    process->argc > ARGUMENTS_MAX || strcmp(process->tool, parent->tool) != 0)
		return false;
	for (size_t i = 0; i < process->argc; i++)
		if (strcmp(process->argv[i], parent->argv[i]) != 0)
			return false;
	return true;
}

static unsigned flags_of_shell(const struct tree_process *process)
{
	struct shell_options options = shell_options_read(process->argv, process->argc);

	return (options.errexit ? PROGRAM_ERREXIT : 0) | (options.pipefail ? PROGRAM_PIPEFAIL : 0) |
	       (options.text ? PROGRAM_TEXT : 0);
}

struct program_role process_role_of(const struct tree_process *process,
				    const struct tree_process *parent)
{
	struct program_role is = by_name(process), question;
	bool copy = is_copy(process, parent);

	if (is.role == ROLE_SHELL) {
		is.flags |= flags_of_shell(process);
		if (!copy && shell_text_kills(process->argv, process->argc))
			is.role = ROLE_HELPER;
	} else if (!copy && is_question(process, &question)) {
		return question;
	} else if (!copy && is.role == ROLE_TOOL && shows_usage(process)) {
		is.role = ROLE_HELPER;
	}
	if (is.role == ROLE_ENGINE && (has_argument(process, "-k --keep-going -kj")))
		is.flags |= PROGRAM_GOES_ON;
	if (copy)
		is.flags |= PROGRAM_COPY;
	return is;
}
