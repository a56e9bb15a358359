-- SPDX-License-Identifier: Apache-2.0
-- What is missing on the hosts of a run while it ran. count 0: the number is unknown.
SELECT what, count, since_at, until_at, why FROM losses_of($run)
ORDER BY since_at, what
LIMIT $limit;
