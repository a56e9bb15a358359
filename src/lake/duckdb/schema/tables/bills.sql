-- SPDX-License-Identifier: Apache-2.0
-- What providers billed: a row for each file that was imported (store/bill/store_bill.h). The file itself is not kept.
CREATE TABLE IF NOT EXISTS bills (
	bill_id VARCHAR NOT NULL,          -- bill_id_of (views/bills.sql)
	hash VARCHAR NOT NULL,             -- SHA-256 of the file, in hexadecimal digits
	name VARCHAR NOT NULL,             -- of the file, as who imported it wrote it
	batch VARCHAR NOT NULL,            -- files that were imported together, as the parts of one export, have the same
	batch_files BIGINT NOT NULL,       -- how many these are; none of them counts before the last one is here
	place BIGINT NOT NULL,             -- in the order of import, from 1
	format VARCHAR NOT NULL,           -- 'FOCUS 1.2', 'AWS CUR 2.0', 'GCP detailed export', …
	imported_at TIMESTAMP NOT NULL,    -- by this machine's clock
	bytes BIGINT NOT NULL,
	lines BIGINT NOT NULL
);

-- What of a file belongs to one billing period of one account, in one currency. A later file with the same provider, account and
-- period replaces the earlier one (views/bills.sql).
CREATE TABLE IF NOT EXISTS bill_periods (
	bill_id VARCHAR NOT NULL,
	provider VARCHAR NOT NULL,         -- aws, gcp, azure, or the name that the bill has
	billing_account VARCHAR NOT NULL,
	period_since TIMESTAMP NOT NULL,   -- the billing period, in UTC
	period_until TIMESTAMP NOT NULL,
	currency VARCHAR NOT NULL,         -- ISO 4217
	final BOOLEAN NOT NULL,            -- every line has the id of its invoice; else it is provisional
	corrects BOOLEAN NOT NULL,         -- it has corrections alone: it adds to the file before, and does not replace it
	lines BIGINT NOT NULL,
	billed DECIMAL(38, 18) NOT NULL,
	effective DECIMAL(38, 18) NOT NULL
);

-- The lines of bills, with the names of FOCUS (https://focus.finops.org). Amounts are as the bill has them, exact to 18 digits behind
-- the point: only sums are rounded.
CREATE TABLE IF NOT EXISTS bill_lines (
	bill_id VARCHAR NOT NULL,
	provider VARCHAR NOT NULL,
	billing_account VARCHAR NOT NULL,
	period_since TIMESTAMP NOT NULL,
	currency VARCHAR NOT NULL,
	sub_account VARCHAR NOT NULL,
	invoice_id VARCHAR NOT NULL,       -- empty: there is none yet
	charge_since TIMESTAMP NOT NULL,   -- when it was used, or bought
	charge_until TIMESTAMP NOT NULL,
	category VARCHAR NOT NULL,         -- Usage Purchase Tax Credit Adjustment
	class VARCHAR NOT NULL,            -- Correction, or empty
	frequency VARCHAR NOT NULL,        -- One-Time Recurring Usage-Based
	service VARCHAR NOT NULL,
	sku VARCHAR NOT NULL,
	resource_id VARCHAR NOT NULL,
	instance_id VARCHAR NOT NULL,      -- as the provider's metadata service names it to the host; empty: of no instance
	resource_type VARCHAR NOT NULL,
	region VARCHAR NOT NULL,
	zone VARCHAR NOT NULL,
	description VARCHAR NOT NULL,
	quantity DECIMAL(38, 18),          -- NULL: the bill has none
	unit VARCHAR NOT NULL,
	hours DECIMAL(38, 18) NOT NULL,    -- for which the instance was billed; 0 for what is no time of an instance
	billed DECIMAL(38, 18) NOT NULL,
	effective DECIMAL(38, 18) NOT NULL, -- amortised: with the part of commitments that it used
	list DECIMAL(38, 18),              -- at list prices; NULL: the bill does not say
	contracted DECIMAL(38, 18),        -- at negotiated prices
	commitment_id VARCHAR NOT NULL,
	commitment_status VARCHAR NOT NULL, -- Used Unused
	kind VARCHAR NOT NULL,             -- compute commitment_unused commitment_purchase disk network control_plane tax credit
	                                   -- discount support rounding other
	line_key BIGINT NOT NULL           -- lines with the same one are about the same charge
);
