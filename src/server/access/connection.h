/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <microhttpd.h>

/* MHD_NotifyConnectionCallback; context: the server. Lets a connection in or shuts it down (limits
 * of connections, of local users), and remembers it as one that owes a request. */
void connection_notify(void *context, struct MHD_Connection *connection, void **socket_context,
		       enum MHD_ConnectionNotificationCode code);
