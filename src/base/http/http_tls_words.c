/* SPDX-License-Identifier: Apache-2.0 */
#include "base/http/http_tls_words.h"

#include <arpa/inet.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/http/http_tls.h"

#define NAMES_MAX 5 /* of a certificate that are said */
#define TEXT_SIZE 256

/* "2026-11-21 06:30 UTC" */
static const char *time_text(const ASN1_TIME *time, char text[32])
{
	struct tm parts;

	if (!time || ASN1_TIME_to_tm(time, &parts) != 1 ||
	    strftime(text, 32, "%Y-%m-%d %H:%M UTC", &parts) == 0)
		snprintf(text, 32, "an unknown time");
	return text;
}

static const char *now_text(char text[32])
{
	time_t now = time(NULL);
	struct tm parts;

	if (!gmtime_r(&now, &parts) || strftime(text, 32, "%Y-%m-%d %H:%M UTC", &parts) == 0)
		snprintf(text, 32, "an unknown time");
	return text;
}

/* The common name, as far as it is plain. */
static const char *common_name(X509_NAME *name, char text[TEXT_SIZE])
{
	if (!name || X509_NAME_get_text_by_NID(name, NID_commonName, text, TEXT_SIZE) <= 0)
		return "unknown";
	for (char *at = text; *at; at++)
		if (*at < ' ' || *at > '~')
			*at = '?';
	return text;
}

/* One name for which the certificate is, "" if it is none that can be said. */
static void name_text(const GENERAL_NAME *name, char text[TEXT_SIZE])
{
	const ASN1_STRING *value = name->d.ia5; /* dNSName and iPAddress are both ASN1_STRING */
	const unsigned char *bytes;
	int len;

	text[0] = '\0';
	if (name->type != GEN_DNS && name->type != GEN_IPADD)
		return;
	bytes = ASN1_STRING_get0_data(value);
	len = ASN1_STRING_length(value);
	if (name->type == GEN_IPADD && (len == 4 || len == 16)) {
		if (!inet_ntop(len == 4 ? AF_INET : AF_INET6, bytes, text, TEXT_SIZE))
			text[0] = '\0';
	} else if (name->type == GEN_DNS && len > 0 && len < TEXT_SIZE &&
		   !memchr(bytes, 0, (size_t)len)) {
		snprintf(text, TEXT_SIZE, "%.*s", len, (const char *)bytes);
		if (!http_text_is_plain(text))
			text[0] = '\0';
	}
}

/* "a, b and 2 more", or "no name". */
static void names_text(const X509 *certificate, char *text, size_t size)
{
	GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
	int count = names ? sk_GENERAL_NAME_num(names) : 0, said = 0;
	size_t used = 0;

	for (int i = 0; i < count && said < NAMES_MAX; i++) {
		char name[TEXT_SIZE];

		name_text(sk_GENERAL_NAME_value(names, i), name);
		if (!name[0] || used + strlen(name) + 32 > size)
			continue;
		used += (size_t)snprintf(text + used, size - used, "%s%s", said ? ", " : "", name);
		said++;
	}
	if (said == 0)
		snprintf(text, size, "no name");
	else if (said < count)
		snprintf(text + used, size - used, " and %d more", count - said);
	GENERAL_NAMES_free(names);
}

/* "the certificate of HOST", or of an authority above it. */
static const char *subject_text(X509 *certificate, int depth, const char *host, char *text,
				size_t size)
{
	char name[TEXT_SIZE];

	if (depth == 0)
		snprintf(text, size, "the certificate of %s", host);
	else
		snprintf(text, size, "the certificate of the authority \"%s\" of %s",
			 common_name(X509_get_subject_name(certificate), name), host);
	return text;
}

static void write_name_words(X509 *certificate, const char *host, struct error *ret)
{
	char names[300];

	names_text(certificate, names, sizeof(names));
	error_set(
		ret, 0,
		"the certificate is for %s, and not for %s: use such a name in the lake's URL, or "
		"make a certificate for %s",
		names, host, host);
}

static void write_words(X509 *certificate, int code, int depth, const char *host, struct error *ret)
{
	char subject[2 * TEXT_SIZE], name[TEXT_SIZE], when[32], now[32];

	subject_text(certificate, depth, host, subject, sizeof(subject));
	switch (code) {
	case X509_V_ERR_CERT_HAS_EXPIRED:
		error_set(ret, 0,
			  "%s expired at %s: put a new one on the lake's host (this host's clock "
			  "says %s)",
			  subject, time_text(X509_get0_notAfter(certificate), when), now_text(now));
		return;
	case X509_V_ERR_CERT_NOT_YET_VALID:
		error_set(ret, 0,
			  "%s is not valid before %s, and this host's clock says %s: set the "
			  "clocks of both hosts",
			  subject, time_text(X509_get0_notBefore(certificate), when),
			  now_text(now));
		return;
	case X509_V_ERR_HOSTNAME_MISMATCH:
	case X509_V_ERR_IP_ADDRESS_MISMATCH:
		write_name_words(certificate, host, ret);
		return;
	case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
	case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
	case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
	case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
	case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
	case X509_V_ERR_CERT_SIGNATURE_FAILURE:
		error_set(ret, 0,
			  "%s is not accepted: this host does not trust its issuer \"%s\"; give "
			  "the certificate of that authority by --tls-ca-file FILE",
			  subject, common_name(X509_get_issuer_name(certificate), name));
		return;
	default:
		error_set(ret, 0, "%s is not accepted: %s", subject,
			  X509_verify_cert_error_string(code));
	}
}

int http_tls_verified(int ok, X509_STORE_CTX *store)
{
	SSL *session = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
	struct http_tls_words *words = session ? SSL_get_app_data(session) : NULL;
	X509 *certificate = X509_STORE_CTX_get_current_cert(store);

	if (!ok && words && certificate && words->refused.text[0] == '\0')
		write_words(certificate, X509_STORE_CTX_get_error(store),
			    X509_STORE_CTX_get_error_depth(store), words->host, &words->refused);
	return ok;
}
