/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

struct server;

/* Adds what came since to the sums of the store (docs/lake.md, "Sums over hosts"). Called by the
 * ticker each minute. Where much came, it goes on in the next second (server->roll_up_next); where
 * little came, it waits for an hour at most. */
void server_roll_up(struct server *server);
/* The same, however little came. */
void server_roll_up_all(struct server *server);
