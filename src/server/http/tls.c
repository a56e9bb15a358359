/* SPDX-License-Identifier: Apache-2.0 */
#include "server/http/tls.h"

#include <errno.h>
#include <fcntl.h>
#include <gnutls/x509.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "server/http/tls_pair.h"

#define DAY_NS (24 * 3600 * NS_PER_S)

/* A handshake uses the pair that it began with: 20 s at most (SERVER_ARRIVAL_S). */
#define KEEP_REPLACED_NS (600 * NS_PER_S)

enum { CERTIFICATE, KEY, CLIENT_CA, FILES };

/* What a file was like: another inode, size or time is another file. */
struct stamp {
	dev_t device;
	ino_t inode;
	off_t size;
	struct timespec modified;
};

struct tls {
	pthread_rwlock_t lock;
	const char *paths[FILES]; /* "": there is none */
	struct tls_pair *pair;
	gnutls_x509_trust_list_t clients; /* NULL: agents need no certificate */
	char *authorities;                /* PEM, as at the start */
	struct tls_state state;
	/* Of the ticker alone: the files as they were read, and as they were a tick ago. */
	struct stamp read[FILES], seen[FILES];
	int64_t warned_at;
};

/* GnuTLS calls give_pair without a context. */
static struct tls *serving;

static void take_stamps(const struct tls *tls, struct stamp stamps[FILES])
{
	memset(stamps, 0, FILES * sizeof(*stamps));
	for (int i = 0; i < FILES; i++) {
		struct stat status;

		if (!*tls->paths[i] || stat(tls->paths[i], &status) < 0)
			continue;
		stamps[i].device = status.st_dev;
		stamps[i].inode = status.st_ino;
		stamps[i].size = status.st_size;
		stamps[i].modified = status.st_mtim;
	}
}

static bool same_stamps(const struct stamp a[FILES], const struct stamp b[FILES])
{
	return memcmp(a, b, FILES * sizeof(*a)) == 0;
}

static int read_clients(const char *path, gnutls_x509_trust_list_t *ret, char **ret_pem,
			struct error *err)
{
	CLEANUP(freep) char *text = NULL;
	gnutls_x509_trust_list_t list;
	gnutls_datum_t pem;
	size_t len;
	int count, rc = *path ? file_read(AT_FDCWD, path, TLS_PEM_SIZE, &text, &len) : 0;

	if (rc)
		return error_set(err, rc, "cannot read %s: %s", path, strerror(-rc));
	if (!*path)
		return 0;
	if (gnutls_x509_trust_list_init(&list, 0) < 0)
		return error_set(err, -ENOMEM, "out of memory");
	pem = (gnutls_datum_t){ .data = (unsigned char *)text, .size = (unsigned)len };
	count = gnutls_x509_trust_list_add_trust_mem(list, &pem, NULL, GNUTLS_X509_FMT_PEM, 0, 0);
	if (count <= 0) {
		gnutls_x509_trust_list_deinit(list, 1);
		return error_set(err, -EINVAL, "%s holds no PEM certificates of authorities: %s",
				 path, count < 0 ? gnutls_strerror(count) : "it has none");
	}
	*ret = list;
	*ret_pem = TAKE_PTR(text);
	return 0;
}

static void free_replaced(struct tls_pair **pairs, int64_t before_ns)
{
	while (*pairs) {
		struct tls_pair *pair = *pairs;

		if (pair->replaced_at >= before_ns) {
			pairs = &pair->older;
			continue;
		}
		*pairs = pair->older;
		tls_pair_free(pair);
	}
}

/* Takes what was read into use. */
static void replace(struct tls *tls, struct tls_pair *pair, gnutls_x509_trust_list_t clients,
		    int64_t now_ns)
{
	gnutls_x509_trust_list_t clients_before;

	pthread_rwlock_wrlock(&tls->lock);
	clients_before = tls->clients;
	tls->clients = clients;
	if (tls->pair)
		tls->pair->replaced_at = now_ns;
	pair->older = tls->pair;
	tls->pair = pair;
	free_replaced(&pair->older, now_ns - KEEP_REPLACED_NS);
	tls->state.expires_at = pair->expires_at;
	tls->state.reload = (struct error){ "" };
	tls->state.reloads++;
	pthread_rwlock_unlock(&tls->lock);
	if (clients_before)
		gnutls_x509_trust_list_deinit(clients_before, 1);
}

