/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* The standard output of a command: what happens when it cannot be written. Process-wide. */

/* Ignores SIGPIPE, so that a connection that ends is an error and no death. Once, at the start. */
void output_setup(void);
/* Gives SIGPIPE back as it was, for a program that this process is about to become. */
void output_restore(void);
/* Writes what is buffered. Returns status, or EXIT_FAILED after saying why it cannot be written.
 * Where its reader went away (`tracer report | head`) it says nothing and ends the process by
 * SIGPIPE, as other programs do. */
int output_finish(int status);
