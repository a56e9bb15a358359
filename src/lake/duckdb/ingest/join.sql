-- SPDX-License-Identifier: Apache-2.0
INSERT INTO parts BY NAME
SELECT $part_id AS part_id, $run_id AS run_id, $reason AS reason, $value AS value, now_at() AS joined_at;
