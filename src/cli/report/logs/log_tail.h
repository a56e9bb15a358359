/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdio.h>

/* The end of a log file of this host. Its path and content are outside data. */

#define LOG_TAIL_BYTES 65536 /* read at most */
#define LOG_TAIL_LINES 20    /* shown at most */

/* Prints the last lines of a file below a line that names it. Bytes that command a terminal become
 * '?'. Prints nothing and returns -errno where there is nothing to show: -ENODATA: it is empty;
 * -EINVAL: its path is not absolute; -EBADF: it is no regular file; -ELOOP: it is a
 * symbolic link; else why it could not be opened or read. Never waits (for the writer of a pipe).
 */
int log_tail_print(FILE *out, const char *path);
