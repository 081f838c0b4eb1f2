"""What tests put into the real stores that they start, by the interfaces that those publish: their own signatures, nothing of ours."""

import base64
import datetime
import hashlib
import hmac
import http.client
import json
import urllib.parse

from object_server import sign


def now():
    return datetime.datetime.now(datetime.timezone.utc)


def date_of(text):
    return datetime.datetime.strptime(text, "%a, %d %b %Y %H:%M:%S GMT").replace(tzinfo=datetime.timezone.utc)


def send(port, method, path, headers, body=b""):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    if answer.status >= 300:
        raise RuntimeError(f"{method} {path}: {answer.status} {text[:300]}")
    return text


def put_s3(port, bucket, key, data, keys=("test", "test-secret")):
    """An object; a bucket where key is None."""
    path = "/" + bucket + ("" if key is None else "/" + urllib.parse.quote(key, safe="/~"))
    date, payload = now().strftime("%Y%m%dT%H%M%SZ"), hashlib.sha256(data).hexdigest()
    headers = {"host": f"127.0.0.1:{port}", "x-amz-date": date, "x-amz-content-sha256": payload}
    scope, signed = f"{date[:8]}/us-east-1/s3/aws4_request", "host;x-amz-content-sha256;x-amz-date"
    signature = sign(keys[1], ("PUT", path, "", headers), scope, date, signed, payload)
    headers["Authorization"] = f"AWS4-HMAC-SHA256 Credential={keys[0]}/{scope}, SignedHeaders={signed}, Signature={signature}"
    send(port, "PUT", path, headers, data)


def put_gs(port, bucket, key, data):
    if key is None:
        send(port, "POST", "/storage/v1/b?project=p", {"Content-Type": "application/json"}, json.dumps({"name": bucket}).encode())
        return
    send(port, "POST", f"/upload/storage/v1/b/{bucket}/o?uploadType=media&name=" + urllib.parse.quote(key, safe=""),
         {"Content-Type": "application/octet-stream"}, data)


AZURE_ACCOUNT = "devstoreaccount1"
# Of Azure's emulators, as its documentation publishes it.
AZURE_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="


def azure_hmac(text):
    return base64.b64encode(hmac.new(base64.b64decode(AZURE_KEY), text.encode(), hashlib.sha256).digest()).decode()


def put_azure(port, container, key, data):
    path = f"/{AZURE_ACCOUNT}/{container}" + ("" if key is None else "/" + urllib.parse.quote(key, safe="/"))
    date = now().strftime("%a, %d %b %Y %H:%M:%S GMT")
    own = {"x-ms-date": date, "x-ms-version": "2021-08-06"}
    if key is not None:
        own["x-ms-blob-type"] = "BlockBlob"
    lines = "".join(f"{name}:{own[name]}\n" for name in sorted(own))
    size = str(len(data)) if data else ""
    text = f"PUT\n\n\n{size}\n\n\n\n\n\n\n\n\n{lines}/{AZURE_ACCOUNT}{path}" + ("\nrestype:container" if key is None else "")
    headers = {**own, "Content-Length": str(len(data)), "Authorization": f"SharedKey {AZURE_ACCOUNT}:{azure_hmac(text)}"}
    send(port, "PUT", path + ("?restype=container" if key is None else ""), headers, data)


def azure_sas(permissions="rwl", hours=1):
    """A signature for the account's blobs, by https://learn.microsoft.com/rest/api/storageservices/create-account-sas."""
    end = (now() + datetime.timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ")
    start = (now() - datetime.timedelta(hours=24)).strftime("%Y-%m-%dT%H:%M:%SZ")
    text = "\n".join([AZURE_ACCOUNT, permissions, "b", "sco", start, end, "", "https,http", "2021-08-06", "", ""])
    fields = {"sv": "2021-08-06", "ss": "b", "srt": "sco", "sp": permissions, "st": start, "se": end, "spr": "https,http",
              "sig": azure_hmac(text)}
    return urllib.parse.urlencode(fields)
