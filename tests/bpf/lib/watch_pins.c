/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <sys/mount.h>
#include <unistd.h>

#include "watch.h"

char watch_pins[] = "/tmp/probe_pins.XXXXXX";

int watch_mount_pins(void **state)
{
	return !mkdtemp(watch_pins) || mount("bpf", watch_pins, "bpf", 0, NULL) ? -1 : 0;
}

int watch_unmount_pins(void **state)
{
	return umount(watch_pins) || rmdir(watch_pins);
}

struct watch *watch_pinned(void)
{
	const char *const names[] = { watch_driver_name() };

	return watch_new(&(struct probe_options){
		.names = names, .name_count = 1, .pin_folder = watch_pins });
}
