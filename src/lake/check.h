#pragma once
#include "base/error.h"
#include "signal.pb-c.h"

#define BATCH_ID_MAX     128 /* bytes of host_id, boot_id, agent_id */
#define BATCH_LABELS_MAX 256 /* of one run */

/* What no store can hold. -EPROTO with words: an id of the header is missing or too long, sequence
 * is 0, a key is empty, too many labels, a text that is no UTF-8. */
int check_batch(const Signal__Batch *batch, struct error *err);
