/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "loop_disk.h"

int loop_disk_over(struct loop_disk *disk, int file)
{
	CLEANUP(closep) int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);

	if (file < 0 || control < 0)
		fail_msg("a loop device: %s", strerror(errno));
	for (int tries = 0; tries < 50; tries++) {
		const struct loop_config config = { .fd = (unsigned)file };
		int number = ioctl(control, LOOP_CTL_GET_FREE);

		assert_true(number >= 0);
		snprintf(disk->name, sizeof(disk->name), "loop%d", number);
		snprintf(disk->path, sizeof(disk->path), "/dev/%s", disk->name);
		disk->fd = open(disk->path, O_RDWR | O_CLOEXEC);
		if (disk->fd >= 0 && !ioctl(disk->fd, LOOP_CONFIGURE, &config))
			return 0;
		closep(&disk->fd);
		usleep(20000); /* another process took it, or its device node does not exist yet */
	}
	return -1;
}

int loop_disk_make(struct loop_disk *ret, off_t bytes)
{
	char backing[] = "/var/tmp/loop_disk.XXXXXX";
	CLEANUP(closep) int file = mkstemp(backing);

	if (file < 0)
		fail_msg("%s: %s", backing, strerror(errno));
	unlink(backing);
	assert_int_equal(posix_fallocate(file, 0, bytes), 0);
	return loop_disk_over(ret, file);
}

void loop_disk_remove(struct loop_disk *disk)
{
	ioctl(disk->fd, LOOP_CLR_FD);
	closep(&disk->fd);
}
