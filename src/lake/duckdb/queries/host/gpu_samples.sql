-- SPDX-License-Identifier: Apache-2.0
-- The GPUs of a host over time, between two instants.
SELECT * FROM gpus_over([$host], $since_at, $until_at, $interval_s) ORDER BY uuid, "at";
