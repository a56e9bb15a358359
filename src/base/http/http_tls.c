/* SPDX-License-Identifier: Apache-2.0 */
#include "base/http/http_tls.h"

#include <arpa/inet.h>
#include <errno.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/http/http_tls_words.h"

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

static int trust(SSL_CTX *context, const char *ca_file, struct error *err)
{
	if (!ca_file || !*ca_file)
		return trust_system(context, err);
	return SSL_CTX_load_verify_locations(context, ca_file, NULL) == 1
		       ? 0
		       : error_set(err, -EINVAL, "%s cannot be read as PEM certificates", ca_file);
}

static int show(SSL_CTX *context, const struct http_tls_files *files, struct error *err)
{
	if (!files->certificate || !*files->certificate)
		return 0;
	if (!files->key || !*files->key)
		return error_set(err, -EINVAL, "the certificate %s needs its key, too",
				 files->certificate);
	if (SSL_CTX_use_certificate_chain_file(context, files->certificate) != 1)
		return error_set(err, -EINVAL, "%s cannot be read as a PEM certificate",
				 files->certificate);
	if (SSL_CTX_use_PrivateKey_file(context, files->key, SSL_FILETYPE_PEM) != 1)
		return error_set(err, -EINVAL,
				 "%s cannot be read as the PEM key of the certificate %s",
				 files->key, files->certificate);
	return 0;
}

/* A key with a password is an error: no one is there to be asked. */
static int no_password(char *text, int size, int writes, void *context)
{
	return -1;
}

int http_tls_context(SSL_CTX **ret, const struct http_tls_files *files, struct error *err)
{
	SSL_CTX *context = SSL_CTX_new(TLS_client_method());
	int rc;
	if (!context)
		return error_set(err, -ENOMEM, "no memory for TLS");
	SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
	SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
	SSL_CTX_set_default_passwd_cb(context, no_password);
	rc = trust(context, files->ca, err);
	if (rc == 0)
		rc = show(context, files, err);
	ERR_clear_error();
	if (rc != 0)
		SSL_CTX_free(context);
	else
		*ret = context;
	return rc;
}

SSL *http_tls_session(SSL_CTX *context, const struct http_url *url, struct http_tls_words *words)
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
	words->host = url->host;
	words->refused.text[0] = '\0';
	SSL_set_app_data(session, words);
	SSL_set_verify(session, SSL_VERIFY_PEER, http_tls_verified);
	return session;
}

int http_tls_error(const SSL *session, unsigned long code, const struct http_tls_words *words,
		   struct error *err)
{
	const char *reason = code != 0 ? ERR_reason_error_string(code) : NULL;
	if (words->refused.text[0] != '\0')
		return error_set(err, -EPROTO, "TLS: %s", words->refused.text);
	if (ERR_GET_REASON(code) == SSL_R_WRONG_VERSION_NUMBER)
		return error_set(err, -EPROTO,
				 "TLS: what answers at %s does not speak TLS: is its URL http://…?",
				 words->host);
	return error_set(err, -EPROTO, "TLS: %s", reason ? reason : "the connection broke");
}
