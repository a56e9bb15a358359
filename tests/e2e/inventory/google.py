# SPDX-License-Identifier: Apache-2.0
"""Compute Engine and the token endpoint, as service.py answers, after
https://cloud.google.com/compute/docs/reference/rest/v1/instances/aggregatedList,
https://cloud.google.com/compute/docs/reference/rest/v1/disks/aggregatedList and
https://developers.google.com/identity/protocols/oauth2/service-account.

Modes: well; throttles (the first two lists of machines); expires (the first token); expired; refuses (a project); unreachable (a zone);
truncated, huge, silent, lies.
"""
import base64
import json
import urllib.parse

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

EMAIL = "lake@my-project.iam.gserviceaccount.com"
V1 = "https://www.googleapis.com/compute/v1/projects/my-project"
STATE = {}


def prepare(folder, url):
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    STATE.update(public=key.public_key(), url=url + "/token")
    (folder / "key.json").write_text(json.dumps({
        "type": "service_account", "project_id": "my-project", "private_key_id": "k1", "private_key": pem.decode(), "client_email": EMAIL,
        "token_uri": url + "/token"}))


def what(request, body):
    return urllib.parse.urlsplit(request.path).path.rpartition("/")[2]


def read_part(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def claims_of(body):
    form = urllib.parse.parse_qs(body.decode())
    assert form["grant_type"] == ["urn:ietf:params:oauth:grant-type:jwt-bearer"]
    head, claims, signature = form["assertion"][0].split(".")
    STATE["public"].verify(read_part(signature), f"{head}.{claims}".encode(), padding.PKCS1v15(), hashes.SHA256())
    assert json.loads(read_part(head)) == {"alg": "RS256", "typ": "JWT", "kid": "k1"}
    return json.loads(read_part(claims))


def give_token(request, mode, turn, body):
    claims = claims_of(body)
    right = (claims["iss"] == EMAIL and claims["aud"] == STATE["url"] and claims["exp"] - claims["iat"] == 3600 and
             claims["scope"] == "https://www.googleapis.com/auth/compute.readonly")
    if not right:
        return request.answer(400, json.dumps({"error": "invalid_grant", "error_description": "Invalid JWT."}))
    return request.answer(200, json.dumps({"access_token": f"ya29.{mode}-{turn}", "expires_in": 3599, "token_type": "Bearer"}))


def refuse(request, status, reason):
    request.answer(status, json.dumps({"error": {"code": status, "message": "refused", "errors": [{"reason": reason, "domain": "usageLimits"}]}}))


def instances(page):
    empty = {"warning": {"code": "NO_RESULTS_ON_PAGE", "message": "There are no results for scope 'zones/europe-west4-a' on this page."}}
    if page == 1:
        return {"zones/us-central1-a": {"instances": [{
            "id": "4520031799277581759", "name": "workers-x1y2", "zone": V1 + "/zones/us-central1-a", "status": "RUNNING",
            "machineType": V1 + "/zones/us-central1-a/machineTypes/n2-standard-4", "creationTimestamp": "2026-01-01T00:00:00.000-08:00",
            "lastStartTimestamp": "2026-01-02T00:00:00.000-08:00", "labels": {"owner": "bob", "tracer-idle": "by-design"},
            "scheduling": {"preemptible": True, "provisioningModel": "SPOT"}}]}, "zones/europe-west4-a": empty}
    return {"zones/us-central1-a": empty, "zones/europe-west4-a": {"instances": [
        {"id": "2", "name": "stopped", "zone": V1 + "/zones/europe-west4-a", "status": "TERMINATED",
         "machineType": V1 + "/zones/europe-west4-a/machineTypes/e2-medium", "creationTimestamp": "2026-01-01T00:00:00Z"},
        {"id": "3", "name": "gke-n", "zone": V1 + "/zones/europe-west4-a", "status": "RUNNING",
         "machineType": V1 + "/zones/europe-west4-a/machineTypes/e2-medium", "creationTimestamp": "2026-01-01T00:00:00Z",
         "labels": {"goog-k8s-cluster-name": "c", "goog-k8s-node-pool-name": "p"}}]}}


def disks():
    of = {"type": V1 + "/zones/us-central1-a/diskTypes/pd-ssd", "sizeGb": "100", "status": "READY",
          "creationTimestamp": "2026-01-01T00:00:00.000-08:00"}
    zone = {"zone": V1 + "/zones/us-central1-a"}
    return {"zones/us-central1-a": {"disks": [
        {"id": "11", "name": "used", "users": [V1 + "/zones/us-central1-a/instances/workers-x1y2"], **of, **zone},
        {"id": "12", "name": "left", "lastAttachTimestamp": "2026-01-01T01:00:00Z", "lastDetachTimestamp": "2026-02-01T00:00:00Z", **of, **zone}]},
        "regions/us-central1": {"disks": [{"id": "13", "name": "never", "region": V1 + "/regions/us-central1", **of}]}}


def answer_list(request, mode, turn, kind, query):
    page = 2 if query.get("pageToken") == ["token/2="] else 1
    items = {"instances": instances(page), "disks": disks(),
             "instanceGroupManagers": {"zones/us-central1-a": {"instanceGroupManagers": [{"name": "pool", "baseInstanceName": "workers"}]}}}[kind]
    document = {"kind": "compute#aggregatedList", "items": items}
    if kind == "instances" and page == 1:
        document["nextPageToken"] = "token/2="
    if mode == "unreachable" and kind == "instances":
        document["unreachables"] = ["zones/europe-west4-a"]
    text = json.dumps(document)
    if kind != "disks" or not request.fault(mode, text):
        request.answer(200, text)


def answer(request, folder, mode, turn, kind, body):
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(request.path).query)
    bearer = request.headers.get("Authorization", "")
    if request.path == "/token":
        return give_token(request, mode, turn, body)
    if request.path.startswith("/computeMetadata/"):
        known = request.headers.get("Metadata-Flavor") == "Google"
        text = "my-project" if kind == "project-id" else json.dumps({"access_token": "ya29.machine", "expires_in": 3599})
        return request.answer(200 if known else 403, text)
    if not bearer.startswith("Bearer ya29.") or mode == "expired" or (mode == "expires" and bearer.endswith("-1") and kind == "disks"):
        return refuse(request, 401, "authError")
    if "metadata" in query["fields"][0] or query["returnPartialSuccess"] != ["true"]:
        return refuse(request, 400, "invalid")
    if mode == "throttles" and kind == "instances" and turn <= 2:
        return refuse(request, 403, "rateLimitExceeded")
    if mode == "refuses" and "/my-project/" not in request.path:
        return refuse(request, 403, "forbidden")
    return answer_list(request, mode, turn, kind, query)
