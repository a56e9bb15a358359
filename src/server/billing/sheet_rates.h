/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include "base/error.h"
#include "cost/sheet.h"

struct server;

/* Adds what bills say of the hours of the hosts of a sheet. Errors as of query_named; -ENOMEM. */
int sheet_read_rates(struct server *server, struct sheet *sheet, struct error *err);
