/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/method/served_organizations.h"

#include <string.h>

#include <apr_strings.h>

/* An organization counts as served for so long after a submission. */
#define SHARED_TIME (600 * IDV_SECOND)

void idv_served_note(idv_served_t *served, const char *organization)
{
    int at = 0;

    while (at < served->count && strcmp(served->ids[at], organization) != 0)
        at++;
    if (at == IDV_SERVED_MAX)
        at = 0;
    if (at < served->count) {
        served->count--;
        memmove(served->ids[at], served->ids[at + 1],
                sizeof(served->ids[0]) * (size_t)(served->count - at));
        memmove(&served->at[at], &served->at[at + 1],
                sizeof(served->at[0]) * (size_t)(served->count - at));
    }
    apr_cpystrn(served->ids[served->count], organization, IDV_ID_SIZE);
    served->at[served->count++] = idv_time_now();
}

int idv_served_share(const idv_served_t *served, int places)
{
    int is_shared = served->count > 1
                 && served->at[served->count - 2]
                        > idv_time_now() - SHARED_TIME;

    return is_shared && places > 1 ? places - 1 : places;
}
