/* SPDX-License-Identifier: Apache-2.0 */
#include "server/access/connection.h"

#include <stdbool.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "server/access/connection_limit.h"
#include "server/access/peer.h"
#include "server/http/slow_client.h"
#include "server/server.h"

static const struct sockaddr *address_of(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);

	return info ? info->client_addr : NULL;
}

/* false: there is no room for one of this address. */
static bool make_room(struct server *server, struct MHD_Connection *connection)
{
	switch (connection_limit_enter(server->connections, address_of(connection))) {
	case CONNECTION_REFUSED:
		return false;
	case CONNECTION_RESERVED:
		(void)slow_clients_end_oldest(server->slow_clients);
		return true;
	case CONNECTION_CROWDED:
		return slow_clients_end_oldest(server->slow_clients);
	default:
		return true;
	}
}

void connection_notify(void *context, struct MHD_Connection *connection, void **socket_context,
		       enum MHD_ConnectionNotificationCode code)
{
	struct server *server = context;
	const union MHD_ConnectionInfo *info;

	info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
		connection_limit_leave(server->connections, address_of(connection));
		if (info && server->peers)
			peers_leave(server->peers, info->connect_fd);
		slow_clients_remove(server->slow_clients, *socket_context);
		*socket_context = NULL;
		return;
	}
	if (!make_room(server, connection) && info)
		shutdown(info->connect_fd, SHUT_RDWR);
	if (info && server->peers && !peers_enter(server->peers, info->connect_fd))
		shutdown(info->connect_fd, SHUT_RDWR);
	*socket_context = info ? slow_clients_add(server->slow_clients, info->connect_fd,
						  clock_monotonic_ns())
			       : NULL;
}
