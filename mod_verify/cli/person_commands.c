/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command.h"

#include "store/erasure.h"

IDV_COMMAND(idv_command_person_erase)
{
    idv_person_erasure_t erasure;

    IDV_TRY(idv_person_erase(call->db, call->arguments[0], idv_time_now(),
                             &erasure, call->pool));
    *answer = json_pack("{s:s, s:s, s:s, s:O, s:I}", "id", call->arguments[0],
                        "object", "person_erasure", "organization_id",
                        erasure.organization_id, "erased", erasure.erased,
                        "erased_at", (json_int_t)idv_time_seconds(erasure.at));
    return NULL;
}
