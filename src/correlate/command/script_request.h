/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "correlate/model/request.h"

/*
 * The resources that a task's script asks for: directives for a batch system in its head (sbatch,
 * qsub, bsub, msub, oarsub), or options of `docker run` and other container runtimes. Pure.
 */
struct request script_request(const char *text);
