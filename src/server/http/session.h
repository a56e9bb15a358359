/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/error.h"

/*
 * Browser sessions. A login code is made by an administrator, works once within five minutes, and
 * becomes a session; its secret travels in a cookie. Only digests are kept: of codes in memory, of
 * sessions in a file too, so that they outlive a restart of the lake. Threads may call all of it at
 * once. `now_ns` is clock_real_ns().
 */
struct sessions;

#define SESSION_CODE_LIFE_S 300
#define SESSION_LIFE_S      (7 * 24 * 3600)
#define SESSION_MAX         256               /* beyond it the oldest ends */
#define SESSION_CODES_MAX   64                /* beyond it the oldest is void */
#define SESSION_SECRET_SIZE 65                /* 32 bytes as hex, and NUL */
#define SESSION_COOKIE      "tracer_session_" /* and the port: a browser sends cookies to all */

/* Reads the sessions of `path` (0600; NULL: none is kept), which need not be there. What is broken
 * in it is left out with a warning: those browsers log in again. -ENOMEM. */
int sessions_open(struct sessions **ret, const char *path, struct error *err);
void sessions_free(struct sessions *sessions); /* NULL is fine */

/* Makes a login code. */
void sessions_code(struct sessions *sessions, int64_t now_ns, char code[SESSION_SECRET_SIZE]);
/* Spends a code for a session's secret. -ENOENT: unknown, spent or too old. A session that cannot
 * be written to the file is valid until the lake ends; the log says so. */
int sessions_login(struct sessions *sessions, int64_t now_ns, const char *code,
		   char secret[SESSION_SECRET_SIZE]);
/* true when the secret is that of a live session. */
_Bool sessions_valid(struct sessions *sessions, int64_t now_ns, const char *secret);
/* Ends the session of a secret, in the file too. An unknown one does nothing. */
void sessions_logout(struct sessions *sessions, int64_t now_ns, const char *secret);
