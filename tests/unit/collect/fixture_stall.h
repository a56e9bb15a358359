/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * What a process may hang on, and how: real pipes and sockets, real calls.
 */

/* Makes it: [0] is the end of the one that hangs, the others stay with the other; what there is
 * none of stays -1. A client's connection was accepted, one that is queued was not. */
typedef void make_ends(int ends[3]);
make_ends pipe_to_read, pipe_to_write, unix_pair, unix_queued, tcp4_queued, tcp6_queued,
	unix_client, tcp4_client, tcp6_client, unix_server, tcp4_server, tcp4_listener;
/* In a network of its own, in which 192.0.2.0/24 answers nothing: a connection to 192.0.2.1:443. */
make_ends tcp4_away;

/* Hangs on a descriptor for ever; those that poll ask for what never comes. */
typedef void hang(int fd);
hang reads, writes, accepts, polls, selects, epolls, epolls_many, polls_beside_many, sleeps_in_poll,
	polls_its_own_pipe;
