# SPDX-License-Identifier: Apache-2.0
"""Calls a mod_verify service: age and identity verification."""
from .client import VerifyClient
from .errors import ApiConnectionError, ApiError, SignatureError, VerifyError
from .listing import ObjectList
from .version import __version__
from .webhook import verify_webhook

__all__ = [
    "ApiConnectionError", "ApiError", "ObjectList", "SignatureError", "VerifyClient",
    "VerifyError", "__version__", "verify_webhook",
]
