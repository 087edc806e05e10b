# SPDX-License-Identifier: Apache-2.0
"""Requests, and when they are repeated."""
from __future__ import annotations

import http.client
import json
import random
import re
import ssl
import time
import urllib.error
import urllib.request
import uuid
from email.message import Message
from typing import Any, Dict, Mapping, Optional, Tuple, cast

from .errors import ApiConnectionError, ApiError, VerifyError
from .listing import ObjectList
from .operations import Operations
from .path import query_of
from .version import __version__

_LONGEST_BACKOFF = 30.0  # seconds
_LONGEST_RETRY_AFTER = 60  # the window of the rate limit


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The service redirects no request, and the key must not go elsewhere."""

    def redirect_request(self, *_: Any) -> None:
        return None


class VerifyClient(Operations):
    """Calls the service.

    Network errors, 429 and 5xx are retried `max_retries` times, with the same idempotency
    key, after the time in Retry-After or with exponential backoff. `timeout` is in
    seconds, for the connection and for each part of the response. Threads may share a
    client.
    """

    def __init__(
        self, url: str, secret_key: str, *, timeout: float = 30.0, max_retries: int = 2,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        if not re.fullmatch(r"https?://[^/?#\s]+/?", url or ""):
            raise ValueError(
                "`url` must be the address of the service, such as https://verify.example.com")
        if not re.fullmatch(r"[A-Za-z0-9_-]+", secret_key or ""):
            raise ValueError("`secret_key` is missing, or contains characters that no key has")
        self._url = url.rstrip("/")
        self._secret_key = secret_key
        self._timeout = timeout
        self._max_retries = max_retries
        self._opener = urllib.request.build_opener(
            _NoRedirects, urllib.request.HTTPSHandler(context=ssl_context))

    def request(
        self, method: str, path: str, *, query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None, idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        """Calls an operation. You need it only for those that this version does not have."""
        headers = self._headers(method, body, idempotency_key)
        data = None if body is None else json.dumps(body).encode()
        if data is None and method == "POST":
            data = b""
        for retries in range(self._max_retries + 1):
            request = urllib.request.Request(
                self._url + path + query_of(query), data, headers, method=method)
            try:
                return self._attempt(request, f"{method} {path}", timeout)
            except VerifyError as error:
                seconds = _seconds_until_retry(error, retries)
                if seconds is None or retries == self._max_retries:
                    raise
            time.sleep(seconds)

    def list(
        self, path: str, query: Dict[str, Any], timeout: Optional[float] = None,
    ) -> ObjectList[Any]:
        def load(page: Dict[str, Any]) -> Dict[str, Any]:
            return cast(Dict[str, Any], self.request("GET", path, query=page, timeout=timeout))
        return ObjectList(load, query)

    def _headers(
        self, method: str, body: Optional[Mapping[str, Any]], idempotency_key: Optional[str],
    ) -> Dict[str, str]:
        headers = {
            "Accept": "application/json",
            "Authorization": "Bearer " + self._secret_key,
            "User-Agent": "mod-verify-client/" + __version__ + " python",
        }
        if body is not None:
            headers["Content-Type"] = "application/json"
        if method == "POST":
            key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
            if not re.fullmatch("[ -~]{1,255}", key):
                raise ValueError("`idempotency_key` must be 1 to 255 printable characters")
            headers["Idempotency-Key"] = key
        return headers

    def _attempt(self, request: urllib.request.Request, name: str, timeout: Optional[float]) -> Any:
        try:
            status, headers, text = self._exchange(request, timeout)
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            raise ApiConnectionError(f"{name}: {reason or type(reason).__name__}") from error
        try:
            answer = json.loads(text)
        except ValueError:
            answer = None
        if 200 <= status < 300 and answer is not None:
            return answer
        raise ApiError(status, headers, answer)

    def _exchange(
        self, request: urllib.request.Request, timeout: Optional[float],
    ) -> Tuple[int, Message, bytes]:
        try:
            with self._opener.open(
                    request, timeout=self._timeout if timeout is None else timeout) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read()


def _seconds_until_retry(error: VerifyError, retries: int) -> Optional[float]:
    """None if the request must not be repeated.

    It waits up to a quarter longer than required, so that clients do not return all at
    once.
    """
    required = 0
    if isinstance(error, ApiError):
        if error.status != 429 and error.status < 500 and error.code != "idempotency_in_progress":
            return None
        required = error.retry_after or 0
        if required > _LONGEST_RETRY_AFTER:
            return None
    backoff = min(_LONGEST_BACKOFF, 0.5 * 2.0 ** retries)
    return max(required, backoff) * (1 + random.random() / 4)
