-- SPDX-License-Identifier: Apache-2.0
-- The settled runs, by their number.
SELECT run_id, cursor_of(number, run_id) AS cursor FROM settled
WHERE follows($cursor::VARCHAR, number, run_id)
ORDER BY number, run_id
LIMIT $limit;
