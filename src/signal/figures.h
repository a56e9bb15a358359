/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <stdint.h>

#include "base/varint.h"
#include "signal.pb-c.h"
#include "signal/figures_table.h"

/*
 * FIGURES(F) calls F(name, kind) for each figure. The names are those of the message Figures and of
 * the lake's columns (unit_lake_test_schema compares them). The table is figures.tsv, which also
 * explains the kinds; figures_table.h is generated from it.
 */

/* The figures of a message, serialized in advance: most are zero, and the general code of
 * protobuf-c visits each twice, which took a sixth of the agent's CPU time when many processes ran.
 */
struct figures_room { /* for each figure the space of its tag and its value */
#define FIGURES_ROOM(name, kind) uint8_t name[2 * VARINT_BYTES];
	FIGURES(FIGURES_ROOM)
#undef FIGURES_ROOM
};
#define FIGURES_COUNT (sizeof(struct figures_room) / sizeof(((struct figures_room *)0)->user_ns))
struct figures_field {
	ProtobufCMessageUnknownField field; /* protobuf-c writes unknown fields as they are */
	uint8_t bytes[VARINT_BYTES + sizeof(struct figures_room)]; /* length, then figures */
};

/* Sets the figures of a message that has no other unknown fields. The message points into ret,
 * which is the caller's and must exist as long as the message. */
void figures_put(ProtobufCMessage *message, const Signal__Figures *figures,
		 struct figures_field *ret);

/* The growth of cumulative figures since an earlier reading: SUMs and WAITs as differences (never
 * below 0), LEVELs and PEAKs as in `later`. In place is allowed. */
void figures_delta(const Signal__Figures *earlier, const Signal__Figures *later,
		   Signal__Figures *ret);
