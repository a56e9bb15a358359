/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/json.h"

/* What `tracer doctor` says of GPUs: each that can be read, and why others cannot. None is needed.
 */
struct doctor_gpus {
	char *mode; /* auto, on, off: as the agent's options of these names */
	char *helper, *library_folder;
};

void doctor_gpus_print(const struct doctor_gpus *gpus);
/* The member "gpus": [{source, read, uuid, name, driver, memory_bytes, process_busy_known,
 * detail}]. */
void doctor_gpus_write(const struct doctor_gpus *gpus, struct json *json);
