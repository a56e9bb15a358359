# SPDX-License-Identifier: Apache-2.0
"""EC2, STS, ECS and AWS Batch, as service.py answers: two regions with a machine and a volume each, one machine of a compute environment.

Modes: well; throttles (the first two lists of machines); expires (credentials are renewed in the file while they are used); expired; refuses
(the second region); denies (a policy); wrong (a signature); truncated, huge, silent, lies; bomb (entities that grow).
"""
import json
import urllib.parse

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

KEY, SECRET, NEW_SECRET, TOKEN = "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "renewed/Secret+1", "session/Token+of==1"
SECOND = "eu-south-1"
BOMB = '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>'


def write_credentials(folder, secret):
    text = (f"# keys\n[other]\naws_access_key_id=x\naws_secret_access_key=y\n\n[tracer]\naws_access_key_id = {KEY}\n"
            f"aws_secret_access_key = {secret}\naws_session_token = {TOKEN}\n")
    (folder / "aws.new").write_text(text)
    (folder / "aws.new").rename(folder / "aws")


def prepare(folder):
    write_credentials(folder, SECRET)


def scope(request):
    """Region and service, as the signature says."""
    credential = request.headers.get("Authorization", "").partition("Credential=")[2].split(",")[0].split("/")
    return (credential + [""] * 5)[2:4]


def what(request, body):
    action = request.headers.get("X-Amz-Target", "").rpartition(".")[2] or request.path.rpartition("/")[2]
    return urllib.parse.parse_qs(body.decode()).get("Action", [action])[0]


def is_signed(request, body, secret):
    """Whether the signature is what botocore makes of the request, and covers what AWS wants it to cover."""
    authorization = request.headers.get("Authorization", "")
    signed = authorization.partition("SignedHeaders=")[2].split(",")[0].split(";")
    needed = ["host"] + [name.lower() for name in request.headers if name.lower().startswith("x-amz-")]
    if not authorization.startswith(f"AWS4-HMAC-SHA256 Credential={KEY}/") or not set(needed) <= set(signed):
        return False
    region, service = scope(request)
    made = AWSRequest(request.command, "http://" + request.headers["Host"] + request.path, data=body,
                      headers={name: request.headers[name] for name in signed})
    made.context["timestamp"] = request.headers["X-Amz-Date"]
    signer = SigV4Auth(Credentials(KEY, secret), service, region)
    text = signer.string_to_sign(made, signer.canonical_request(made))
    return signer.signature(text, made) == authorization.partition("Signature=")[2]


def refuse(request, status, code, message="refused"):
    request.answer(status, f'<?xml version="1.0"?><Response><Errors><Error><Code>{code}</Code><Message>{message}</Message></Error></Errors>'
                           "<RequestID>1</RequestID></Response>")


def xml(action, inside):
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<{action}Response xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">{inside}</{action}Response>'


def machine(number, region, tags=""):
    return (f"<item><instanceId>i-{region}-{number}</instanceId><imageId>ami-1</imageId><instanceState><code>16</code><name>running</name>"
            f"</instanceState><privateDnsName>ip-10-0-0-{number}.ec2.internal</privateDnsName><instanceType>m5.large</instanceType>"
            f"<launchTime>2026-01-0{number}T00:00:00.000Z</launchTime><placement><availabilityZone>{region}a</availabilityZone></placement>"
            f"<instanceLifecycle>spot</instanceLifecycle><tagSet>{tags}</tagSet></item>")


def tag(key, value):
    return f"<item><key>{key}</key><value>{value}</value></item>"


def answer_query(region, action, form):
    first = (tag("aws:autoscaling:groupName", "batch-asg") + tag("Owner", "ann") +
             tag("Name", "&#x202e;evil\u0007 <b>".replace("\u0007", "&#9;").replace("<b>", "&lt;b&gt;")))
    if action == "GetCallerIdentity":
        return "<GetCallerIdentityResult><Account>123456789012</Account></GetCallerIdentityResult>"
    if action == "DescribeRegions":
        return f"<regionInfo><item><regionName>us-east-1</regionName></item><item><regionName>{SECOND}</regionName></item></regionInfo>"
    if action == "DescribeVolumes":
        return ("<volumeSet><item><volumeId>vol-1</volumeId><size>100</size><status>available</status><volumeType>gp3</volumeType>"
                f"<availabilityZone>{region}a</availabilityZone><createTime>2026-01-01T00:00:00.000Z</createTime><attachmentSet/></item></volumeSet>")
    page = 2 if "NextToken" in form else 1
    token = "<nextToken>next/+= page</nextToken>" if page == 1 else ""
    if page == 2 and form["NextToken"] != ["next/+= page"]:
        return ""
    return (f"<reservationSet><item><instancesSet>{machine(page, region, first if page == 1 else '')}</instancesSet></item></reservationSet>" +
            token)


def answer_json(region, action):
    cluster = f"arn:aws:ecs:{region}:123456789012:cluster/AWSBatch-ce-1"
    return json.dumps({
        "ListClusters": {"clusterArns": [cluster]},
        "ListContainerInstances": {"containerInstanceArns": [cluster + "/1"]},
        "DescribeContainerInstances": {"containerInstances": [{"ec2InstanceId": f"i-{region}-1"}]},
        "describecomputeenvironments": {"computeEnvironments": [{"ecsClusterArn": cluster, "computeEnvironmentName": "genomes"}]},
    }.get(action, {}))


def answer_metadata(request):
    """The role of a machine, by IMDSv2."""
    if request.command == "PUT":
        request.answer(200, "imds-token")
    elif request.headers.get("X-aws-ec2-metadata-token") != "imds-token":
        request.answer(401, "")
    elif request.path.endswith("/"):
        request.answer(200, "lake-role")
    else:
        request.answer(200, json.dumps({"AccessKeyId": KEY, "SecretAccessKey": SECRET, "Token": TOKEN}))


def answer(request, folder, mode, turn, action, body):
    region, service = scope(request)
    form = urllib.parse.parse_qs(body.decode())
    if request.path.startswith("/latest/"):
        return answer_metadata(request)
    if mode == "expires" and turn == 1 and action == "DescribeVolumes":
        write_credentials(folder, NEW_SECRET)
        return refuse(request, 400, "ExpiredToken")
    renewed = mode == "expires" and "NEW" in (folder / "aws").read_text().replace(NEW_SECRET, "NEW")
    if not is_signed(request, body, NEW_SECRET if renewed else SECRET):
        return refuse(request, 403, "SignatureDoesNotMatch", f"should have been x-amz-security-token:{TOKEN}")
    if mode == "expired":
        return refuse(request, 400, "RequestExpired")
    if mode == "refuses" and region == SECOND and service == "ec2":
        return refuse(request, 401, "AuthFailure")
    if mode == "denies" and action == "DescribeVolumes":
        return refuse(request, 403, "UnauthorizedOperation", "encoded " * 1000)
    if mode == "throttles" and action == "DescribeInstances" and turn <= 2:
        return refuse(request, 503, "RequestLimitExceeded")
    if service in ("ecs", "batch"):
        return request.answer(200, answer_json(region, action))
    text = xml(action, answer_query(region, action, form))
    if mode == "bomb" and action == "DescribeInstances":
        text = text.replace("?>\n", "?>" + BOMB, 1).replace("ami-1", "&c;")
    if action == "DescribeVolumes" and request.fault(mode, text):
        return None
    return request.answer(200, text)
