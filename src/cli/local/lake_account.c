/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/local/lake_account.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/host/capabilities.h"
#include "cli/local/account.h"
#include "cli/local/folder.h"
#include "cli/local/folder_owner.h"

#define ACCOUNT "tracer"

/* The ids that systemd keeps for users without an account (systemd.exec(5), DynamicUser=). */
#define FREE_UID_FIRST 61184
#define FREE_UID_LAST  65519

static bool may_change_user(void)
{
	return geteuid() == 0 && capabilities_has(CAP_CHOWN) && capabilities_has(CAP_SETUID) &&
	       capabilities_has(CAP_SETGID);
}

static bool find_owner(const char *data, struct account *ret)
{
	char path[FOLDER_PATH_SIZE];
	struct stat info;

	if (stat(folder_path(data, "lake", path), &info) < 0 || info.st_uid == 0)
		return false;
	*ret = (struct account){ info.st_uid, info.st_gid };
	return true;
}

/* sudo(8) leaves who called it in the environment. */
static bool find_sudo_user(struct account *ret)
{
	const char *uid = getenv("SUDO_UID"); // NOLINT(concurrency-mt-unsafe): one thread
	const char *gid = getenv("SUDO_GID"); // NOLINT(concurrency-mt-unsafe)

	return uid && gid && account_id(uid, &ret->uid) && account_id(gid, &ret->gid) && ret->uid &&
	       ret->gid;
}

static bool make_account(struct account *ret)
{
	if (!account_make_system(ACCOUNT) || !account_find(ACCOUNT, ret))
		return false;
	fprintf(stderr,
		"tracer up: made the system account %s, as which the lake runs (no shell, no "
		"home)\n",
		ACCOUNT);
	return true;
}

static int take_free_id(struct account *ret, struct error *err)
{
	struct account taken;
	char number[16];

	for (unsigned id = FREE_UID_FIRST; id <= FREE_UID_LAST; id++) {
		snprintf(number, sizeof(number), "%u", id);
		if (account_find(number, &taken))
			continue;
		*ret = (struct account){ id, id };
		fprintf(stderr,
			"tracer up: the lake runs as user %u: the account %s could not be made\n",
			id, ACCOUNT);
		return 0;
	}
	return error_set(err, -ENOENT,
			 "no user id is free for the lake: name an account by "
			 "--lake-user");
}

static int find_named(const char *name, struct account *ret, struct error *err)
{
	if (account_find(name, ret) || (account_id(name, &ret->uid) && account_id(name, &ret->gid)))
		return 0;
	return error_set(err, -ENOENT,
			 "lake-user: there is no account %s in /etc/passwd: make it (useradd "
			 "--system %s), or give a number",
			 name, name);
}

/* Whether the user can enter the folder: tried by a process that becomes that user. */
static bool can_enter(const char *path, const struct account *account)
{
	int status = 1;
	pid_t child = fork();

	if (child == 0) {
		bool can = setgroups(0, NULL) == 0 &&
			   setresgid(account->gid, account->gid, account->gid) == 0 &&
			   setresuid(account->uid, account->uid, account->uid) == 0 &&
			   access(path, X_OK) == 0;

		_exit(can ? 0 : 1);
	}
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* The topmost folder on the way to DATA that the user cannot pass; NULL: there is none. */
static const char *find_closed(const char *data, const struct account *account,
			       char path[FOLDER_PATH_SIZE])
{
	if (can_enter(data, account))
		return NULL;
	for (char *slash = strchr(folder_path(data, "", path) + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (!can_enter(path, account))
			break;
		*slash = '/';
	}
	return path;
}

/* Who the lake runs as where the user did not say it, and it never ran. Stays root where no other
 * user can pass the folders above DATA. */
static int choose(const char *data, struct account *ret, struct error *err)
{
	const struct account any = { FREE_UID_LAST, FREE_UID_LAST };
	char path[FOLDER_PATH_SIZE];
	const char *closed;

	if ((account_find(ACCOUNT, ret) && can_enter(data, ret)) ||
	    (find_sudo_user(ret) && can_enter(data, ret)))
		return 0;
	closed = find_closed(data, &any, path);
	if (!closed)
		return make_account(ret) ? 0 : take_free_id(ret, err);
	*ret = (struct account){ 0 };
	fprintf(stderr,
		"tracer up: the lake runs as root, without capabilities, because other users "
		"cannot pass the folder %s: run chmod o+x %s, or choose another folder by --data\n",
		closed, closed);
	return 0;
}

/* The lake of this folder belongs to that user, by what was said or by what was chosen before. */
static int check_reach(const char *data, const struct account *account, struct error *err)
{
	char path[FOLDER_PATH_SIZE];
	const char *closed = find_closed(data, account, path);

	return closed ? error_set(err, -EACCES,
				  "the lake runs as user %u, who cannot pass the folder %s: run "
				  "chmod o+x %s, or choose another folder by --data",
				  account->uid, closed, closed)
		      : 0;
}

static int find_account(const char *data, const char *name, struct account *ret, struct error *err)
{
	int rc = *name ? find_named(name, ret, err) : 0;

	if (rc)
		return rc;
	if (*name || find_owner(data, ret))
		return check_reach(data, ret, err);
	return choose(data, ret, err);
}

static int give_folders(const char *data, const struct account *account, struct error *err)
{
	static const char *const folders[] = { "lake", "tokens" };
	char path[FOLDER_PATH_SIZE];
	int rc = 0;

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]) && rc == 0; i++)
		rc = folder_owner_set(folder_path(data, folders[i], path), account->uid,
				      account->gid, err);
	return rc;
}

int lake_account_prepare(const char *data, const char *name, struct error *err)
{
	/* Each folder above it counts, also where DATA is relative: DuckDB opens absolute paths. */
	CLEANUP(freep) char *absolute = may_change_user() ? realpath(data, NULL) : NULL;
	struct account account;
	int rc;

	if (!absolute)
		return 0;
	if (chmod(data, 0711) < 0)
		return error_set(err, -errno, "cannot open %s to the lake: %s", data,
				 strerror(errno));
	rc = find_account(absolute, name, &account, err);
	if (rc == 0)
		rc = give_folders(data, &account, err);
	/* A container in which root is the only user: it is none outside. */
	if (rc == -EINVAL && !*name) {
		fprintf(stderr, "tracer up: the lake runs as root: there is no other user here\n");
		return 0;
	}
	return rc;
}

bool lake_account_differs(const char *data, const char *name)
{
	struct account account = { 0 }, owner = { 0 };

	if (!account_find(name, &account) && !account_id(name, &account.uid))
		return true;
	find_owner(data, &owner);
	return owner.uid != account.uid;
}
