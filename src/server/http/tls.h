/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct MHD_Connection;

/*
 * The lake's certificate and key, and the authorities of agents' certificates. tls_tick reads files
 * that changed (certbot renames new ones into place): a connection that begins afterwards gets the
 * new certificate, all others go on. What cannot be used leaves the old one in force, and the state
 * says why. GnuTLS gives its callback no context: a process has one struct tls. All functions are
 * thread-safe once it is open.
 */
struct tls;

#define TLS_WARN_DAYS 14 /* before the certificate expires, the log has a line a day */

struct tls_files {
	const char *certificate; /* PEM: the chain, its own certificate first */
	const char *key;         /* PEM */
	const char *client_ca;   /* PEM; "": agents need no certificate */
};

struct tls_state {
	int64_t expires_at;     /* ns since the epoch: of the certificate in force */
	uint64_t reloads;       /* that took other files into use */
	struct error reload;    /* why the files as they are now are not in use; "": they are */
	char file[256];         /* of the certificate */
	bool needs_certificate; /* of agents */
};

/* -errno with words: a file is missing, is no PEM, is of another key. The paths must outlive it. A
 * certificate that has expired is used, with a warning. */
int tls_open(struct tls **ret, const struct tls_files *files, struct error *err);
void tls_close(struct tls *tls); /* NULL is fine */

/* Once a second: reads the files again where they changed, and warns of the end of the certificate.
 * now_ns: clock_real_ns(). */
void tls_tick(struct tls *tls, int64_t now_ns);
void tls_state(struct tls *tls, struct tls_state *ret);

/* What the options of libmicrohttpd get: the callback that gives the certificate, and the
 * authorities at the start ("": none are named to clients). */
void *tls_callback(void);
char *tls_client_authorities(struct tls *tls);

/* Whether the client of a TLS connection has a valid certificate of one of the authorities. words
 * say why not. Always true where none is needed. */
bool tls_client_is_known(struct tls *tls, struct MHD_Connection *connection, struct error *words);