/* Reads all files. An expired certificate does not replace one that is valid. */
static int read_files(struct tls *tls, int64_t now_ns, struct error *err)
{
	CLEANUP(freep) char *authorities = NULL;
	gnutls_x509_trust_list_t clients = NULL;
	struct tls_pair *pair = NULL;
	int rc = tls_pair_read(&pair, tls->paths[CERTIFICATE], tls->paths[KEY], err);

	if (rc == 0 && pair->expires_at <= now_ns && tls->pair && tls->pair->expires_at > now_ns)
		rc = error_set(err, -EKEYEXPIRED, "the certificate in %s has expired",
			       tls->paths[CERTIFICATE]);
	if (rc == 0)
		rc = read_clients(tls->paths[CLIENT_CA], &clients, &authorities, err);
	if (rc) {
		tls_pair_free(pair);
		return rc;
	}
	if (!tls->authorities)
		tls->authorities = TAKE_PTR(authorities);
	replace(tls, pair, clients, now_ns);
	return 0;
}

static void warn_of_end(struct tls *tls, int64_t now_ns)
{
	char when[CLOCK_TEXT_SIZE];
	int64_t left_ns = tls->state.expires_at - now_ns;

	if (left_ns > TLS_WARN_DAYS * DAY_NS || now_ns - tls->warned_at < DAY_NS)
		return;
	tls->warned_at = now_ns;
	clock_format(tls->state.expires_at, when);
	if (left_ns <= 0)
		log_warning("the certificate in %s expired at %s: agents and browsers refuse this "
			    "lake; put a new one there, which is read at once",
			    tls->paths[CERTIFICATE], when);
	else
		log_warning("the certificate in %s expires in %lld days, at %s: renew it in time; "
			    "a new one there is read at once",
			    tls->paths[CERTIFICATE], (long long)(left_ns / DAY_NS), when);
}

int tls_open(struct tls **ret, const struct tls_files *files, struct error *err)
{
	struct tls *tls = calloc(1, sizeof(*tls));
	int rc;

	if (!tls)
		return error_set(err, -ENOMEM, "out of memory");
	pthread_rwlock_init(&tls->lock, NULL);
	tls->paths[CERTIFICATE] = files->certificate;
	tls->paths[KEY] = files->key;
	tls->paths[CLIENT_CA] = files->client_ca;
	snprintf(tls->state.file, sizeof(tls->state.file), "%s", files->certificate);
	tls->state.needs_certificate = *files->client_ca != '\0';
	take_stamps(tls, tls->read);
	rc = read_files(tls, clock_real_ns(), err);
	if (rc) {
		tls_close(tls);
		return rc;
	}
	tls->state.reloads = 0;
	memcpy(tls->seen, tls->read, sizeof(tls->seen));
	warn_of_end(tls, clock_real_ns());
	serving = tls;
	*ret = tls;
	return 0;
}

void tls_close(struct tls *tls)
{
	if (!tls)
		return;
	if (serving == tls)
		serving = NULL;
	free_replaced(&tls->pair, INT64_MAX);
	if (tls->clients)
		gnutls_x509_trust_list_deinit(tls->clients, 1);
	pthread_rwlock_destroy(&tls->lock);
	free(tls->authorities);
	free(tls);
}

/* settled: the files are as they were a tick ago. Certificate and key are replaced one after the
 * other: what does not fit in between is tried again before anything is said. */
static void reload(struct tls *tls, bool settled, int64_t now_ns)
{
	char when[CLOCK_TEXT_SIZE];
	struct error err = { "" };

	if (read_files(tls, now_ns, &err) == 0) {
		log_info("the certificate in %s is in use now; it expires at %s",
			 tls->paths[CERTIFICATE], clock_format(tls->state.expires_at, when));
		tls->warned_at = 0;
	} else if (settled) {
		log_warning("%s: the certificate that was read before stays in use",
			    error_text(&err));
		pthread_rwlock_wrlock(&tls->lock);
		tls->state.reload = err;
		pthread_rwlock_unlock(&tls->lock);
	} else {
		return;
	}
	memcpy(tls->read, tls->seen, sizeof(tls->read));
}

