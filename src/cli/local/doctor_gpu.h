/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/json.h"

/* GPUs in `tracer doctor`: which can be read, and why others cannot. Tracer needs none. */
struct doctor_gpus {
	char *mode; /* auto, on, off; all three as the options of the agent */
	char *helper, *library_folder;
};

void doctor_gpus_print(const struct doctor_gpus *gpus);
/* The member "gpus": [{source, read, uuid, name, driver, memory_bytes, process_busy_known,
 * detail}]. */
void doctor_gpus_write(const struct doctor_gpus *gpus, struct json *json);
