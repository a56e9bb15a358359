-- SPDX-License-Identifier: Apache-2.0
-- The rows of the file that is stored: the columns of bill_lines. A correction has no hours: it changes what hours cost that were billed.
SELECT provider, billing_account, period_since, period_until, currency, sub_account, invoice_id, charge_since, charge_until, category, class,
	frequency, service, sku, resource_id, instance_id, resource_type, region, zone, description, quantity, unit,
	CASE WHEN kind = 'compute' AND class <> 'Correction' THEN coalesce(time_used, 0) ELSE 0 END::DECIMAL(38, 18) AS hours,
	billed, effective, list, contracted, commitment_id, commitment_status, kind, CASE WHEN class <> 'Correction' THEN 0
		ELSE (md5_number_lower(concat_ws('|', billing_account, sub_account, charge_since, charge_until, category, service, sku, resource_id,
			region, zone, description)) >> 1)::BIGINT END AS line_key
FROM lines
