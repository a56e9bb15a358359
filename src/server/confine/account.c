/* SPDX-License-Identifier: Apache-2.0 */
#include "server/confine/account.h"

#include <errno.h>
#include <grp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/host/capabilities.h"
#include "server/confine/sanitizer.h"

/* All three ids of each kind: none is left to return to. */
static int become(uid_t uid, gid_t gid)
{
	capabilities_drop_bounding();
	if (setgroups(0, NULL) < 0 || setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, uid) < 0)
		return -errno;
	/* The leak sanitizer reads the process's own memory map, which the kernel gave to root when
	 * the user changed. */
	if (CONFINE_SANITIZED)
		prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
	return 0;
}

int account_become_owner(const char *folder, struct error *err)
{
	struct stat info;
	int rc;

	if (geteuid() != 0)
		return 0;
	if (stat(folder, &info) < 0 || info.st_uid == 0) {
		(void)setgroups(0, NULL); /* without CAP_SETGID they stay */
		return 0;
	}
	if (info.st_gid == 0)
		return error_set(err, -EINVAL,
				 "%s belongs to user %u, but to the group of root: run chown -R "
				 "USER:GROUP %s",
				 folder, info.st_uid, folder);
	rc = become(info.st_uid, info.st_gid);
	return rc ? error_set(err, rc,
			      "cannot run as user %u, the owner of %s: %s; start the lake as that "
			      "user",
			      info.st_uid, folder, strerror(-rc))
		  : 0;
}
