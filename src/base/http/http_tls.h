/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <openssl/ssl.h>

#include "base/error.h"
#include "base/http/http_url.h"

/* TLS of a client: version 1.2 or newer; the server's certificate must be for the URL's host and
 * issued by a trusted authority. */

struct http_tls_files {
	const char *ca; /* PEM; NULL or "": the system's authorities */
	/* The client's own, PEM; NULL or "": it has none. */
	const char *certificate, *key;
};

/* Why a session refused its server. */
struct http_tls_words {
	const char *host;
	struct error refused; /* "": it did not */
};

/* Makes a context; the files are read now. The system's authorities are from SSL_CERT_FILE or
 * SSL_CERT_DIR as in OpenSSL, else from the first bundle found among those of the known
 * distributions: a static program has OpenSSL's path of the one it was built on. -EINVAL with a
 * message. */
int http_tls_context(SSL_CTX **ret, const struct http_tls_files *files, struct error *err);
/* Makes a session with url's host, with SNI if the host is a name. url and words must outlive it.
 * NULL: no memory. */
SSL *http_tls_session(SSL_CTX *context, const struct http_url *url, struct http_tls_words *words);
/* Writes why a session failed: what is wrong with the certificate, or OpenSSL's text for code
 * (bufferevent_get_openssl_error). Returns -EPROTO. */
int http_tls_error(const SSL *session, unsigned long code, const struct http_tls_words *words,
		   struct error *err);
