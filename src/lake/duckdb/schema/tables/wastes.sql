-- SPDX-License-Identifier: Apache-2.0
-- What sweeps found (docs/sweep.md): a row from the sweep that found it first to the one that did not find it any more. Of what is found now
-- the price and the words are those of the last sweep that changed them.
CREATE TABLE IF NOT EXISTS wastes (
	kind VARCHAR NOT NULL,             -- host_idle, …
	id VARCHAR NOT NULL,               -- with kind: what it is about
	since_at TIMESTAMP NOT NULL,
	found_at TIMESTAMP NOT NULL,       -- by this machine's clock
	ended_at TIMESTAMP,                -- NULL: it is found still
	outcome VARCHAR NOT NULL,          -- of an ended one: stopped, ended, used, silenced, replaced; empty: it is found still
	host_id VARCHAR NOT NULL,          -- that is paid for because of it; empty: none
	run_id VARCHAR NOT NULL,           -- empty: none
	usd_hour DOUBLE,                   -- NULL: unknown
	counted_usd_hour DOUBLE,           -- the part that counts in sums: the price of a host counts once; NULL: unknown
	document JSON NOT NULL             -- {"subject", "name", "task_id", "who", "paid_share", "confidence", "summary", "evidence", "advice", "command"}
);
