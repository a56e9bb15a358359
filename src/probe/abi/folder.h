/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#pragma once
#include "probe/abi/process_head.h"

/* A folder that was made for a task of which nothing runs yet: told at once, where its path ends as
 * an engine calls such folders. */
#define FOLDER_PATH_MAX 1024

struct process_folder_record {
	struct process_head head;
	char path[FOLDER_PATH_MAX]; /* as it was asked for; a longer one is not told */
};
