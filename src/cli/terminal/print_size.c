/* SPDX-License-Identifier: Apache-2.0 */
#include <sys/ioctl.h>

#include "cli/terminal/print.h"

/* The size of the terminal that a file is. */

size_t print_width(FILE *out)
{
	struct winsize size;

	return ioctl(fileno(out), TIOCGWINSZ, &size) < 0 ? 0 : size.ws_col;
}

size_t print_height(FILE *out)
{
	struct winsize size;

	return ioctl(fileno(out), TIOCGWINSZ, &size) < 0 ? 0 : size.ws_row;
}
