/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <jansson.h>

#include "base/error.h"

struct aws_call;

/* What is wrong where AWS answers a call with another status than 200: -EAGAIN: later it may work;
 * -EKEYEXPIRED, -EACCES, -EPROTO; with words. answer: its body; NULL: it has another form. */
int aws_fault(const struct aws_call *call, long status, const json_t *answer, struct error *err);
