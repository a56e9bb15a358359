/* SPDX-License-Identifier: Apache-2.0 */
#include "probe/decode/peer_text.h"

#include <stdio.h>

#include <arpa/inet.h>

void peer_text(const uint32_t address[4], unsigned port, bool inet6, char text[PROBE_PEER_MAX])
{
	char host[INET6_ADDRSTRLEN] = "";

	(void)inet_ntop(inet6 ? AF_INET6 : AF_INET, address, host, sizeof(host));
	(void)snprintf(text, PROBE_PEER_MAX, inet6 ? "[%s]:%u" : "%s:%u", host, port);
}
