/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "collect/attribution/shared_folder.h"

static const char mounts[] =
	"22 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw\n"
	"30 22 0:26 / /proc rw - proc proc rw\n"
	"40 22 0:50 / /data rw,relatime shared:9 - nfs4 filer:/export/data rw,vers=4.2\n"
	"41 22 0:51 /lab /home rw,relatime - nfs 10.0.0.7:/ rw,vers=3\n"
	"42 40 254:2 / /data/local rw master:2 propagate_from:1 - xfs /dev/vdb rw\n"
	"43 22 0:60 / /lustre rw - lustre mgs@tcp:/scratch rw\n"
	"44 22 0:61 / /with\\040blank rw - nfs filer:/b\\040c/ rw\n"
	"45 22 0:62 /sub/dir /bind rw - nfs4 filer:/export/data rw\n"
	"46 22 0:63 / /over rw - nfs4 first:/x rw\n"
	"47 22 0:64 / /over rw - nfs4 second:/x rw\n"
	"broken line\n"
	"48 22 0:65 / /tag rw - 9p shared rw\n";

static const struct {
	const char *path, *said; /* NULL: nothing */
} rows[] = {
	{ "/data/run/work", "nfs filer:/export/data/run/work" },
	{ "/data", "nfs filer:/export/data" },
	{ "/database", "boot B 254:1 /database" },
	{ "/home/ada", "nfs 10.0.0.7:/lab/ada" },
	{ "/data/local/x", "boot B 254:2 /x" },
	{ "/lustre/x", "lustre mgs@tcp:/scratch/x" },
	{ "/with blank/x", "nfs filer:/b c/x" },
	{ "/bind/run/work", "nfs filer:/export/data/sub/dir/run/work" },
	{ "/over/x", "nfs second:/x/x" },
	{ "/tag/x", "boot B 0:65 /x" },
	{ "/srv/x", "boot B 254:1 /srv/x" },
	{ "/srv/x/", "boot B 254:1 /srv/x" },
	{ "relative", NULL },
	{ "", NULL },
};

static void a_folder_is_what_every_host_would_say(void **state)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char *text = strdup(mounts), said[SHARED_FOLDER_SIZE];
		bool known = shared_folder(text, rows[i].path, "B", said);

		assert_int_equal(known, rows[i].said != NULL);
		if (known)
			assert_string_equal(said, rows[i].said);
		free(text);
	}
}

static void what_is_too_long_or_has_no_mount_is_none(void **state)
{
	char said[SHARED_FOLDER_SIZE], path[SHARED_FOLDER_SIZE + 8], none[] = "";
	char *text = strdup(mounts);

	memset(path, 'x', sizeof(path));
	path[0] = '/';
	path[sizeof(path) - 1] = '\0';
	assert_false(shared_folder(text, path, "B", said));
	assert_false(shared_folder(none, "/x", "B", said));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_folder_is_what_every_host_would_say),
		cmocka_unit_test(what_is_too_long_or_has_no_mount_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
