/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"

/* A TCP socket that listens on "ADDRESS:PORT" (settings_address); *ret is the caller's descriptor.
 * -EADDRINUSE, -EACCES and the like with a message. */
int listener_open(const char *listen_at, int *ret, struct error *err);