void tls_tick(struct tls *tls, int64_t now_ns)
{
	struct stamp before[FILES];

	memcpy(before, tls->seen, sizeof(before));
	take_stamps(tls, tls->seen);
	if (!same_stamps(tls->seen, tls->read))
		reload(tls, same_stamps(tls->seen, before), now_ns);
	warn_of_end(tls, now_ns);
}

void tls_state(struct tls *tls, struct tls_state *ret)
{
	pthread_rwlock_rdlock(&tls->lock);
	*ret = tls->state;
	pthread_rwlock_unlock(&tls->lock);
}

/* GnuTLS uses the pair until the end of the handshake and does not free it. */
static int give_pair(gnutls_session_t session, const gnutls_datum_t *authorities, int count,
		     const gnutls_pk_algorithm_t *algorithms, int algorithm_count,
		     gnutls_pcert_st **ret_chain, unsigned *ret_count, gnutls_privkey_t *ret_key)
{
	struct tls *tls = serving;

	if (!tls)
		return -1;
	pthread_rwlock_rdlock(&tls->lock);
	*ret_chain = tls->pair->chain;
	*ret_count = tls->pair->count;
	*ret_key = tls->pair->key;
	pthread_rwlock_unlock(&tls->lock);
	return 0;
}

void *tls_callback(void)
{
	return (void *)(intptr_t)give_pair;
}

char *tls_client_authorities(struct tls *tls)
{
	return tls->authorities;
}

/* Imports what the client sent; the caller deinits *ret_count of them. */
static void import_peer(gnutls_session_t session, gnutls_x509_crt_t chain[TLS_CHAIN_MAX],
			unsigned *ret_count)
{
	unsigned sent = 0;
	const gnutls_datum_t *raw = gnutls_certificate_get_peers(session, &sent);

	*ret_count = 0;
	while (raw && *ret_count < sent && *ret_count < TLS_CHAIN_MAX) {
		if (gnutls_x509_crt_init(&chain[*ret_count]) < 0)
			return;
		if (gnutls_x509_crt_import(chain[*ret_count], &raw[*ret_count],
					   GNUTLS_X509_FMT_DER) < 0) {
			gnutls_x509_crt_deinit(chain[*ret_count]);
			return;
		}
		(*ret_count)++;
	}
}

static bool verify(struct tls *tls, gnutls_x509_crt_t *chain, unsigned count, struct error *words)
{
	gnutls_typed_vdata_st purpose = { .type = GNUTLS_DT_KEY_PURPOSE_OID,
					  .data = (unsigned char *)GNUTLS_KP_TLS_WWW_CLIENT };
	unsigned verdict = GNUTLS_CERT_INVALID;
	gnutls_datum_t text = { 0 };
	int code;

	pthread_rwlock_rdlock(&tls->lock);
	code = gnutls_x509_trust_list_verify_crt2(tls->clients, chain, count, &purpose, 1, 0,
						  &verdict, NULL);
	pthread_rwlock_unlock(&tls->lock);
	if (code >= 0 && verdict == 0)
		return true;
	if (gnutls_certificate_verification_status_print(verdict, GNUTLS_CRT_X509, &text, 0) < 0)
		text.data = NULL;
	error_set(words, -EACCES, "this agent's certificate is not accepted: %s",
		  text.data ? (const char *)text.data : "it cannot be verified");
	gnutls_free(text.data);
	return false;
}

bool tls_client_is_known(struct tls *tls, struct MHD_Connection *connection, struct error *words)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
	gnutls_x509_crt_t chain[TLS_CHAIN_MAX];
	unsigned count = 0;
	bool known = true;

	if (!tls->state.needs_certificate)
		return true;
	if (info && info->tls_session)
		import_peer(info->tls_session, chain, &count);
	if (count == 0)
		error_set(
			words, -EACCES,
			"this lake takes batches only of agents with a certificate: give the agent "
			"--tls-certificate-file and --tls-key-file");
	known = count > 0 && verify(tls, chain, count, words);
	for (unsigned i = 0; i < count; i++)
		gnutls_x509_crt_deinit(chain[i]);
	return known;
}
