/* SPDX-License-Identifier: Apache-2.0 */
#include "correlate/command/system.h"

#include "base/text.h"

#include <string.h>

#define WORD_LIMIT 63 /* bytes of a program's name, as in a rule */

/* Subcommands decide for some programs: what is not among the first list, or is among the second,
 * is the user's own work. NULL: no list. */
struct uses {
	const char *const *only, *const *except;
};

static const char *const running[] = { "run",  "run-script", "exec", "start",
				       "test", "shell",      "x",    NULL };
static const char *const of_r[] = { "INSTALL", "SHLIB", "COMPILE", "LINK",
				    "REMOVE",  "check", "build",   NULL };
static const struct uses always, unless_it_runs = { NULL, running }, r_only = { of_r, NULL };

static const struct program {
	const char *name;
	const struct uses *uses;
} programs[] = {
	/* package managers of systems */
	{ "apt", &always },
	{ "apt-get", &always },
	{ "aptitude", &always },
	{ "apt-check", &always },
	{ "apt-listchanges", &always },
	{ "dpkg", &always },
	{ "dpkg-deb", &always },
	{ "dpkg-preconfigure", &always },
	{ "dpkg-reconfigure", &always },
	{ "update-alternatives", &always },
	{ "unattended-upgrade", &always },
	{ "unattended-upgrades", &always },
	{ "needrestart", &always },
	{ "rpm", &always },
	{ "dnf", &always },
	{ "dnf-3", &always },
	{ "dnf5", &always },
	{ "microdnf", &always },
	{ "yum", &always },
	{ "zypper", &always },
	{ "packagekitd", &always },
	{ "apk", &always },
	{ "pacman", &always },
	{ "emerge", &always },
	{ "snap", &always },
	{ "snapd", &always },
	{ "flatpak", &always },
	{ "brew", &always },
	/* … of languages */
	{ "pip", &always },
	{ "pip2", &always },
	{ "pip3", &always },
	{ "easy_install", &always },
	{ "cpan", &always },
	{ "cpanm", &always },
	{ "gem", &always },
	{ "spack", &always },
	{ "conda", &unless_it_runs },
	{ "conda-env", &unless_it_runs },
	{ "mamba", &unless_it_runs },
	{ "micromamba", &unless_it_runs },
	{ "pixi", &unless_it_runs },
	{ "uv", &unless_it_runs },
	{ "poetry", &unless_it_runs },
	{ "pipenv", &unless_it_runs },
	{ "pipx", &unless_it_runs },
	{ "npm", &unless_it_runs },
	{ "npm-cli.js", &unless_it_runs },
	{ "pnpm", &unless_it_runs },
	{ "yarn", &unless_it_runs },
	{ "bundle", &unless_it_runs },
	{ "CMD", &r_only }, /* R CMD INSTALL */
	/* cron's helpers, services */
	{ "run-parts", &always },
	{ "anacron", &always },
	{ "logrotate", &always },
	{ "updatedb", &always },
	{ "mandb", &always },
	{ "cloud-init", &always },
	{ "tuned", &always },
	{ "firewalld", &always },
	{ "fail2ban-server", &always },
	{ "networkd-dispatcher", &always },
	/* at a login, before a prompt */
	{ "landscape-sysinfo", &always },
	{ "command-not-found", &always },
	{ "lesspipe", &always },
	{ "lesspipe.sh", &always },
	{ "dircolors", &always },
	{ "starship", &always },
	{ "oh-my-posh", &always },
	{ "powerline", &always },
	{ "powerline-render", &always },
	{ "direnv", &always },
	{ "register-python-argcomplete", &always },
};

/* Scripts in these are the system's, with all that they start. */
static const char *const folders[] = {
	"/etc/",
	"/var/lib/dpkg/",
	"/var/tmp/rpm-tmp.",
	"/lib/apk/",
	"/usr/lib/apt/",
	"/usr/lib/dpkg/",
	"/usr/lib/systemd/",
	"/lib/systemd/",
	"/usr/lib/update-notifier/",
	"/usr/lib/needrestart/",
	"/usr/share/debconf/",
	"/usr/share/unattended-upgrades/",
	"/usr/share/bash-completion/",
	"/usr/libexec/",
	"/usr/sbin/",
	"/sbin/",
};

static bool is_among(const char *const *list, const char *word)
{
	for (; list && word && *list; list++)
		if (strcmp(*list, word) == 0)
			return true;
	return false;
}

static bool is_option_with_value(const char *arg)
{
	static const char *const options[] = { "-n",       "--name",      "-p",
					       "--prefix", "-r",          "--root-prefix",
					       "-C",       "--directory", "--project",
					       "--cwd",    "--rc-file",   "--log-level",
					       "--color",  NULL };

	return is_among(options, arg);
}

/* The first argument that is no option; NULL: none. */
static const char *subcommand_of(const struct command *command)
{
	for (size_t i = 0; i < command->count; i++) {
		if (command->args[i][0] != '-')
			return command->args[i];
		i += is_option_with_value(command->args[i]);
	}
	return NULL;
}

/* This is asked of many images. */
static const struct uses *find(const char *name, size_t len)
{
	for (size_t i = 0; len > 0 && i < sizeof(programs) / sizeof(*programs); i++)
		if (programs[i].name[0] == name[0] && strlen(programs[i].name) == len &&
		    memcmp(programs[i].name, name, len) == 0)
			return programs[i].uses;
	return NULL;
}

static bool holds(const struct uses *uses, const char *subcommand)
{
	return uses && (!uses->only || is_among(uses->only, subcommand)) &&
	       !is_among(uses->except, subcommand);
}

/* A program that shows its arguments in its name: "npm install x", node's. */
static bool is_title(const char *title)
{
	size_t len = strcspn(title, " "), sub;
	char subcommand[WORD_LIMIT + 1];

	if (title[len] != ' ')
		return false;
	sub = strcspn(title + len + 1, " ");
	if (sub > WORD_LIMIT)
		return false;
	memcpy(subcommand, title + len + 1, sub);
	subcommand[sub] = '\0';
	return holds(find(title, len), subcommand);
}

bool system_is(const struct command *command, const char *argv0)
{
	const struct uses *uses;

	for (size_t i = 0; command->depth > 0 && i < sizeof(folders) / sizeof(*folders); i++)
		if (text_starts_with(command->path, folders[i]))
			return true;
	uses = find(command->subject, strlen(command->subject));
	if (uses)
		return holds(uses, subcommand_of(command));
	return argv0 && is_title(argv0);
}

bool system_has_program(const char *path)
{
	return text_starts_with(path, "/usr/bin/") || text_starts_with(path, "/bin/");
}

bool system_has_script(const char *path)
{
	return text_starts_with(path, "/usr/lib/") || text_starts_with(path, "/usr/share/") ||
	       text_starts_with(path, "/lib/");
}
