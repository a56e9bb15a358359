-- SPDX-License-Identifier: Apache-2.0
-- Costs are of what runs held (settled_holds), no longer of CPU time by step and tool.
ALTER TABLE IF EXISTS settled_activity_runs DROP COLUMN IF EXISTS cpu_ns;
ALTER TABLE IF EXISTS settled_activity_runs DROP COLUMN IF EXISTS engine_cpu_ns;
ALTER TABLE IF EXISTS settled_activity_runs DROP COLUMN IF EXISTS steps;
ALTER TABLE IF EXISTS settled_activity_runs DROP COLUMN IF EXISTS tools;
