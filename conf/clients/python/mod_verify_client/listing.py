# SPDX-License-Identifier: Apache-2.0
"""Lists that are read page by page."""
from __future__ import annotations

from typing import Any, Callable, Dict, Generic, Iterator, List, TypeVar

T = TypeVar("T")


class ObjectList(Generic[T]):
    """The objects of a list, newest first.

    With `ending_before` they come oldest first, as to read the events since the last one
    that you have. A page has 100 objects unless `limit` says otherwise.
    """

    def __init__(
        self, load: Callable[[Dict[str, Any]], Dict[str, Any]], query: Dict[str, Any],
    ) -> None:
        self._load = load
        self._query = {"limit": 100, **query}
        self._is_forward = query.get("ending_before") is None

    def pages(self) -> Iterator[Dict[str, Any]]:
        """The pages as the service sends them, with `data` and `has_more`."""
        query = self._query
        while True:
            page = self._load(query)
            yield page
            if not page["has_more"] or not page["data"]:
                return
            last = page["data"][-1 if self._is_forward else 0]["id"]
            query = {**query, "starting_after" if self._is_forward else "ending_before": last}

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            data: List[T] = page["data"]
            yield from data if self._is_forward else reversed(data)
