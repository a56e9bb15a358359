# SPDX-License-Identifier: Apache-2.0
"""Lines of bills as FOCUS 1.2, CSV."""
import csv
import gzip
import time

COLUMNS = ["BilledCost", "EffectiveCost", "BillingAccountId", "BillingCurrency", "BillingPeriodStart", "BillingPeriodEnd", "InvoiceId",
           "InvoiceIssuerName", "ProviderName", "PublisherName", "ChargeCategory", "ChargeClass", "ChargeFrequency", "ChargeDescription",
           "ChargePeriodStart", "ChargePeriodEnd", "ServiceName", "ServiceCategory", "SkuId", "ResourceId", "RegionId", "ConsumedQuantity",
           "ConsumedUnit", "CommitmentDiscountId", "CommitmentDiscountStatus", "Tags", "x_UsageType", "x_Operation"]
PRESET = {"InvoiceIssuerName": "Amazon Web Services EMEA SARL", "ProviderName": "AWS", "PublisherName": "AWS", "RegionId": "eu-west-1",
          "ChargeFrequency": "Usage-Based", "Tags": '{"team": "genomics, \\"core\\""}'}


def instant(at):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))


def write(path, lines, since, until, account, currency="USD"):
    """As gzip where the name says so."""
    fixed = {**PRESET, "BillingAccountId": account, "BillingCurrency": currency, "BillingPeriodStart": instant(since),
             "BillingPeriodEnd": instant(until)}
    with (gzip.open(path, "wt", 1, newline="") if path.suffix == ".gz" else open(path, "w", newline="")) as file:
        rows = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        rows.writeheader()
        for line in lines:
            rest = {name: value for name, value in line.items() if name not in ("since", "until")}
            rows.writerow({**fixed, "ChargePeriodStart": instant(line["since"]), "ChargePeriodEnd": instant(line["until"]), **rest})
    return path
