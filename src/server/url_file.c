/* SPDX-License-Identifier: Apache-2.0 */
#include "server/url_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

int url_file_open(const char *path, const char *owner_folder, int *ret, struct error *err)
{
	CLEANUP(closep) int fd = -1;
	struct stat owner;

	*ret = -1;
	if (!*path)
		return 0;
	/* A new file: no link that somebody put there is followed. */
	if (unlink(path) < 0 && errno != ENOENT)
		return error_set(err, -errno, "cannot replace %s: %s", path, strerror(errno));
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return error_set(err, -errno, "cannot write %s: %s", path, strerror(errno));
	if (geteuid() == 0 && stat(owner_folder, &owner) == 0 && owner.st_uid != 0 &&
	    fchown(fd, owner.st_uid, owner.st_gid) < 0)
		return error_set(err, -errno, "cannot give %s to user %u: %s", path, owner.st_uid,
				 strerror(errno));
	*ret = TAKE_FD(fd);
	return 0;
}

int url_file_write(int fd, const char *url, struct error *err)
{
	char line[256];
	ssize_t len = snprintf(line, sizeof(line), "%s\n", url);

	if (fd < 0)
		return 0;
	if (write(fd, line, (size_t)len) != len || fsync(fd) < 0)
		return error_set(err, -errno, "cannot write the URL file: %s", strerror(errno));
	return 0;
}
