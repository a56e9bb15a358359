/* SPDX-License-Identifier: Apache-2.0 */
#include "base/http/http_tls.h"

#include <arpa/inet.h>
#include <errno.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <unistd.h>

/* Debian and Arch; RHEL and Amazon Linux; SUSE; Alpine. */
static const char *const bundles[] = {
	"/etc/ssl/certs/ca-certificates.crt",
	"/etc/pki/tls/certs/ca-bundle.crt",
	"/etc/ssl/ca-bundle.pem",
	"/etc/ssl/cert.pem",
};

static int trust_system(SSL_CTX *context, struct error *err)
{
	if (getenv("SSL_CERT_FILE") || getenv("SSL_CERT_DIR")) {
		SSL_CTX_set_default_verify_paths(context);
		return 0;
	}
	for (size_t i = 0; i < sizeof(bundles) / sizeof(bundles[0]); i++)
		if (access(bundles[i], R_OK) == 0 &&
		    SSL_CTX_load_verify_locations(context, bundles[i], NULL) == 1)
			return 0;
	return error_set(err, -EINVAL,
			 "this host has no bundle of certificate authorities; "
			 "install ca-certificates or name a CA file");
}

int http_tls_context(SSL_CTX **ret, const char *ca_file, struct error *err)
{
	SSL_CTX *context = SSL_CTX_new(TLS_client_method());
	if (!context)
		return error_set(err, -ENOMEM, "no memory for TLS");
	int rc = 0;
	SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
	SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
	if (!ca_file)
		rc = trust_system(context, err);
	else if (SSL_CTX_load_verify_locations(context, ca_file, NULL) != 1)
		rc = error_set(err, -EINVAL, "%s cannot be read as PEM certificates", ca_file);
	ERR_clear_error();
	if (rc != 0)
		SSL_CTX_free(context);
	else
		*ret = context;
	return rc;
}

SSL *http_tls_session(SSL_CTX *context, const struct http_url *url)
{
	struct in_addr ip4;
	SSL *session = SSL_new(context);
	if (!session)
		return NULL;
	bool literal = url->host_is_ip6 || inet_pton(AF_INET, url->host, &ip4) == 1;
	int ok = literal ? X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), url->host)
			 : SSL_set1_host(session, url->host) &&
				   SSL_set_tlsext_host_name(session, url->host);
	if (ok != 1) {
		SSL_free(session);
		return NULL;
	}
	return session;
}

int http_tls_error(const SSL *session, unsigned long code, struct error *err)
{
	long verdict = SSL_get_verify_result(session);
	if (verdict != X509_V_OK)
		return error_set(err, -EPROTO, "TLS: the server's certificate is not accepted: %s",
				 X509_verify_cert_error_string(verdict));
	const char *reason = code != 0 ? ERR_reason_error_string(code) : NULL;
	return error_set(err, -EPROTO, "TLS: %s", reason ? reason : "the connection broke");
}
