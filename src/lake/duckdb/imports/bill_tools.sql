-- SPDX-License-Identifier: Apache-2.0
-- What the formats of bills share (import/bill_read.c). Texts that are empty are NULL in the view `raw`.

-- Exact: a text becomes a decimal without a floating-point number in between.
CREATE MACRO amount(text) AS CAST(nullif(trim(text), '') AS DECIMAL(38, 18));
-- In UTC, also where the text has another offset.
CREATE MACRO instant(text) AS make_timestamp(epoch_us(CAST(text AS TIMESTAMPTZ)));
CREATE MACRO word(text) AS coalesce(left(text, 1024), '');

CREATE MACRO provider_of(name) AS CASE
	WHEN name ILIKE '%amazon%' OR name ILIKE 'aws%' THEN 'aws'
	WHEN name ILIKE '%google%' OR name ILIKE 'gcp%' THEN 'gcp'
	WHEN name ILIKE '%microsoft%' OR name ILIKE 'azure%' THEN 'azure'
	ELSE word(name) END;

-- The id that the host knows itself by (AWS: instance-id, GCP: id of their metadata services).
CREATE MACRO instance_of(resource_id) AS coalesce(nullif(regexp_extract(resource_id, '(?:^|[/:])(i-[0-9a-f]{8,32})$', 1), ''),
	regexp_extract(resource_id, '//compute\.googleapis\.com/.*/instances/([0-9]+)$', 1), '');

-- A quantity in hours; NULL: it is no time. Seconds become whole nano-hours.
CREATE MACRO hours_of(quantity, unit) AS CASE
	WHEN regexp_matches(unit, '^(hours?|hrs?|h)$', 'i') THEN quantity
	WHEN regexp_matches(unit, '^(seconds?|secs?|s)$', 'i')
	THEN CAST(CAST((CAST(quantity * 1000000000 AS HUGEINT) // 3600) AS DECIMAL(28, 0)) * 0.000000001 AS DECIMAL(38, 18)) END;

-- What a line is for. meter: all that says how it is measured (usage type, SKU, operation, description).
CREATE MACRO kind_of(category, service, service_category, meter, resource_id, instance_id, commitment_id, commitment_status, hours) AS CASE
	WHEN category = 'Tax' THEN 'tax'
	WHEN commitment_status = 'Unused' THEN 'commitment_unused'
	WHEN category IN ('Credit', 'Adjustment') AND regexp_matches(meter, 'discount|private rate|edp', 'i') THEN 'discount'
	WHEN category = 'Credit' THEN 'credit'
	WHEN category = 'Adjustment' AND regexp_matches(meter, 'rounding', 'i') THEN 'rounding'
	WHEN category = 'Purchase' AND (commitment_id <> '' OR regexp_matches(meter, 'savings ?plan|reserved|commitment', 'i'))
	THEN 'commitment_purchase'
	WHEN regexp_matches(service, 'support', 'i') THEN 'support'
	WHEN category = 'Usage' AND regexp_matches(meter, 'BoxUsage|SpotUsage|DedicatedUsage|Instance (Core|Ram) ', 'i') THEN 'compute'
	WHEN regexp_matches(service, 'kubernetes|parallel computing|AmazonEKS', 'i') OR regexp_matches(meter, 'control plane|EKS-Hours', 'i')
	THEN 'control_plane'
	WHEN regexp_matches(meter, 'EBS:|EBSOptimized|snapshot|persistent disk|PD capacity|hyperdisk|local ssd|filestore|managed disk', 'i')
		OR regexp_matches(service, 'block store|elastic file system|FSx|filestore|AmazonEFS', 'i')
		OR regexp_matches(resource_id, 'vol(ume)?[-/][0-9a-z]+$|/disks/', 'i') THEN 'disk'
	WHEN service_category = 'Networking' OR regexp_matches(service, 'virtual private cloud|networking|load balanc|AmazonVPC|AWSELB', 'i')
		OR regexp_matches(meter, 'data ?transfer|nat ?gateway|load ?balanc|(public ?|external )ip|elasticip|egress|interconnect|vpn', 'i')
	THEN 'network'
	WHEN category = 'Usage' AND instance_id <> '' AND hours IS NOT NULL THEN 'compute'
	ELSE 'other' END;

-- A quotient, cut to 9 digits behind the point.
CREATE MACRO part(number, divisor) AS
	CAST(CAST((CAST(number * 1000000000 AS HUGEINT) // divisor) AS DECIMAL(28, 0)) * 0.000000001 AS DECIMAL(38, 18));
