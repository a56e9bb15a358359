/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>

#include "base/error.h"

/*
 * `tracer up --lake URL`: this host sends to the lake of another, and has none of its own. The
 * steps are up_join_prepare, starting the agent, up_join_finish.
 */
struct up_join {
	const char *data;
	/* As the user gave them; "": not given, what DATA/joined has is kept. */
	const char *url, *token_file, *read_token_file;
	const char *ca_file, *certificate_file, *key_file;
	bool as_json; /* what is printed */
};

/* Asks the lake whether it would take a batch with this token, then keeps what was given in
 * DATA/joined. -errno with words that say what is wrong (the connection, TLS, the token) and what
 * to do: nothing is kept then, and the agent must not start. Where nothing is given, as after a
 * restart of a joined host, a lake that does not answer is no error: the agent keeps its batches.
 */
int up_join_prepare(const struct up_join *join, struct error *err);

/* Waits until the lake acknowledged a batch of the agent, and says so. started: 0, or the error of
 * the steps before, which is returned again. What the lake refuses for good ends the agent and
 * forgets a lake that was given now: -EACCES with words; -ETIME with words: none arrived yet, the
 * agent goes on trying. Where nothing is given both are a warning. */
int up_join_finish(const struct up_join *join, int started, struct error *err);
