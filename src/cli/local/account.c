/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/local/account.h"

#include <fcntl.h>
#include <pwd.h>
#include <stdint.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"

#define PASSWD_LINE 4096

bool account_id(const char *text, unsigned *ret)
{
	unsigned long number;

	if (!*text || strlen(text) > 10 || strspn(text, "0123456789") != strlen(text))
		return false;
	number = strtoul(text, NULL, 10);
	*ret = (unsigned)number;
	return number < UINT32_MAX; /* the largest one means "leave it" (chown(2)) */
}

bool account_find(const char *name, struct account *ret)
{
	CLEANUP(fclosep) FILE *file = fopen("/etc/passwd", "re");
	struct passwd entry, *found;
	char line[PASSWD_LINE];
	unsigned id = UINT32_MAX;
	bool number = account_id(name, &id);

	while (file && fgetpwent_r(file, &entry, line, sizeof(line), &found) == 0) {
		if (number ? entry.pw_uid != id : strcmp(entry.pw_name, name) != 0)
			continue;
		*ret = (struct account){ entry.pw_uid, entry.pw_gid };
		return true;
	}
	return false;
}

bool account_make_system(const char *name)
{
	char *const argv[] = { "/usr/sbin/useradd",
			       "--system",
			       "--user-group",
			       "--no-create-home",
			       "--home-dir",
			       "/nonexistent",
			       "--shell",
			       "/usr/sbin/nologin",
			       (char *)(uintptr_t)name,
			       NULL };
	char *const environment[] = { "PATH=/usr/sbin:/usr/bin:/sbin:/bin", NULL };
	posix_spawn_file_actions_t files;
	int status = -1;
	pid_t pid;

	posix_spawn_file_actions_init(&files);
	for (int fd = 0; fd < 3; fd++)
		posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
	if (posix_spawn(&pid, argv[0], &files, NULL, argv, environment) == 0)
		waitpid(pid, &status, 0);
	posix_spawn_file_actions_destroy(&files);
	return status == 0;
}
