/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Errors on the standard output of a command. Process-wide. */

/* Ignores SIGPIPE, so that a closed connection is an error and does not end the process. Call it
 * once at the start. */
void output_setup(void);
/* Restores the disposition of SIGPIPE; call it before exec. */
void output_restore(void);
/* Flushes stdout. Returns status, or EXIT_FAILED after a message where stdout cannot be written.
 * Where the reader of a pipe is gone (`tracer report | head`), ends the process by SIGPIPE without
 * a message, as other programs do. */
int output_finish(int status);
