/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a new and empty store, which tests copy: make_store PATH. */
#include <stdio.h>
#include <unistd.h>

#include "lake/store/store.h"

int main(int argc, char **argv)
{
	struct store_options options = { .path = argv[1] };
	struct error err = { "" };
	struct store *store;

	if (argc != 2) {
		fprintf(stderr, "usage: make_store PATH\n");
		return 2;
	}
	(void)unlink(argv[1]);
	if (store_open(&store, &options, &err)) {
		fprintf(stderr, "make_store: %s\n", error_text(&err));
		return 1;
	}
	store_close(store);
	return 0;
}
