/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/trust/expiry.h"

const char *idv_expiry_state_value(idv_expiry_state_t state)
{
    static const char *const values[] = {"current", "due", "overdue"};

    return values[state];
}

static idv_expiry_state_t state_of(idv_time_t end, idv_time_t notice,
                                   idv_time_t now)
{
    if (now >= end)
        return IDV_EXPIRY_OVERDUE;
    return now >= end - notice ? IDV_EXPIRY_DUE : IDV_EXPIRY_CURRENT;
}

idv_expiry_state_t idv_expiry_of_list(idv_time_t issued, idv_time_t next_update,
                                      idv_time_t now)
{
    idv_time_t notice = IDV_EXPIRY_LIST_NOTICE;

    if (!next_update)
        return IDV_EXPIRY_CURRENT;
    if (issued && issued < next_update && (next_update - issued) / 2 < notice)
        notice = (next_update - issued) / 2;
    return state_of(next_update, notice, now);
}

idv_expiry_state_t idv_expiry_of_certificate(idv_time_t not_after,
                                             idv_time_t now)
{
    return state_of(not_after, IDV_EXPIRY_CERTIFICATE_NOTICE, now);
}
