-- SPDX-License-Identifier: Apache-2.0
-- Which run each part belongs to, those joined last first.
SELECT part_id, run_id, cursor_of(epoch_us(joined_at), part_id) AS cursor
FROM parts
WHERE follows_down($cursor::VARCHAR, epoch_us(joined_at), part_id)
ORDER BY epoch_us(joined_at) DESC, part_id DESC
LIMIT $limit;
