/* SPDX-License-Identifier: Apache-2.0 */
#include "server/server.h"

/* jemalloc(3). Planning a query is mostly allocation: with the malloc() of glibc a page that asks
 * in several threads took an eighth longer, and one in twenty twice as long. What is free for five
 * seconds goes back to the kernel, so that an idle lake is small; an arena for each core would keep
 * more than the limits of docs/scale.md allow. */
extern const char *malloc_conf;
const char *malloc_conf = "narenas:4,background_thread:true,dirty_decay_ms:5000,muzzy_decay_ms:0";

int main(int argc, char **argv)
{
	return server_main(argc, argv);
}
