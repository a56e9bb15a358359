/* SPDX-License-Identifier: Apache-2.0 */
#include "base/http/http_url.h"

#include <ctype.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <arpa/inet.h>

bool http_text_is_plain(const char *text)
{
	for (const char *c = text; *c != '\0'; c++)
		if (*c <= ' ' || *c > '~')
			return false;
	return true;
}

static int parse_socket(const char *path, struct http_url *url, struct error *err)
{
	if (path[0] != '/')
		return error_set(
			err, -EINVAL,
			"http+unix:// wants an absolute path, as in http+unix:///run/a.sock");
	if (strlen(path) >= sizeof(url->socket))
		return error_set(err, -EINVAL, "the socket path is longer than %zu bytes",
				 sizeof(url->socket) - 1);
	url->local = true;
	memcpy(url->socket, path, strlen(path) + 1);
	memcpy(url->host, "localhost", sizeof("localhost"));
	return 0;
}

static int parse_port(const char *text, size_t len, struct http_url *url, struct error *err)
{
	unsigned port = 0;
	for (size_t i = 0; i < len; i++) {
		if (!isdigit((unsigned char)text[i]) || port > UINT16_MAX)
			return error_set(err, -EINVAL,
					 "the URL's port is not a number up to 65535");
		port = port * 10 + (unsigned)(text[i] - '0');
	}
	if (port == 0 || port > UINT16_MAX)
		return error_set(err, -EINVAL, "the URL's port is not between 1 and 65535");
	url->port = (uint16_t)port;
	return 0;
}

static int copy_host(const char *text, size_t len, struct http_url *url, struct error *err)
{
	if (len == 0 || len >= sizeof(url->host))
		return error_set(err, -EINVAL, "the URL has no host, or one longer than 255 bytes");
	memcpy(url->host, text, len);
	url->host[len] = '\0';
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr("-._:", text[i]))
			return error_set(err, -EINVAL,
					 "the URL's host holds a character that no "
					 "host name has");
	return 0;
}

/* "[::1]" or "name", then ":port" or nothing. */
static int parse_authority(const char *text, size_t len, struct http_url *url, struct error *err)
{
	const char *end = text + len;
	const char *host = text, *host_end = NULL;
	if (memchr(text, '@', len))
		return error_set(err, -EINVAL,
				 "a URL with user:password in it is not taken; put "
				 "the token in a file");
	if (len > 0 && text[0] == '[') {
		host++;
		host_end = memchr(text, ']', len);
		if (!host_end)
			return error_set(err, -EINVAL, "the URL's address lacks its ']'");
	} else {
		host_end = memchr(text, ':', len);
	}
	const char *rest = host_end ? host_end + (*host_end == ']') : end;
	int rc = copy_host(host, (size_t)((host_end ? host_end : end) - host), url, err);
	if (rc != 0)
		return rc;
	struct in6_addr address;
	url->host_is_ip6 = host != text;
	if (url->host_is_ip6 && inet_pton(AF_INET6, url->host, &address) != 1)
		return error_set(err, -EINVAL, "[%s] is no IPv6 address", url->host);
	if (rest == end)
		return 0;
	if (*rest != ':')
		return error_set(err, -EINVAL, "the URL has '%c' behind its host", *rest);
	return parse_port(rest + 1, (size_t)(end - rest - 1), url, err);
}

static int parse_path(const char *text, struct http_url *url, struct error *err)
{
	size_t len = strlen(text);
	while (len > 0 && text[len - 1] == '/')
		len--;
	if (len >= sizeof(url->path))
		return error_set(err, -EINVAL, "the URL's path is longer than 255 bytes");
	memcpy(url->path, text, len);
	url->path[len] = '\0';
	return 0;
}

int http_url_parse(const char *text, struct http_url *ret, struct error *err)
{
	struct http_url url = { .port = 80 };
	if (!text || !http_text_is_plain(text))
		return error_set(err, -EINVAL, "a URL has no spaces and no control characters");
	const char *rest = text;
	int rc = 0;
	if (strncmp(text, "http+unix://", 12) == 0) {
		rc = parse_socket(text + 12, &url, err);
	} else if (strncmp(text, "http://", 7) == 0) {
		rest = text + 7;
	} else if (strncmp(text, "https://", 8) == 0) {
		rest = text + 8;
		url.tls = true;
		url.port = 443;
	} else {
		return error_set(err, -EINVAL,
				 "a URL begins with http://, https:// or http+unix://");
	}
	if (!url.local) {
		if (strpbrk(rest, "?#"))
			return error_set(err, -EINVAL, "the URL may not have a query or fragment");
		size_t authority = strcspn(rest, "/");
		rc = parse_authority(rest, authority, &url, err);
		if (rc == 0)
			rc = parse_path(rest + authority, &url, err);
	}
	if (rc == 0)
		*ret = url;
	return rc;
}
