/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* `tracer up --lake URL`: this host sends to the lake of another, and has none of its own. */

struct up_join {
	const char *data;
	/* As the user gave them; "": not given, what DATA/joined has is kept. */
	const char *url, *token_file, *read_token_file;
	const char *ca_file, *certificate_file, *key_file;
};

struct up_joined {
	char url[600];
	int64_t clock_offset_ns; /* the lake's clock minus this host's; 0: not known */
	bool can_read;           /* there is a read token */
};

/* Asks the lake whether it would take a batch with this token, then keeps what was given in
 * DATA/joined. Starts nothing. -errno with words that say what is wrong (the connection, TLS, the
 * token) and what to do; nothing is kept then. */
int up_join_prepare(const struct up_join *join, struct error *err);

/* Waits until the lake acknowledged a batch of the running agent. -EACCES with words: the lake
 * refuses it for good; -ETIME with words: none arrived yet, the agent goes on trying. */
int up_join_wait(const char *data, struct up_joined *ret, struct error *err);

/* Says that it arrived, and what to do next; a warning on stderr where the clocks differ. */
void up_join_print(const struct up_joined *joined, bool as_json);
