/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "correlate/model/request.h"

/*
 * What the script of a task asks for, as an engine writes it for a batch system (directives of
 * sbatch, qsub, bsub, msub, oarsub in its head) or a container runtime (options of `docker run` and
 * its like). Pure.
 */
struct request script_request(const char *text);
