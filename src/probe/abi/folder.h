/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include "probe/abi/process_head.h"

/* A folder that an engine made for a task before the task runs. It is sent at once if its path ends
 * like those that engines give to tasks. */
#define FOLDER_PATH_MAX 1024

struct process_folder_record {
	struct process_head head;
	char path[FOLDER_PATH_MAX]; /* as the program gave it; a longer path is not sent */
};
