/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Real certificates, made with OpenSSL, and their keys, as PEM files. */
struct certificate {
	const char *name;         /* the common name */
	const char *alternatives; /* "IP:127.0.0.1,DNS:lake.test"; NULL: it is an authority */
	const char *issuer;       /* the path of the issuer, as given below; NULL: itself */
	long from_s, until_s;     /* from now */
};

/* Writes PATH.pem (with the issuer's behind its own) and PATH.key, each by a rename. */
void certificate_make(const char *path, const struct certificate *wanted);
