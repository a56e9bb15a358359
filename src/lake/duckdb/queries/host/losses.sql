-- SPDX-License-Identifier: Apache-2.0
-- What is missing on a run's hosts while it ran. count 0: how many cannot be known.
SELECT what, count, since_at, until_at, why FROM losses_of($run)
ORDER BY since_at, what
LIMIT $limit;
