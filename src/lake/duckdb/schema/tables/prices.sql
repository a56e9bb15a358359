-- SPDX-License-Identifier: Apache-2.0
-- What machines cost an hour by the price files that were read, the latest price of each (imports/prices_write.sql). What hosts cost is in
-- host_prices, by time.
CREATE TABLE IF NOT EXISTS list_prices (
	provider VARCHAR NOT NULL,         -- aws, gcp
	region VARCHAR NOT NULL,
	instance_type VARCHAR NOT NULL,
	purchase VARCHAR NOT NULL,         -- on_demand, spot
	usd_hour DOUBLE NOT NULL,
	valid_from TIMESTAMP,              -- the date of the list; NULL: it says none
	source VARCHAR NOT NULL,           -- what the list is called: "price list of 2026-11-01"
	imported_at TIMESTAMP NOT NULL     -- by this machine's clock
);
