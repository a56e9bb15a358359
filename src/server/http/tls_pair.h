/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <gnutls/abstract.h>
#include <stdint.h>

#include "base/error.h"

/* A certificate with its chain and its key, in memory. */
#define TLS_CHAIN_MAX 8
#define TLS_PEM_SIZE  (1 << 20)

struct tls_pair {
	gnutls_pcert_st chain[TLS_CHAIN_MAX];
	unsigned count;
	gnutls_privkey_t key;
	int64_t begins_at, expires_at; /* ns since the epoch */
	struct tls_pair *older;        /* those it replaced */
	int64_t replaced_at;
};

/* Reads both files. -errno with words that name the file and say what to do. */
int tls_pair_read(struct tls_pair **ret, const char *certificate, const char *key,
		  struct error *err);
void tls_pair_free(struct tls_pair *pair); /* without the older ones; NULL is fine */
