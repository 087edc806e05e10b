/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/session/evidence_output.h"

idv_error_t *idv_call_put_picture(idv_call_t *call,
                                  const idv_evidence_t *picture,
                                  json_t **answer)
{
    const char *path = idv_call_option(call, "output");

    if (!call->file)
        IDV_TRY(
            idv_private_file_create("output", path, &call->file, call->pool));
    call->content = picture->bytes;
    *answer =
        json_pack("{s:s, s:s, s:s, s:I, s:s}", "object", "evidence_file",
                  "side", picture->part, "media_type", picture->media_type,
                  "size", (json_int_t)picture->bytes.length, "file", path);
    return NULL;
}
