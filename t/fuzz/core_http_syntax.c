/* SPDX-License-Identifier: Apache-2.0 */
/* The beginning of a connection; its first byte says into which pieces it is
 * cut, which must not matter. */
#include "fuzz/fuzz.h"

#include "core/http_syntax.h"

#define LINE_MAX_BYTES 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    idv_request_head_t whole = {0}, parts = {0};
    size_t piece, at = 0;
    int complete, complete_by_parts = 0;

    if (size == 0)
        return 0;
    piece = (size_t)data[0] + 1;
    data++;
    size--;
    complete = idv_request_head_add(&whole, (const char *)data, size,
                                    size + 1);
    while (at < size && !complete_by_parts) {
        size_t length = size - at < piece ? size - at : piece;

        complete_by_parts = idv_request_head_add(
            &parts, (const char *)data + at, length, size + 1);
        at += length;
    }
    promise(complete == complete_by_parts);
    promise(!complete || whole.length == parts.length);
    promise(whole.length <= size);
    memset(&parts, 0, sizeof(parts));
    (void)idv_request_head_add(&parts, (const char *)data, size,
                               LINE_MAX_BYTES);
    promise(parts.lines > 0 || parts.line <= LINE_MAX_BYTES
            || parts.is_complete);
    return 0;
}
