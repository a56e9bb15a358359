/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/local/folder_owner.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

#define TREE_DEPTH 64 /* levels; each holds two descriptors */

struct new_owner {
	uid_t uid;
	gid_t gid;
};

static int give_entry(int parent, const char *name, const struct new_owner *owner, int depth,
		      struct error *err);

static void closedirp(DIR **folder)
{
	if (*folder)
		closedir(*folder);
}

/* at: the folder, opened with O_PATH. */
static int give_entries(int at, const char *name, const struct new_owner *owner, int depth,
			struct error *err)
{
	int fd = openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc = 0;
	CLEANUP(closedirp) DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (!folder || depth == TREE_DEPTH) {
		rc = folder ? -ELOOP : -errno;
		return error_set(err, rc, "cannot read the folder %s: %s", name, strerror(-rc));
	}
	while (rc == 0 && (entry = readdir(folder)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			rc = give_entry(fd, entry->d_name, owner, depth + 1, err);
	return rc;
}

/* What is looked at and what is given are one file: both go by its descriptor. */
static int give_entry(int parent, const char *name, const struct new_owner *owner, int depth,
		      struct error *err)
{
	CLEANUP(closep) int at = openat(parent, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat info;
	int rc = 0;

	if (at < 0 || fstat(at, &info) < 0)
		return errno == ENOENT ? 0
				       : error_set(err, -errno, "cannot look at %s: %s", name,
						   strerror(errno));
	if (!S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
		return 0;
	if (S_ISDIR(info.st_mode))
		rc = give_entries(at, name, owner, depth, err);
	if (rc || (info.st_uid == owner->uid && info.st_gid == owner->gid))
		return rc;
	if (S_ISREG(info.st_mode) && info.st_nlink > 1)
		return error_set(err, -EMLINK,
				 "%s has another name, too (a hard link): replace it by a copy "
				 "(cp --remove-destination)",
				 name);
	if (fchownat(at, "", owner->uid, owner->gid, AT_EMPTY_PATH) < 0)
		return error_set(err, -errno, "cannot give %s to user %u: %s", name, owner->uid,
				 strerror(errno));
	return 0;
}

int folder_owner_set(const char *path, uid_t uid, gid_t gid, struct error *err)
{
	const struct new_owner owner = { uid, gid };

	return give_entry(AT_FDCWD, path, &owner, 0, err);
}
