/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/max_age.h"

#include <string.h>

static const char *const messages[] = {
    [IDV_MAX_AGE_SESSION] =
        "Must be a number of days from 1 to 3650 followed by d.",
    [IDV_MAX_AGE_LOOKUP] =
        "Must be a number of days from 1 to 3650 as a string.",
};

idv_error_t *idv_max_age_parse(const char *text, idv_max_age_form_t form,
                               const char *param, int *days, apr_pool_t *pool)
{
    size_t digits = strspn(text, "0123456789");
    const char *rest = form == IDV_MAX_AGE_SESSION ? "d" : "";
    int number = 0;

    *days = 0;
    for (size_t i = 0; i < digits && digits <= 4; i++)
        number = number * 10 + (text[i] - '0');
    if (text[0] == '0' || strcmp(text + digits, rest) != 0 || number < 1
        || number > IDV_MAX_AGE_DAYS)
        return idv_error_param(pool, param, "%s", messages[form]);
    *days = number;
    return NULL;
}
