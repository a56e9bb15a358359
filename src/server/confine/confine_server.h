/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"

struct settings;

/* Confines the process (confine.h) to the folders of the settings: those of data and tokens, where
 * it also writes, and those of the TLS files, so that new ones can be read there. Makes the data
 * folder. */
int confine_server(const struct settings *settings, struct error *err);
