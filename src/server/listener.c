/* SPDX-License-Identifier: Apache-2.0 */
#include "server/listener.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "server/settings.h"

#define BACKLOG 4096 /* clients that connect at once; net.core.somaxconn may be less */

int listener_open(const char *listen_at, int *ret, struct error *err)
{
	struct sockaddr_storage address = { 0 };
	CLEANUP(closep) int fd = -1;
	socklen_t len = 0;
	int one = 1, rc = settings_address(listen_at, &address, &len, err);

	if (rc)
		return rc;
	fd = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return error_set(err, -errno, "cannot make a socket: %s", strerror(errno));
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, (struct sockaddr *)&address, len) < 0 || listen(fd, BACKLOG) < 0) {
		rc = -errno;
		return error_set(err, rc, "cannot listen on %s: %s; %s", listen_at, strerror(-rc),
				 rc == -EADDRINUSE
					 ? "is Tracer running already (tracer status)? Else choose "
					   "another port by --listen 127.0.0.1:PORT"
					 : "choose another address by --listen ADDRESS:PORT");
	}
	*ret = TAKE_FD(fd);
	return 0;
}
