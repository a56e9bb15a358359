/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/buffer.h"
#include "simulated_agent.h"

/* What an execution that ended did with files, sockets and disks: it read the file that the
 * execution `before` numbers earlier wrote, and wrote one; some have networks, latencies, events.
 */
void simulated_files(struct buffer *out, const struct simulated_process *process, unsigned before);
