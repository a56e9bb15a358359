/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

/*
 * Browser sessions. A login code is made by an administrator, works once within five minutes, and
 * becomes a session; its secret travels in a cookie. Only digests are kept, and only in
 * memory: a restarted lake asks for a new link. Threads may call all of it at once. `now_ns` is
 * clock_monotonic_ns().
 */
struct sessions;

#define SESSION_CODE_LIFE_S 300
#define SESSION_LIFE_S      (7 * 24 * 3600)
#define SESSION_MAX         256 /* beyond it the oldest ends */
#define SESSION_CODES_MAX   64  /* beyond it the oldest is void */
#define SESSION_SECRET_SIZE 65  /* 32 bytes as hex, and NUL */
#define SESSION_COOKIE      "tracer_session"

struct sessions *sessions_new(void); /* NULL: no memory */
void sessions_free(struct sessions *sessions);

/* Makes a login code. */
void sessions_code(struct sessions *sessions, uint64_t now_ns, char code[SESSION_SECRET_SIZE]);
/* Spends a code for a session's secret. -ENOENT: unknown, spent or too old. */
int sessions_login(struct sessions *sessions, uint64_t now_ns, const char *code,
		   char secret[SESSION_SECRET_SIZE]);
/* true when the secret is that of a live session. */
_Bool sessions_valid(struct sessions *sessions, uint64_t now_ns, const char *secret);
