/* SPDX-License-Identifier: Apache-2.0 */
#include "server/http/request.h"

#include <assert.h>
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "server/access/audit.h"
#include "server/http/route.h"
#include "server/server.h"

void request_from(const struct request *request, char from[TOKEN_FROM_SIZE])
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	const struct sockaddr *address = info ? info->client_addr : NULL;
	socklen_t len = address && address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
								  : sizeof(struct sockaddr_in);

	snprintf(from, TOKEN_FROM_SIZE, "local");
	if (address && (address->sa_family == AF_INET || address->sa_family == AF_INET6))
		(void)getnameinfo(address, len, from, TOKEN_FROM_SIZE, NULL, 0, NI_NUMERICHOST);
}

void request_who(const struct request *request, char who[REQUEST_WHO_SIZE])
{
	const struct token_grant *grant = &request->grant;

	if (*grant->id)
		snprintf(who, REQUEST_WHO_SIZE, "token %s (%s)", grant->name, grant->id);
	else
		snprintf(who, REQUEST_WHO_SIZE, "browser");
}

void request_audit(const struct request *request, const char *action, const char *subject,
		   const char *result)
{
	char from[TOKEN_FROM_SIZE], who[REQUEST_WHO_SIZE];
	const struct audit_entry entry = {
		.who = who, .action = action, .subject = subject, .from = from, .result = result
	};

	request_from(request, from);
	request_who(request, who);
	audit_note(request->server->settings->data_folder, &entry);
}

const struct filter_value *request_value(const struct request *request, const char *name)
{
	const struct filter *filters = request->route->filters;
	size_t i = 0;

	while (filters[i].name && strcmp(filters[i].name, name) != 0)
		i++;
	assert(filters[i].name);
	return request->values[i].given ? &request->values[i] : NULL;
}

const char *request_text(const struct request *request, const char *name)
{
	const struct filter_value *value = request_value(request, name);

	return value ? value->text : NULL;
}

int64_t request_number(const struct request *request, const char *name)
{
	const struct filter_value *value = request_value(request, name);

	return value ? value->number : 0;
}
