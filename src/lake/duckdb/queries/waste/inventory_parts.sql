-- SPDX-License-Identifier: Apache-2.0
-- What was listed last of each account of a provider, and what was not, with the reason.
SELECT account, provider, account_id, region, what, listed_at, complete, error FROM inventory_parts
ORDER BY account, account_id, region, what;
