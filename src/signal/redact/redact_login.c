/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/redact/redact_login.h"

#include "signal/redact/redact_value.h"

#include <ctype.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))
#define NAME_LIMIT      64 /* bytes of a user name */
#define PORT_DIGITS     5

/* They take a user's name. */
static const char *const user_options[] = { "-u", "--user", "--username", "--login" };

/* Their "-u" or "--user" takes a user and a group, or is a switch before a file. */
static const char *const takers_of_groups[] = {
	"docker",  "podman",  "nerdctl",  "buildah",     "lxc",      "crictl", "ctr",
	"runc",    "crun",    "kubectl",  "systemd-run", "udocker",  "date",   "gosu",
	"setpriv", "install", "rsync",    "tar",         "sort",     "chroot", "ls",
	"ps",      "env",     "samtools", "bcftools",    "bedtools",
};

/* Their "-p" is a database, a partition, a process, a port, a folder, a pattern or a switch. */
static const char *const takers_of_p[] = {
	"mysql",     "mysqldump", "mysqladmin",   "mysqlimport",   "mysqlshow", "mysqlcheck",
	"mysqlsh",   "mariadb",   "mariadb-dump", "mariadb-admin", "ssh",       "sbatch",
	"srun",      "salloc",    "squeue",       "scancel",       "sacct",     "sinfo",
	"sprio",     "sshare",    "sreport",      "sstat",         "qsub",      "qstat",
	"bsub",      "bjobs",     "ps",           "pgrep",         "pkill",     "lsof",
	"top",       "renice",    "ionice",       "strace",        "perf",      "snakemake",
	"mkdir",     "cp",        "rsync",        "tar",           "unzip",     "sort",
	"cutadapt",  "seqkit",    "install",      "crontab",       "conda",     "mamba",
	"systemctl", "loginctl",  "psql",         "pg_dump",       "createdb",  "docker",
	"podman",    "nerdctl",   "grep",
};

static bool runs_one_of(const struct redact_command *command, size_t at, const char *const *names,
			size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (redact_command_runs(command, at, names[i]))
			return true;
	}
	return false;
}

/* What follows a user option in the same argument ("--user=VALUE"), "" where it stands alone; NULL:
 * it is another argument. */
static const char *after_user_option(const char *arg)
{
	for (size_t i = 0; arg[0] == '-' && i < COUNT_OF(user_options); i++) {
		size_t len = strlen(user_options[i]);

		if (strncmp(arg, user_options[i], len) != 0)
			continue;
		if (!arg[len])
			return arg + len;
		if (arg[1] == '-' && arg[len] == '=')
			return arg + len + 1;
	}
	return NULL;
}

static bool is_of(const char *text, size_t len, const char *bytes)
{
	return strspn(text, bytes) >= len;
}

/* "me", "jane.doe@lab.org", "$USER"; no number: that is an id. */
static bool is_user(const char *text, size_t len)
{
	if (!len || len > NAME_LIMIT || is_of(text, len, "0123456789"))
		return false;
	for (size_t i = 0; i < len; i++) {
		if (!isalnum((unsigned char)text[i]) && !strchr("_.@-${}", text[i]))
			return false;
	}
	return text[0] != '-' && text[0] != '.';
}

/* "//host" of a URL, "\dir" of a drive, "8080" of an address, "100-200" of a chromosome. */
static bool is_no_password(const char *behind, size_t len, bool is_short)
{
	bool is_digits = is_of(behind, len, "0123456789");

	return !len || behind[0] == '\\' || (len > 1 && !strncmp(behind, "//", 2)) ||
	       (is_short && ((is_digits && len <= PORT_DIGITS) ||
			     (!is_digits && is_of(behind, len, "0123456789-,"))));
}

/* The password in value[0, len) of a user option: "me:VALUE". */
static bool find_pair(const char *arg, const char *value, bool is_short, struct redact_place *ret)
{
	const char *colon = strchr(value, ':');
	size_t len = colon ? strlen(colon + 1) : 0;

	if (!colon || !is_user(value, (size_t)(colon - value)) ||
	    is_no_password(colon + 1, len, is_short))
		return false;
	ret->value = (size_t)(colon + 1 - arg);
	ret->end = ret->value + len;
	return redact_value_hides(REDACT_SECRET, colon + 1, len);
}

/* Does the option at `at` have a user's name, and do only options follow up to `end`? */
static bool names_user(const struct redact_command *command, size_t at, size_t end)
{
	const char *attached = after_user_option(command->args[at]);
	const char *name = attached && !*attached ? command->args[at + 1] : attached;
	size_t next = attached && !*attached ? at + 2 : at + 1;

	if (!attached || (at && !strcmp(command->args[at - 1], "sudo")) ||
	    !is_user(name, strcspn(name, ":")))
		return false;
	for (bool is_value = false; next < end; next++) {
		bool is_option = command->args[next][0] == '-';

		if (!is_option && !is_value)
			return false; /* "sudo -u me mkdir -p out" */
		is_value = is_option;
	}
	return next == end;
}

/* "-u me -p VALUE" */
static bool is_users_p(const struct redact_command *command, size_t at)
{
	const char *value = command->args[at];
	size_t len = strlen(value);

	if (is_of(value, len, "0123456789.:") || strchr(value, '/') ||
	    !redact_value_hides(REDACT_SECRET | REDACT_PATHS_STAY, value, len) ||
	    runs_one_of(command, at, takers_of_p, COUNT_OF(takers_of_p)))
		return false;
	for (size_t user = 0; user + 1 < at; user++) {
		if (names_user(command, user, at - 1))
			return true;
	}
	return false;
}

bool redact_login(const struct redact_command *command, size_t at, struct redact_place *ret)
{
	const char *arg = command->args[at], *option = at ? command->args[at - 1] : "";
	const char *attached = after_user_option(arg), *before = after_user_option(option);

	if (at > REDACT_COMMAND_DEPTH)
		return false;
	if (!strcmp(option, "-p") && !redact_is_option(arg, strlen(arg))) {
		*ret = (struct redact_place){ .value = 0, .end = strlen(arg) };
		return is_users_p(command, at);
	}
	if (!(attached && *attached) && !(before && !*before))
		return false;
	return find_pair(arg, attached && *attached ? attached : arg, !attached && option[1] != '-',
			 ret) &&
	       !runs_one_of(command, at, takers_of_groups, COUNT_OF(takers_of_groups));
}
