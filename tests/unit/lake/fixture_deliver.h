/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "lake/store/store.h"

/* Sends a batch as an agent does, packed, and waits for the answer, which is that of store_ingest.
 */
int deliver(struct store *store, const Signal__Batch *batch, bool *ret_duplicate,
	    struct error *err);
