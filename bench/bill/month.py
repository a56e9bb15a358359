# SPDX-License-Identifier: Apache-2.0
"""A month of nodes: when each was up, what agents saw of it, and what the provider bills for it. What each invoice must come out
as is added up beside, from the same numbers and with exact fractions."""
import collections
import datetime
import random
from fractions import Fraction

HOUR, DAY = 3600, 86400
TICK = 10**10  # amounts are whole parts of a dollar, as many as AWS's bills have digits
ACCOUNT, EURO_ACCOUNT = "111122223333", "999988887777"
PLAN = "arn:aws:savingsplans::111122223333:savingsplan/plan-1"
RESERVED = "arn:aws:ec2:eu-west-1:111122223333:reserved-instances/reserved-1"
# Name, vCPUs, GiB, and what an hour costs on demand.
TYPES = [("m6i.xlarge", 4, 16, 2140000000), ("m6i.4xlarge", 16, 64, 8560000000), ("c6i.8xlarge", 32, 64, 14592000000),
         ("r6i.2xlarge", 8, 64, 5640000000), ("m6i.large", 2, 8, 1070000000)]
BOOT_S = 40  # from the begin of what is billed to the agent's first sample
WITHOUT_AGENT, LOST_EARLY, TAKEN_EARLY = 40, 20, 10  # each so many-th node
MISSING_DAY, PROVISIONAL_DAYS, CORRECTED = 13, 20, 25
USAGE, OTHER = "INV-1", "INV-2"

Node = collections.namedtuple("Node", "index instance type cpus gib rate purchase since until seen")


def ticks(amount):
    return f"{'-' if amount < 0 else ''}{abs(amount) // TICK}.{abs(amount) % TICK:010d}"


