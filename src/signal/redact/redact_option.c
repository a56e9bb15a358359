/* SPDX-License-Identifier: Apache-2.0 */
#include "signal/redact/redact_option.h"

#include "signal/redact/redact_value.h"

#include <string.h>

#define CURL "0123456789aBfgGiIjJkLlnNOpqRsSvZ#"
#define ZIP  "0123456789efFgjklmMoqrSTuvwXyz"
#define LDAP "AcCLnPuvxZ"
#define BOTH (REDACT_NEXT | REDACT_ATTACHED)

static const struct redact_option known_options[] = {
	{ "curl", NULL, "-u", BOTH, ':', CURL },
	{ "curl", NULL, "--user", BOTH, ':', NULL },
	{ "curl", NULL, "-U", BOTH, ':', CURL },
	{ "curl", NULL, "--proxy-user", BOTH, ':', NULL },
	{ "curl", NULL, "-b", BOTH, '=', CURL },
	{ "curl", NULL, "--cookie", BOTH, '=', NULL },
	{ "curl", NULL, "-E", BOTH, ':', CURL },
	{ "curl", NULL, "--cert", BOTH, ':', NULL },
	{ "http", NULL, "-a", BOTH, ':', NULL },
	{ "http", NULL, "--auth", BOTH, ':', NULL },
	{ "https", NULL, "-a", BOTH, ':', NULL },
	{ "https", NULL, "--auth", BOTH, ':', NULL },
	{ "lftp", NULL, "-u", BOTH, ',', NULL },
	{ "lftp", NULL, "--user", BOTH, ',', NULL },
	{ "open", NULL, "-u", BOTH, ',', NULL }, /* within a script of lftp */
	{ "ncftpget", NULL, "-p", BOTH, 0, NULL },
	{ "ncftpput", NULL, "-p", BOTH, 0, NULL },
	{ "ncftpls", NULL, "-p", BOTH, 0, NULL },
	{ "smbclient", NULL, "-U", BOTH, '%', "NELm" },
	{ "smbclient", NULL, "--user", BOTH, '%', NULL },
	{ "rpcclient", NULL, "-U", BOTH, '%', NULL },
	{ "ascp", NULL, "-W", BOTH, 0, NULL },
	{ "sshpass", NULL, "-p", BOTH, 0, "v" },
	{ "plink", NULL, "-pw", REDACT_NEXT, 0, NULL },
	{ "pscp", NULL, "-pw", REDACT_NEXT, 0, NULL },
	{ "psftp", NULL, "-pw", REDACT_NEXT, 0, NULL },
	{ "ssh-keygen", NULL, "-N", BOTH, 0, NULL },
	{ "ssh-keygen", NULL, "-P", BOTH, 0, NULL },

	{ "mysql", NULL, "-p", REDACT_ATTACHED, 0, NULL },
	{ "mysqldump", NULL, "-p", REDACT_ATTACHED, 0, NULL },
	{ "mysqladmin", NULL, "-p", REDACT_ATTACHED, 0, NULL },
	{ "mysqlimport", NULL, "-p", REDACT_ATTACHED, 0, NULL },
	{ "mysqlshow", NULL, "-p", REDACT_ATTACHED, 0, NULL },
	{ "mysqlcheck", NULL, "-p", REDACT_ATTACHED, 0, NULL },
	{ "mariadb", NULL, "-p", REDACT_ATTACHED, 0, NULL },
	{ "mariadb-dump", NULL, "-p", REDACT_ATTACHED, 0, NULL },
	{ "mariadb-admin", NULL, "-p", REDACT_ATTACHED, 0, NULL },
	{ "mongo", NULL, "-p", BOTH, 0, NULL },
	{ "mongosh", NULL, "-p", BOTH, 0, NULL },
	{ "mongodump", NULL, "-p", BOTH, 0, NULL },
	{ "mongorestore", NULL, "-p", BOTH, 0, NULL },
	{ "mongoimport", NULL, "-p", BOTH, 0, NULL },
	{ "mongoexport", NULL, "-p", BOTH, 0, NULL },
	{ "cqlsh", NULL, "-p", BOTH, 0, NULL },
	{ "cypher-shell", NULL, "-p", BOTH, 0, NULL },
	{ "mysqlsh", NULL, "-p", REDACT_ATTACHED, 0, NULL },
	{ "mysqlsh", NULL, "--uri", BOTH, ':', NULL },
	{ "etcdctl", NULL, "--user", BOTH, ':', NULL },
	{ "redis-cli", NULL, "-a", REDACT_NEXT, 0, NULL },
	{ "sqlcmd", NULL, "-P", BOTH, 0, NULL },
	{ "bcp", NULL, "-P", BOTH, 0, NULL },
	{ "influx", NULL, "-t", BOTH, 0, NULL },
	{ "ldapsearch", NULL, "-w", BOTH, 0, LDAP },
	{ "ldapmodify", NULL, "-w", BOTH, 0, LDAP },
	{ "ldapadd", NULL, "-w", BOTH, 0, LDAP },
	{ "ldapdelete", NULL, "-w", BOTH, 0, LDAP },
	{ "ldapwhoami", NULL, "-w", BOTH, 0, LDAP },
	{ "ldappasswd", NULL, "-w", BOTH, 0, LDAP },
	{ "ldappasswd", NULL, "-s", BOTH, 0, LDAP },
	{ "ipmitool", NULL, "-P", BOTH, 0, NULL },

	{ "openssl", NULL, "-k", REDACT_NEXT, 0, NULL },
	{ "openssl", NULL, "-K", REDACT_NEXT, 0, NULL },
	{ "openssl", NULL, "-hmac", REDACT_NEXT, 0, NULL },
	{ "zip", NULL, "-P", BOTH, 0, ZIP },
	{ "unzip", NULL, "-P", BOTH, 0, "aCfjLlnopqtuvz" },
	{ "7z", NULL, "-p", REDACT_ATTACHED, 0, NULL },
	{ "7za", NULL, "-p", REDACT_ATTACHED, 0, NULL },
	{ "7zr", NULL, "-p", REDACT_ATTACHED, 0, NULL },
	{ "7zz", NULL, "-p", REDACT_ATTACHED, 0, NULL },
	{ "unrar", NULL, "-p", REDACT_ATTACHED, 0, NULL },
	{ "rar", NULL, "-p", REDACT_ATTACHED, 0, NULL },
	{ "rar", NULL, "-hp", REDACT_ATTACHED, 0, NULL },
	{ "pdftotext", NULL, "-upw", REDACT_NEXT, 0, NULL },
	{ "pdftotext", NULL, "-opw", REDACT_NEXT, 0, NULL },
	{ "pdftoppm", NULL, "-upw", REDACT_NEXT, 0, NULL },
	{ "pdfimages", NULL, "-upw", REDACT_NEXT, 0, NULL },
	{ "pdfinfo", NULL, "-upw", REDACT_NEXT, 0, NULL },

	{ "docker", "login", "-p", BOTH, 0, NULL },
	{ "podman", "login", "-p", BOTH, 0, NULL },
	{ "buildah", "login", "-p", BOTH, 0, NULL },
	{ "nerdctl", "login", "-p", BOTH, 0, NULL },
	{ "skopeo", "login", "-p", BOTH, 0, NULL },
	{ "singularity", "login", "-p", BOTH, 0, NULL },
	{ "apptainer", "login", "-p", BOTH, 0, NULL },
	{ "helm", "login", "-p", BOTH, 0, NULL },
	{ "oras", "login", "-p", BOTH, 0, NULL },
	{ "crane", "login", "-p", BOTH, 0, NULL },
	{ "az", "login", "-p", REDACT_NEXT, 0, NULL },
	{ "az", "secret", "--value", BOTH, 0, NULL },
	{ "aws", "SecureString", "--value", BOTH, 0, NULL },
	{ "swift", NULL, "-K", BOTH, 0, NULL },
	{ "obsutil", "config", "-k", BOTH, 0, NULL },
	{ "kaggle", "key", "-v", BOTH, 0, NULL },
	{ "gh", "secret", "--body", BOTH, 0, NULL },
	{ "gh", "secret", "-b", BOTH, 0, NULL },
	{ "twine", "upload", "-p", BOTH, 0, NULL },
	{ "poetry", "publish", "-p", BOTH, 0, NULL },
	{ "anaconda", NULL, "-t", BOTH, 0, NULL },
	{ "synapse", NULL, "-p", BOTH, 0, NULL },
	{ "icav2", NULL, "-k", REDACT_NEXT, 0, NULL },

	/* secrets are named here, or are in a file */
	{ "docker", NULL, "--secret", REDACT_NAMES, 0, NULL },
	{ "podman", NULL, "--secret", REDACT_NAMES, 0, NULL },
	{ "buildah", NULL, "--secret", REDACT_NAMES, 0, NULL },
	{ "gcloud", NULL, "--secret", REDACT_NAMES, 0, NULL },
	{ "gcloud", NULL, "--set-secrets", REDACT_NAMES, 0, NULL },
	{ "gcloud", NULL, "--update-secrets", REDACT_NAMES, 0, NULL },
	{ "kubectl", NULL, "--from-file", REDACT_NAMES, 0, NULL },
};

