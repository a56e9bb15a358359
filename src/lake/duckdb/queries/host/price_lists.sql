-- SPDX-License-Identifier: Apache-2.0
-- The price files that were read, as far as later ones have not replaced their prices.
SELECT provider, source AS list, valid_from, imported_at, count(*) AS prices, count(DISTINCT region) AS regions
FROM list_prices GROUP BY ALL ORDER BY imported_at DESC, provider, list LIMIT 100;
