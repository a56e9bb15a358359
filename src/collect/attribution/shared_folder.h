/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/*
 * Which folder a path means, said so that every host that has it mounted says the same: server and
 * path of a network file system ("nfs server:/export/work"), wherever it is mounted. A folder on a
 * local disk is that of its kernel alone: boot id, device and path.
 */
#define SHARED_FOLDER_SIZE 1024 /* with the NUL; a longer one is none */

/* mountinfo: the text of /proc/PID/mountinfo, changed while it is read. path: absolute, as that
 * process sees it. false: no mount is above it, or the text is too long. */
bool shared_folder(char *mountinfo, const char *path, const char *boot_id,
		   char ret[SHARED_FOLDER_SIZE]);
