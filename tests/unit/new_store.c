/* SPDX-License-Identifier: Apache-2.0 */
#include "new_store.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"

void new_store_copy(const char *path)
{
	char *bytes;
	size_t len;
	int fd;

	assert_int_equal(file_read(AT_FDCWD, TRACER_NEW_STORE, 64 << 20, &bytes, &len), 0);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), len);
	assert_int_equal(close(fd), 0);
	free(bytes);
}
