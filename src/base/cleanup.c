/* SPDX-License-Identifier: Apache-2.0 */
#include "base/cleanup.h"

#include <errno.h>
#include <unistd.h>

void closep(int *fd)
{
	int kept = errno;

	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	errno = kept;
}

void fclosep(FILE **file)
{
	if (*file)
		fclose(*file);
	*file = NULL;
}
