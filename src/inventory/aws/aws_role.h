/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"

struct aws_session;

/* Replaces the credentials of a session by those of the role that its account assumes (STS). */
int aws_role_assume(struct aws_session *session, struct error *err);
/* Asks which account the credentials are of: account_id of the listing. */
int aws_role_identify(struct aws_session *session, struct error *err);
