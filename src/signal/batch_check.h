#pragma once
#include "base/error.h"
#include "signal.pb-c.h"

/* What batch_unpack demands of a message that parsed. Texts that are no UTF-8 are repaired in place
 * (U+FFFD); -EPROTO for an id that is missing (of agent, host, boot, a run, a task) or longer than
 * 128 bytes, or a sequence of 0; -ENOMEM. */
int batch_check(Signal__Batch *batch, struct error *err);
