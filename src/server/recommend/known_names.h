/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "server/recommend/recommend_request.h"

/* Whether each name and pattern of the lists that are asked for (types, regions, …) is that of
 * something: one that is misspelt would leave no machine. -EINVAL with words. */
int known_names_check(const struct recommend_request *request, struct error *err);
