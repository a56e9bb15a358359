/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <openssl/ssl.h>

#include "base/error.h"
#include "base/http/http_url.h"

/* TLS as a client: 1.2 or newer, the server's certificate verified against authorities and name. */

/* A context that trusts ca_file (PEM), or, when NULL, the system's authorities: those of OpenSSL's
 * own settings (SSL_CERT_FILE, SSL_CERT_DIR), else the bundle where one of the known distributions
 * keeps it, because a static program is built on one and runs on all. -EINVAL with words. */
int http_tls_context(SSL_CTX **ret, const char *ca_file, struct error *err);
/* A session towards url's host, with SNI for names. NULL without memory. */
SSL *http_tls_session(SSL_CTX *context, const struct http_url *url);
/* Why it failed, for people: the certificate's fault, or OpenSSL's words for code
 * (bufferevent_get_openssl_error). Returns -EPROTO. */
int http_tls_error(const SSL *session, unsigned long code, struct error *err);
