# SPDX-License-Identifier: Apache-2.0
"""A shop that asks for the age before it sells: python3 shop.py"""
import html
import os
import secrets
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# In your project, install mod-verify-client instead.
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../clients/python"))
from mod_verify_client import SignatureError, VerifyClient, verify_webhook

WORKFLOW = os.environ["VERIFY_WORKFLOW"]
WEBHOOK_SECRET = os.environ["VERIFY_WEBHOOK_SECRET"]
client = VerifyClient(os.environ["VERIFY_URL"], os.environ["VERIFY_SECRET_KEY"])
orders = {}  # a real shop has a database


def take_event(event):
    """An event may come twice, and what came late changes no end."""
    kind, _, what = event["type"].rpartition(".")
    order = event["data"]["object"].get("client_reference_id")
    if kind == "verification_session" and orders.get(order) == "waits" \
            and what in ("verified", "failed", "cancelled", "expired"):
        orders[order] = what  # "verified": send the goods


class Shop(BaseHTTPRequestHandler):
    def respond(self, status, text="", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def do_GET(self):
        order = self.path.rpartition("/")[2]
        if self.path == "/":
            self.respond(200, '<form method="post" action="/orders">'
                              "<button>Buy wine</button></form>")
        elif order in orders:
            self.respond(200, html.escape(orders[order]))
        else:
            self.respond(404, "no such page")

    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        if length > 1000000:
            return self.respond(413)
        body = self.rfile.read(length)
        if self.path == "/orders":
            order = secrets.token_hex(8)
            session = client.create_verification_session(
                type="age", workflow_id=WORKFLOW, jurisdiction="US-CA",
                client_reference_id=order, idempotency_key=order)
            orders[order] = "waits"
            self.respond(303, Location=session["url"], **{"X-Order": order})
        elif self.path == "/webhooks":
            try:
                event = verify_webhook(body, self.headers, WEBHOOK_SECRET)
            except SignatureError:
                return self.respond(400, "not signed")
            take_event(event)
            self.respond(200)
        else:
            self.respond(404, "no such page")


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))),
                    Shop).serve_forever()
