/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <jansson.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixture_lake.h"
#include "wait.h"

void answer_clear(struct answer *answer)
{
	buffer_clear(&answer->head);
	buffer_clear(&answer->body);
}

const char *answer_header(const struct answer *answer, const char *name)
{
	static char value[4096];
	size_t len = strlen(name);

	for (const char *line = answer->head.data; (line = strstr(line, "\r\n"));) {
		line += 2;
		if (strncasecmp(line, name, len) == 0 && line[len] == ':') {
			line += len + 1 + strspn(line + len + 1, " ");
			snprintf(value, sizeof(value), "%.*s", (int)strcspn(line, "\r"), line);
			return value;
		}
	}
	return NULL;
}

int lake_connect(const struct lake *lake)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
				       .sin_port = htons(lake->port),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
		return fd;
	close(fd);
	return -1;
}

/* "1a\r\n…" pieces into the plain body; what is cut stays cut. */
static void dechunk(struct buffer *body)
{
	struct buffer plain;
	char *at = body->data, *end;

	buffer_init(&plain, 0);
	for (size_t len; (len = strtoul(at, &end, 16)) && end > at;) {
		size_t left = (size_t)(body->data + body->len - end) - 2;

		buffer_append(&plain, end + 2, len < left ? len : left);
		if (len >= left)
			break;
		at = end + 2 + len + 2;
	}
	buffer_clear(body);
	*body = plain;
}

static void split(struct buffer *all, struct answer *ret)
{
	char *end = all->len ? strstr(all->data, "\r\n\r\n") : NULL;
	const char *encoding;

	buffer_init(&ret->head, 0);
	buffer_init(&ret->body, 0);
	ret->status = 0;
	if (!end || sscanf(all->data, "HTTP/1.%*d %d", &ret->status) != 1)
		return;
	buffer_append(&ret->head, all->data, (size_t)(end + 2 - all->data));
	buffer_append(&ret->body, end + 4, all->len - (size_t)(end + 4 - all->data));
	encoding = answer_header(ret, "Transfer-Encoding");
	if (encoding && strcasecmp(encoding, "chunked") == 0)
		dechunk(&ret->body);
}

static void send_all(int fd, const char *bytes, size_t len)
{
	while (len) {
		ssize_t sent = send(fd, bytes, len, MSG_NOSIGNAL);

		if (sent <= 0)
			return; /* the server had enough: its answer is still read */
		bytes += sent;
		len -= (size_t)sent;
	}
}

void lake_send(const struct lake *lake, const void *bytes, size_t len, struct answer *ret)
{
	struct buffer all;
	char part[16384];
	ssize_t got;
	int fd = lake_connect(lake);
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	buffer_init(&all, 0);
	if (fd >= 0)
		send_all(fd, bytes, len);
	while (fd >= 0 && poll(&poll_fd, 1, WAIT_MS) == 1 &&
	       (got = read(fd, part, sizeof(part))) > 0)
		buffer_append(&all, part, (size_t)got);
	if (fd >= 0)
		close(fd);
	split(&all, ret);
	buffer_clear(&all);
}

void lake_ask(const struct lake *lake, const char *method, const char *path, const char *token,
	      const char *headers, const void *body, size_t len, struct answer *ret)
{
	struct buffer request;

	buffer_init(&request, 0);
	buffer_printf(&request, "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n",
		      method, path);
	if (token)
		buffer_printf(&request, "Authorization: Bearer %s\r\n", token);
	if (body)
		buffer_printf(&request, "Content-Length: %zu\r\n", len);
	buffer_append_text(&request, headers ? headers : "");
	buffer_append_text(&request, "\r\n");
	buffer_append(&request, body, body ? len : 0);
	lake_send(lake, request.data, request.len, ret);
	buffer_clear(&request);
}

json_t *lake_get(const struct lake *lake, const char *path, int status)
{
	struct answer answer;
	json_error_t where;
	json_t *json;

	lake_ask(lake, "GET", path, lake->read, NULL, NULL, 0, &answer);
	if (answer.status != status)
		fail_msg("GET %s: %d, not %d: %s", path, answer.status, status, answer.body.data);
	json = json_loadb(answer.body.data, answer.body.len, 0, &where);
	if (!json)
		fail_msg("GET %s: no JSON: %s in %s", path, where.text, answer.body.data);
	answer_clear(&answer);
	return json;
}
