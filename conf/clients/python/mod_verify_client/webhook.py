# SPDX-License-Identifier: Apache-2.0
"""Whether the service signed a webhook."""
from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from typing import List, Mapping, NamedTuple, Optional, Sequence, Union, cast

from .errors import SignatureError
from .types import Event

_LONGEST_HEADER = 1000


class _Signed(NamedTuple):
    timestamp: str
    signatures: List[bytes]
    prefix: bytes
    is_standard: bool


def verify_webhook(
    body: Union[bytes, str], headers: Mapping[str, str], secrets: Union[str, Sequence[str]], *,
    tolerance: float = 300, now: Optional[float] = None,
) -> Event:
    """Returns the event if the service signed `body` in the last `tolerance` seconds.

    Pass the body as it arrived. `secrets` may have several while you rotate them. Raises
    SignatureError.
    """
    if not isinstance(body, (bytes, str)):
        raise TypeError("Pass the body as it arrived (bytes or str), before it is parsed.")
    raw = body.encode() if isinstance(body, str) else body
    keys = [secrets] if isinstance(secrets, str) else list(secrets or ())
    if not keys or not all(re.fullmatch("whsec_[0-9A-Za-z+/]+=*", key or "") for key in keys):
        raise ValueError("The secret of a webhook endpoint begins with 'whsec_'.")
    signed = _signature_of({name.lower(): value for name, value in headers.items()})
    seconds = time.time() if now is None else now
    if not abs(seconds - int(signed.timestamp)) <= tolerance:
        raise SignatureError("too_old", "The time of the signature is too far from now.")
    is_right = False
    for key in keys:
        secret = base64.b64decode(key[len("whsec_"):]) if signed.is_standard else key.encode()
        expected = hmac.new(secret, signed.prefix + raw, hashlib.sha256).digest()
        for signature in signed.signatures:
            is_right = hmac.compare_digest(expected, signature) or is_right
    if not is_right:
        raise SignatureError("mismatch", "No signature fits the body and the secret.")
    return cast(Event, json.loads(raw))


def _signature_of(headers: Mapping[str, str]) -> _Signed:
    """The headers by Standard Webhooks, which during a rotation have a signature for each
    secret, or Service-Signature."""
    standard, own = headers.get("webhook-signature"), headers.get("service-signature")
    if standard is not None:
        signed = _parse_standard(headers, standard)
    elif own is not None:
        signed = _parse_own(own)
    else:
        raise SignatureError("missing", "The webhook has no signature.")
    if signed is None:
        raise SignatureError("malformed", "The signature of the webhook is malformed.")
    return signed


def _parse_standard(headers: Mapping[str, str], header: str) -> Optional[_Signed]:
    event, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    signatures = [] if len(header) > _LONGEST_HEADER else [
        base64.b64decode(part[3:]) for part in header.split(" ")
        if re.fullmatch("v1,[0-9A-Za-z+/]{43}=", part)]
    if not signatures or not re.fullmatch("[0-9A-Za-z_]{1,64}", event) \
            or not re.fullmatch("[0-9]{1,12}", timestamp):
        return None
    return _Signed(timestamp, signatures, f"{event}.{timestamp}.".encode(), True)


def _parse_own(header: str) -> Optional[_Signed]:
    match = re.fullmatch("t=([0-9]{1,12}),v1=([0-9a-f]{64})", header)
    if not match:
        return None
    return _Signed(match[1], [bytes.fromhex(match[2])], f"{match[1]}.".encode(), False)
