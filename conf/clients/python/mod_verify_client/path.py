# SPDX-License-Identifier: Apache-2.0
"""The parts of a URL, and the parameters that were given."""
from __future__ import annotations

import re
import urllib.parse
from typing import Any, Dict, Mapping, Optional

# The default of optional parameters, because None means null.
UNSET: Any = type("Unset", (), {"__repr__": lambda self: "UNSET", "__bool__": lambda self: False})()


def given(**parameters: Any) -> Dict[str, Any]:
    return {name: value for name, value in parameters.items() if value is not UNSET}


def path_of(template: str, **ids: str) -> str:
    """Checks the ids, so that no id of a stranger leads to another path."""
    for name, value in ids.items():
        if not isinstance(value, str) or not re.fullmatch("[a-z]+_[0-9a-zA-Z]+", value):
            raise ValueError(f"`{name}` is malformed; ids look like 'vks_…'")
    return template.format(**ids)


def query_of(parameters: Optional[Mapping[str, Any]]) -> str:
    pairs = []
    for name, value in (parameters or {}).items():
        if isinstance(value, (list, tuple)):
            pairs += [(name + "[]", item) for item in value]
        elif value is not None:
            pairs.append((name, value))
    return "?" + urllib.parse.urlencode(pairs) if pairs else ""
