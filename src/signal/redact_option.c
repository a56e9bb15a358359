#include "signal/redact_option.h"

#include "base/text.h"

#include <string.h>

static const struct redact_option known_options[] = {
	{ "curl", NULL, "-u", REDACT_NEXT | REDACT_ATTACHED },
	{ "curl", NULL, "--user", REDACT_NEXT },
	{ "curl", NULL, "-U", REDACT_NEXT | REDACT_ATTACHED },
	{ "curl", NULL, "--proxy-user", REDACT_NEXT },
	{ "sshpass", NULL, "-p", REDACT_NEXT | REDACT_ATTACHED },
	{ "mysql", NULL, "-p", REDACT_ATTACHED },
	{ "mysqldump", NULL, "-p", REDACT_ATTACHED },
	{ "mysqladmin", NULL, "-p", REDACT_ATTACHED },
	{ "mysqlimport", NULL, "-p", REDACT_ATTACHED },
	{ "mariadb", NULL, "-p", REDACT_ATTACHED },
	{ "redis-cli", NULL, "-a", REDACT_NEXT },
	{ "ldapsearch", NULL, "-w", REDACT_NEXT | REDACT_ATTACHED },
	{ "zip", NULL, "-P", REDACT_NEXT | REDACT_ATTACHED },
	{ "unzip", NULL, "-P", REDACT_NEXT | REDACT_ATTACHED },
	{ "7z", NULL, "-p", REDACT_ATTACHED },
	{ "7za", NULL, "-p", REDACT_ATTACHED },
	{ "ascp", NULL, "-W", REDACT_NEXT | REDACT_ATTACHED },
	{ "docker", "login", "-p", REDACT_NEXT | REDACT_ATTACHED },
	{ "podman", "login", "-p", REDACT_NEXT | REDACT_ATTACHED },
	{ "az", "login", "-p", REDACT_NEXT },
};

static bool is_run_by(const char *const *args, size_t count, const char *command)
{
	if (!command)
		return true;
	for (size_t i = 0; i < count && i < COMMAND_DEPTH; i++) {
		if (!strcmp(text_basename(args[i]), command))
			return true;
	}
	return false;
}

const struct redact_option *redact_option(const char *const *args, size_t at)
{
	for (size_t i = 0; i < sizeof(known_options) / sizeof(*known_options); i++) {
		const struct redact_option *known = &known_options[i];

		if (args[at][1] == known->option[1] && text_starts_with(args[at], known->option) &&
		    is_run_by(args, at, known->command) && is_run_by(args, at, known->subcommand))
			return known;
	}
	return NULL;
}
