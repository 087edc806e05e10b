"""The steps of clients.t with the client for Python."""
import json
import os
import sys
import time
import traceback

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../conf/clients/python"))
from mod_verify_client import (  # noqa: E402
    ApiConnectionError, ApiError, SignatureError, VerifyClient, verify_webhook)

with open(os.environ["VERIFY_CLIENT_TEST"], encoding="utf-8") as file:
    given = json.load(file)
client = VerifyClient(given["url"], given["key"])
behind_proxy = VerifyClient(given["proxy"], given["key"], timeout=5)
run = str(time.time_ns())


def ok(is_right, name, got=None):
    print(f"ok - {name}" if is_right else f"not ok - {name}\n{got!r}")


def equal(got, expected, name):
    ok(got == expected, name, got)


def error_of(call, *arguments, **named):
    """Also the text of its traceback, where no secret may be."""
    try:
        return call(*arguments, **named), ""
    except Exception as error:  # all that there is
        return error, "".join(traceback.format_exception(type(error), error, error.__traceback__))


def create(reference, source=client, **more):
    return source.create_verification_session(
        type="age", workflow_id=given["workflow"], client_reference_id=reference, **more)


def snake(name):
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in name)


def sessions():
    ok(all(callable(getattr(client, snake(name), None)) for name in given["operations"]),
       "every operation", given["operations"])
    session = create("python-first-" + run)
    ok(session["client_secret"] and session["url"], "a session")
    expanded = client.retrieve_verification_session(session["id"], expand=["results"])
    ok(isinstance(expanded["results"], list), "its results", expanded)
    done = client.set_test_outcome(session["id"], value="passed")
    equal(done["status"], "verified", "its outcome")
    twice = [create("python-key", idempotency_key="python-key-" + run)["id"] for _ in "ab"]
    equal(twice[0], twice[1], "one session for one idempotency key")
    check = client.check_compliance(use_cases="alcohol_delivery", jurisdiction="US-CA")
    equal(check["most_restrictive"]["required_age_tier"], "min_age_21", "a compliance check")


def lists():
    reference = "python-list-" + run
    ids = [create(reference)["id"] for _ in range(5)][::-1]

    def listed(**more):
        return client.list_verification_sessions(client_reference_id=reference, limit=2, **more)
    equal([item["id"] for item in listed()], ids, "all of three pages")
    equal([item["id"] for item in listed(ending_before=ids[4])], ids[3::-1],
          "backwards, oldest first")
    equal([len(page["data"]) for page in listed().pages()], [2, 2, 1], "pages")
    equal(list(client.list_verification_sessions(client_reference_id="python-none")), [],
          "an empty list")


def errors():
    refused, _ = error_of(
        client.create_verification_session, type="ages", workflow_id=given["workflow"])
    ok(isinstance(refused, ApiError) and refused.status == 400
       and refused.code == "parameter_invalid" and refused.param == "type"
       and refused.type == "invalid_request_error" and refused.request_id.startswith("req_")
       and refused.request_id in str(refused),
       "an error with its code, parameter and request id", refused)
    unknown = given["key"][:-4] + "AAAA"
    denied, text = error_of(create, "python", VerifyClient(given["url"], unknown))
    ok(denied.code == "api_key_invalid" and unknown not in text, "a wrong key", denied)
    lost, text = error_of(
        create, "python", VerifyClient("http://127.0.0.1:9", given["key"], max_retries=0))
    ok(isinstance(lost, ApiConnectionError) and given["key"] not in text, "no connection", lost)
    ok(given["key"] not in repr(client), "the client hides its key")
    for key in (given["key"] + "\n", "", None):
        error, text = error_of(VerifyClient, given["url"], key)
        ok(isinstance(error, ValueError) and given["key"] not in text, "a malformed key", error)
    unfit, _ = error_of(create, "python", idempotency_key="a\nb")
    ok(isinstance(unfit, ValueError), "an idempotency key that cannot be sent", unfit)
    for name in ("../events", "", None, "vks_1/cancel"):
        error, _ = error_of(client.retrieve_verification_session, name)
        ok(isinstance(error, ValueError), f"not an id: {name}", error)


def retries():
    for kind in ("drop", "hang", "busy", "unavailable", "page"):
        reference = f"fault-{kind}-python{run}"
        more = {"timeout": 1} if kind == "hang" else {}
        session = create(reference, behind_proxy, **more)
        found = list(client.list_verification_sessions(client_reference_id=reference))
        equal([each["id"] for each in found], [session["id"]], f"{kind}: one session")
    started = time.monotonic()
    closed, _ = error_of(create, f"fault-closed-python{run}", behind_proxy)
    ok(closed.status == 429 and closed.retry_after == 900 and closed.request_id == "req_0proxy"
       and time.monotonic() - started < 5, "a long Retry-After is left to the caller", closed)
    moved, _ = error_of(create, f"fault-moved-python{run}", behind_proxy)
    equal(moved.status, 307, "redirects are not followed")
    once, _ = error_of(create, f"fault-drop-pythononce{run}",
                       VerifyClient(given["proxy"], given["key"], max_retries=0))
    ok(isinstance(once, ApiConnectionError), "no retries", once)


def webhooks():
    for case in given["webhooks"]:
        secrets = case["secrets"] if len(case["secrets"]) > 1 else case["secrets"][0]
        for body in (case["body"], case["body"].encode()):
            got, _ = error_of(verify_webhook, body, case["headers"], secrets)
            got = got.reason if isinstance(got, SignatureError) else got
            got = got["id"] if isinstance(got, dict) else got
            equal(got, case["expected"], case["name"])
    case = given["webhooks"][0]
    for body, secrets, kind in ((json.loads(case["body"]), case["secrets"], TypeError),
                                (case["body"], "secret", ValueError), (case["body"], None, ValueError),
                                (case["body"], [], ValueError)):
        error, text = error_of(verify_webhook, body, case["headers"], secrets)
        ok(isinstance(error, kind) and case["secrets"][0] not in text, "wrong arguments", error)


sessions()
lists()
errors()
retries()
webhooks()
