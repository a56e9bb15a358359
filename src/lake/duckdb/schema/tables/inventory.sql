-- SPDX-License-Identifier: Apache-2.0
-- What providers list of the accounts in inventory.yaml (docs/sweep.md): machines and volumes, and which parts of them were listed completely.
CREATE TABLE IF NOT EXISTS inventory_machines (
	provider VARCHAR NOT NULL,         -- aws, gcp
	account_id VARCHAR NOT NULL,       -- as the provider has it: of AWS 12 digits, of GCP a project
	region VARCHAR NOT NULL,
	id VARCHAR NOT NULL,               -- as agents report it: hosts.instance_id
	account VARCHAR NOT NULL,          -- its name in the settings
	zone VARCHAR NOT NULL,
	name VARCHAR NOT NULL,
	hostname VARCHAR NOT NULL,         -- the provider's
	instance_type VARCHAR NOT NULL,
	purchase VARCHAR NOT NULL,         -- on_demand, spot
	image VARCHAR NOT NULL,
	state VARCHAR NOT NULL,            -- running, stopped …
	kept_by VARCHAR NOT NULL,          -- the group or service that starts it again; empty: none
	owner VARCHAR NOT NULL,            -- by its tags
	tags JSON NOT NULL,                -- an object of texts
	launched_at TIMESTAMP,
	first_listed_at TIMESTAMP NOT NULL,
	listed_at TIMESTAMP NOT NULL,      -- by this machine's clock
	known_until TIMESTAMP NOT NULL,    -- a later listing is due by then: afterwards nothing is known of it
	gone_at TIMESTAMP                  -- a complete listing of its region did not have it any more
);
CREATE TABLE IF NOT EXISTS inventory_volumes (
	provider VARCHAR NOT NULL,
	account_id VARCHAR NOT NULL,
	region VARCHAR NOT NULL,
	id VARCHAR NOT NULL,
	account VARCHAR NOT NULL,
	zone VARCHAR NOT NULL,
	name VARCHAR NOT NULL,
	volume_type VARCHAR NOT NULL,
	bytes BIGINT NOT NULL,
	attached_to VARCHAR NOT NULL,      -- the id of a machine; empty: none
	owner VARCHAR NOT NULL,
	tags JSON NOT NULL,
	created_at TIMESTAMP,
	detached_since TIMESTAMP,          -- the first listing in which it was attached to none; NULL: it is
	first_listed_at TIMESTAMP NOT NULL,
	listed_at TIMESTAMP NOT NULL,
	known_until TIMESTAMP NOT NULL,
	gone_at TIMESTAMP
);
CREATE TABLE IF NOT EXISTS inventory_parts (
	account VARCHAR NOT NULL,
	provider VARCHAR NOT NULL,
	account_id VARCHAR NOT NULL,
	region VARCHAR NOT NULL,           -- empty: of the account
	what VARCHAR NOT NULL,             -- machines, volumes, account
	listed_at TIMESTAMP NOT NULL,
	complete BOOLEAN NOT NULL,
	error VARCHAR NOT NULL             -- why not; empty: it is
);
