-- SPDX-License-Identifier: Apache-2.0
-- GPUs, by (host_id, uuid).
CREATE TABLE IF NOT EXISTS gpus (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	uuid VARCHAR NOT NULL,
	"index" BIGINT NOT NULL,           -- as the driver counts
	name VARCHAR NOT NULL,
	driver VARCHAR NOT NULL,           -- its version, or which
	memory_bytes BIGINT NOT NULL,      -- 0: none of its own, or unknown
	process_busy_known BOOLEAN NOT NULL, -- the driver reports how busy each process keeps it
	seen_at TIMESTAMP,
	gone_at TIMESTAMP                  -- NULL: it is there
);

-- A GPU between two instants. What the driver does not report is 0; busy_known_ns and throttled_known_ns say for how long it
-- reported the figure.
CREATE TABLE IF NOT EXISTS gpu_samples (
	host_id VARCHAR NOT NULL,
	boot_id VARCHAR NOT NULL,
	agent_id VARCHAR NOT NULL,
	sequence BIGINT NOT NULL,
	created_at TIMESTAMP,
	uuid VARCHAR NOT NULL,
	since_at TIMESTAMP,
	until_at TIMESTAMP,
	busy_ns BIGINT NOT NULL,           -- some work ran on it
	busy_known_ns BIGINT NOT NULL,
	memory_busy_ns BIGINT NOT NULL,    -- its memory was read or written
	memory_used_bytes BIGINT NOT NULL, -- at until_at
	power_mean_mw BIGINT NOT NULL,
	temperature_peak_celsius BIGINT NOT NULL,
	clock_mean_mhz BIGINT NOT NULL,
	memory_clock_mean_mhz BIGINT NOT NULL,
	throttled_ns BIGINT NOT NULL,      -- held back for throttle_reasons
	throttled_known_ns BIGINT NOT NULL,
	throttle_reasons VARCHAR NOT NULL, -- "hard_thermal power_cap"
	processes BIGINT NOT NULL,         -- that had it open at until_at
	tracked_busy_ns BIGINT NOT NULL,   -- the part that tracked work explains
	tracked_memory_bytes BIGINT NOT NULL
);
