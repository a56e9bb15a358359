/* SPDX-License-Identifier: Apache-2.0 */
#include "server/http/local_socket.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/cleanup.h"

static int remove_old(const struct sockaddr_un *address, struct error *err)
{
	CLEANUP(closep) int fd = -1;
	struct stat status;

	if (lstat(address->sun_path, &status) < 0)
		return 0;
	if (!S_ISSOCK(status.st_mode))
		return error_set(err, -EEXIST,
				 "%s is no socket: remove it, or choose another path by --socket",
				 address->sun_path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0 && (connect(fd, (const struct sockaddr *)address, sizeof(*address)) == 0 ||
			errno == EAGAIN))
		return error_set(err, -EADDRINUSE,
				 "another lake listens on %s: end it by `tracer down`",
				 address->sun_path);
	unlink(address->sun_path);
	return 0;
}

int local_socket_open(const char *path, int *ret, struct error *err)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	CLEANUP(closep) int fd = -1;
	int rc;

	if (strlen(path) >= sizeof(address.sun_path))
		return error_set(err, -ENAMETOOLONG, "socket: %s has more than %zu bytes", path,
				 sizeof(address.sun_path) - 1);
	memcpy(address.sun_path, path, strlen(path) + 1);
	rc = remove_old(&address, err);
	if (rc)
		return rc;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ||
	    chmod(path, 0666) < 0 || listen(fd, 128) < 0)
		return error_set(err, -errno, "cannot listen on %s: %s", path, strerror(errno));
	*ret = TAKE_FD(fd);
	return 0;
}
