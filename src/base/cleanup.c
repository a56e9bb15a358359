#include "base/cleanup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void freep(void *pointer_to_pointer)
{
	void *pointer;

	memcpy(&pointer, pointer_to_pointer, sizeof(pointer));
	free(pointer);
	memset(pointer_to_pointer, 0, sizeof(pointer));
}

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