/* What of arg follows the option; NULL: it is another. */
static const char *match(const struct redact_option *known, const char *arg)
{
	size_t len = strlen(known->option);

	if (known->option[1] == '-' || len > 2) {
		if (strncmp(arg, known->option, len) != 0)
			return NULL;
		if (known->option[1] != '-' || !arg[len])
			return arg + len;
		return arg[len] == '=' ? arg + len + 1 : NULL;
	}
	for (arg++; *arg && *arg != known->option[1]; arg++) {
		if (!known->flags || !strchr(known->flags, *arg))
			return NULL;
	}
	return *arg ? arg + 1 + (arg[1] == '=') : NULL;
}

/* Most commands have none: this is asked once for each. */
static void find_rows(struct redact_command *command)
{
	const char *asked = NULL;
	bool runs = false;

	command->options = command->options_end = 0;
	for (size_t i = 0; i < sizeof(known_options) / sizeof(*known_options); i++) {
		if (asked != known_options[i].command) {
			asked = known_options[i].command;
			runs = redact_command_runs(command, command->count, asked);
		}
		if (!runs)
			continue;
		if (!command->options_end)
			command->options = i;
		command->options_end = i + 1;
	}
}

const struct redact_option *redact_option(struct redact_command *command, size_t at,
					  const char **ret_attached)
{
	const char *arg = command->args[at];

	if (arg[0] != '-' || !arg[1])
		return NULL;
	if (command->options == SIZE_MAX)
		find_rows(command);
	for (size_t i = command->options; i < command->options_end; i++) {
		const struct redact_option *known = &known_options[i];
		const char *attached = match(known, arg);

		if (!attached || (*attached && !(known->where & (REDACT_ATTACHED | REDACT_NAMES))))
			continue;
		if (redact_command_runs(command, at, known->command) &&
		    (!known->subcommand || redact_command_has(command, known->subcommand))) {
			*ret_attached = attached;
			return known;
		}
	}
	return NULL;
}

bool redact_option_hides(const struct redact_option *known, const char *value, size_t len)
{
	const char *behind = known->separator ? memchr(value, known->separator, len) : NULL;

	if (known->where & REDACT_NAMES || (known->separator && !behind))
		return false;
	if (behind && behind + 1 == value + len) /* no password: then the name may be a key */
		return !redact_value_is_user(value, len - 1);
	if (behind && redact_value_refers(behind + 1, (size_t)(value + len - behind - 1)))
		return false;
	return redact_value_hides(REDACT_SECRET, value, len);
}
