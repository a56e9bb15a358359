/* SPDX-License-Identifier: Apache-2.0 */
#include "server/server.h"

/* jemalloc(3). Planning a query is mostly allocation: with the malloc() of glibc a page that asks
 * in several threads took an eighth longer, and one in twenty twice as long. An arena for each core
 * would keep more than the limits of docs/scale.md allow. Without threads of its own: they would
 * begin before the lake gives up its rights, and keep them. */
extern const char *malloc_conf;
const char *malloc_conf = "narenas:4,background_thread:false,dirty_decay_ms:5000,muzzy_decay_ms:0";

int main(int argc, char **argv)
{
	return server_main(argc, argv);
}
