/* SPDX-License-Identifier: Apache-2.0 */
#include "server/server.h"

/* jemalloc(3). Planning a query is mostly allocation: with the malloc() of glibc the list of runs,
 * 20 of which ran, took 53 ms (four arenas) or 58 (two), not 48. Few arenas, as each keeps what it
 * had at most. Without threads of its own: they would begin before the lake gives up its rights,
 * and keep them. */
extern const char *malloc_conf;
const char *malloc_conf = "narenas:4,background_thread:false,dirty_decay_ms:5000,muzzy_decay_ms:0";

int main(int argc, char **argv)
{
	return server_main(argc, argv);
}