class Month:
    def __init__(self, nodes, seed, now):
        self.chance = random.Random(seed)
        first = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        self.until = int(first.timestamp())
        before = first - datetime.timedelta(days=1)
        self.since = int(before.replace(day=1).timestamp())
        self.lines, self.later, self.names = [], [], collections.defaultdict(lambda: collections.defaultdict(Fraction))
        self.plan_used = collections.Counter()
        self.nodes = [self.make_node(index) for index in range(nodes)]
        for node in self.nodes:
            self.bill_node(node)
        self.bill_commitments()
        self.bill_rest()

    def make_node(self, index):
        name, cpus, gib, rate = self.chance.choice(TYPES)
        since, until = self.since, self.until
        if index % 4:
            since += self.chance.randrange(20 * DAY)
            until = min(until, since + self.chance.randrange(2 * HOUR, 12 * DAY))
        purchase = ("on_demand", "spot", "plan", "reserved", "on_demand")[index % 5]
        node = Node(index, f"i-{index + 1:017x}", name, cpus, gib, rate, purchase, since, until, [])
        if index % WITHOUT_AGENT != 7:
            self.see(node)
        return node

    def see(self, node):
        """What the agent reports: not the boot, not the day that is missing, of some not the last hour."""
        until = node.until - (HOUR + 100 if node.index % LOST_EARLY == 3 else 0)
        begin = node.since + BOOT_S
        lost = self.since + MISSING_DAY * DAY
        for since, end in ((begin, min(until, lost)), (max(begin, lost + DAY), until)):
            if end > since:
                node.seen.append((since, end))

    def seen_s(self, node, at):
        return sum(max(0, min(until, at + HOUR) - max(since, at)) for since, until in node.seen)

    def add(self, invoice, billed, effective, **columns):
        columns.setdefault("ChargeCategory", "Usage")
        columns.setdefault("since", self.since)
        columns.setdefault("until", self.until)
        self.lines.append({"InvoiceId": invoice, "BilledCost": ticks(billed), "EffectiveCost": ticks(effective), **columns})
        self.names[invoice]["billed"] += Fraction(billed, TICK)

    def name(self, invoice, name, amount):
        self.names[invoice][name] += Fraction(amount) / TICK

    def bill_node(self, node):
        for at in range(node.since - node.since % HOUR, node.until, HOUR):
            since, until = max(at, node.since), min(at + HOUR, node.until)
            self.bill_hour(node, at, since, until)

    def bill_hour(self, node, at, since, until):
        seconds = until - since
        full = node.rate
        commitment = {}
        if node.purchase == "spot":
            full = node.rate * self.chance.randrange(250, 450) // 1000
        if node.purchase in ("plan", "reserved"):
            full = node.rate * (72 if node.purchase == "plan" else 61) // 100
            commitment = {"CommitmentDiscountId": PLAN if node.purchase == "plan" else RESERVED, "CommitmentDiscountStatus": "Used"}
        effective = full * seconds // HOUR
        billed = 0 if commitment else effective
        used = round(Fraction(seconds * TICK, HOUR))
        if node.purchase == "plan":
            self.plan_used[at] += effective
        meter = ("SpotUsage:" if node.purchase == "spot" else "BoxUsage:") + node.type
        self.add(USAGE, billed, effective, since=since, until=until, ResourceId=f"arn:aws:ec2:eu-west-1:{ACCOUNT}:instance/{node.instance}",
                 ServiceName="Amazon Elastic Compute Cloud", ServiceCategory="Compute", ConsumedQuantity=ticks(used), ConsumedUnit="Hours",
                 SkuId="SKU-" + meter, x_UsageType=meter, x_Operation="RunInstances", **commitment)
        if commitment:
            self.name(USAGE, "commitment_balance", billed - effective)
        self.judge_hour(USAGE, node, at, seconds, effective)
        if len(self.later) < CORRECTED and node.purchase == "on_demand" and self.chance.random() < 0.01:
            self.correct(node, at, since, until, -effective // 5)

    def judge_hour(self, invoice, node, at, seconds, effective):
        seen = Fraction(self.seen_s(node, at), seconds)
        self.name(invoice, "seen", effective * seen)
        self.name(invoice, "no_agent", effective * (1 - seen))

    def correct(self, node, at, since, until, amount):
        """A line of the next month's bill, about this hour."""
        self.later.append({"InvoiceId": "INV-3", "BilledCost": ticks(amount), "EffectiveCost": ticks(amount), "since": since, "until": until,
                           "ChargeCategory": "Usage", "ChargeClass": "Correction", "ServiceName": "Amazon Elastic Compute Cloud",
                           "ServiceCategory": "Compute", "ResourceId": node.instance, "x_UsageType": "BoxUsage:" + node.type,
                           "ConsumedQuantity": "0", "ConsumedUnit": "Hours", "SkuId": "SKU-BoxUsage:" + node.type})
        self.names["INV-3"]["billed"] += Fraction(amount, TICK)
        self.judge_hour("INV-3", node, at, until - since, amount)

    def bill_commitments(self):
        """A plan of so much an hour, paid by the day, that is never used up; and a reservation paid at once for a year."""
        hourly = max(self.plan_used.values(), default=0) + 7_654_321_098
        for day in range(self.since, self.until, DAY):
            self.add(USAGE, hourly * 24, 0, since=day, until=day + DAY, ChargeCategory="Purchase", ChargeFrequency="Recurring",
                     ServiceName="Savings Plans for AWS Compute usage", CommitmentDiscountId=PLAN, ChargeDescription="Compute Savings Plan")
            self.name(USAGE, "commitment_balance", hourly * 24)
        for at in range(self.since, self.until, HOUR):
            unused = hourly - self.plan_used[at]
            self.add(USAGE, 0, unused, since=at, until=at + HOUR, ServiceName="Savings Plans for AWS Compute usage",
                     CommitmentDiscountId=PLAN, CommitmentDiscountStatus="Unused")
            self.name(USAGE, "commitment_unused", unused)
            self.name(USAGE, "commitment_balance", -unused)
        self.add(USAGE, 43_800 * TICK, 0, ChargeCategory="Purchase", ChargeFrequency="One-Time", CommitmentDiscountId=RESERVED,
                 ServiceName="Amazon Elastic Compute Cloud", ChargeDescription="Reserved Instance, all upfront")
        self.name(USAGE, "commitment_balance", 43_800 * TICK)

    def one(self, invoice, name, amount, **columns):
        self.add(invoice, amount, amount, **columns)
        self.name(invoice, name, amount)

    def bill_rest(self):
        amount = self.chance.randrange
        for node in self.nodes:
            for day in range(node.since - node.since % DAY, node.until, DAY):
                times = {"since": day, "until": day + DAY, "ServiceName": "Amazon Elastic Compute Cloud"}
                self.one(USAGE, "disk", amount(3 * TICK // 10), ServiceCategory="Storage", x_UsageType="EBS:VolumeUsage.gp3",
                         ResourceId=f"vol-{node.index:017x}", ConsumedQuantity="3.3", ConsumedUnit="GB-Mo", **times)
                self.one(USAGE, "network", amount(TICK // 10), x_UsageType="DataTransfer-Out-Bytes", ResourceId=node.instance,
                         ConsumedQuantity="1.25", ConsumedUnit="GB", **times)
        for at in range(self.since, self.until, HOUR):
            self.one(USAGE, "control_plane", TICK // 10, since=at, until=at + HOUR, ServiceName="Amazon Elastic Kubernetes Service",
                     ConsumedQuantity="1", ConsumedUnit="Hours", x_UsageType="AmazonEKS-Hours:perCluster")
        for _ in range(3):
            self.one(USAGE, "unexplained", amount(TICK), ServiceName="Amazon Elastic Compute Cloud", ServiceCategory="Compute",
                     x_UsageType="BoxUsage:m6i.large", ConsumedQuantity="5", ConsumedUnit="Hours")
        self.one(USAGE, "credit", -1234 * TICK - 56789, ChargeCategory="Credit", ChargeDescription="research credit")
        self.one(USAGE, "discount", -987 * TICK - 1, ChargeCategory="Adjustment", ChargeDescription="Enterprise Discount Program discount")
        self.one(USAGE, "other", 345 * TICK + 1, ServiceName="Amazon Simple Storage Service", ServiceCategory="Storage",
                 x_UsageType="TimedStorage-ByteHrs")
        self.one(OTHER, "support", 1500 * TICK, ServiceName="AWS Support (Business)", ChargeFrequency="Recurring")
        self.one(OTHER, "tax", 7654 * TICK + 3_210_987_654, ChargeCategory="Tax", ServiceName="Tax")
