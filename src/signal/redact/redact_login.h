/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "signal/redact/redact_command.h"
#include "signal/redact/redact_word.h"

/* A password beside a user's name, to a tool that no table knows: "--user me:VALUE", "-u me:VALUE",
 * "-u me -p VALUE". What else such options hold stays: "--user 1000:1000", "-u host:8080",
 * "-p 8080:80". */

/* What of the argument at `at` is such a password; false: nothing. */
bool redact_login(const struct redact_command *command, size_t at, struct redact_place *ret);
