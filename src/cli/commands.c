/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

/*
 * The table of commands, in the order of `tracer --help`. To add the command NAME, write
 * commands/NAME.c, which defines `const struct command cli_NAME`, and add a line here.
 */
#define COMMANDS(C)  \
	C(up)        \
	C(down)      \
	C(status)    \
	C(run)       \
	C(runs)      \
	C(report)    \
	C(tasks)     \
	C(steps)     \
	C(tools)     \
	C(processes) \
	C(events)    \
	C(tune)      \
	C(whatif)    \
	C(recommend) \
	C(diff)      \
	C(sweep)     \
	C(cost)      \
	C(bill)      \
	C(budgets)   \
	C(prices)    \
	C(collect)   \
	C(doctor)    \
	C(audit)     \
	C(rules)     \
	C(record)    \
	C(replay)    \
	C(version)

#define DECLARATION(name) extern const struct command cli_##name;
COMMANDS(DECLARATION)

#define ENTRY(name) &cli_##name,
const struct command *const commands[] = { COMMANDS(ENTRY) NULL };
