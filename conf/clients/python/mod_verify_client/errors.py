# SPDX-License-Identifier: Apache-2.0
"""What can go wrong. No message contains a secret."""
from __future__ import annotations

from email.message import Message
from typing import Any, Optional


class VerifyError(Exception):
    """The class of all errors of this package."""


class ApiConnectionError(VerifyError):
    """The service did not answer, or not in time."""


class ApiError(VerifyError):
    """The service refused the request. Branch on `code`."""

    def __init__(self, status: int, headers: Message, body: Any) -> None:
        error = body.get("error") if isinstance(body, dict) else None
        if not isinstance(error, dict):
            error = {}
        self.status = status
        self.type: Optional[str] = error.get("type")
        self.code: Optional[str] = error.get("code")
        self.param: Optional[str] = error.get("param")
        # For questions to the operator.
        self.request_id: Optional[str] = error.get("request_id") or headers.get("X-Request-Id")
        # Seconds to wait before the next attempt.
        seconds = headers.get("Retry-After") or ""
        self.retry_after: Optional[int] = (
            int(seconds) if len(seconds) < 10 and seconds.isdecimal() else None)
        details = ", ".join(
            filter(None, [self.code, self.param, self.request_id]))
        message = error.get("message") or f"The service answered {status}."
        super().__init__(f"{message} ({details})" if details else message)


class SignatureError(VerifyError):
    """The service did not sign this webhook, or not in the last minutes: respond with 400.

    `reason` is `missing`, `malformed`, `too_old` or `mismatch`.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
