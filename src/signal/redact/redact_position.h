/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "signal/redact/redact_command.h"
#include "signal/redact/redact_word.h"

/* Secrets at a certain position: "mc alias set NAME URL ACCESS SECRET", "wandb login KEY", and
 * after their names: "aws configure set aws_secret_access_key VALUE". */

/* Is the argument at `at` one, or a part of it? */
bool redact_position(const struct redact_command *command, size_t at, struct redact_place *ret);
