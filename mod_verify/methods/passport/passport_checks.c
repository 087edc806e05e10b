/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/passport/passport_checks.h"

#include <string.h>

#include "core/word_list.h"

static const char *const check_codes[] = {
#define X(name, code) code,
    IDV_PASSPORT_CHECKS(X)
#undef X
};

static const struct {
    const char *code;
    idv_passport_check_t check;
    idv_passport_state_t state;
    idv_passport_error_t error;
} reasons[] = {{NULL, 0, IDV_PASSPORT_PASSED, 0},
#define X(name, code, check, state, error)                                     \
    {code, IDV_PASSPORT_CHECK_##check, IDV_PASSPORT_##state,                   \
     IDV_PASSPORT_ERROR_##error},
               IDV_PASSPORT_REASONS(X)
#undef X
};

void idv_passport_checks_pass(idv_passport_checks_t *checks,
                              idv_passport_check_t name)
{
    checks->is_made[name] = 1;
}

void idv_passport_checks_object(idv_passport_checks_t *checks,
                                idv_passport_reason_t reason)
{
    idv_passport_check_t name = reasons[reason].check;
    idv_passport_reason_t before = checks->reasons[name];

    checks->is_made[name] = 1;
    if (before == IDV_PASSPORT_REASON_NONE || reason < before)
        checks->reasons[name] = reason;
}

idv_passport_state_t
idv_passport_checks_state(const idv_passport_checks_t *checks,
                          idv_passport_check_t name)
{
    return checks->is_made[name] ? reasons[checks->reasons[name]].state
                                 : IDV_PASSPORT_NOT_MADE;
}

int idv_passport_checks_prove_data(const idv_passport_checks_t *checks)
{
    static const idv_passport_check_t needed[] = {
        IDV_PASSPORT_CHECK_SECURITY_OBJECT,
        IDV_PASSPORT_CHECK_SECURITY_OBJECT_SIGNATURE,
        IDV_PASSPORT_CHECK_DOCUMENT_SIGNER,
        IDV_PASSPORT_CHECK_CERTIFICATE_CHAIN,
        IDV_PASSPORT_CHECK_DATA_GROUP_HASHES,
        IDV_PASSPORT_CHECK_ISSUING_STATE,
    };

    for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++) {
        idv_passport_state_t state =
            idv_passport_checks_state(checks, needed[i]);

        if (state != IDV_PASSPORT_PASSED
            && (state != IDV_PASSPORT_UNDETERMINED
                || idv_passport_check_deviation(needed[i])
                       == IDV_PASSPORT_DEVIATION_NONE))
            return 0;
    }
    return 1;
}

idv_passport_deviation_t
idv_passport_check_deviation(idv_passport_check_t name)
{
    static const idv_passport_deviation_t of[IDV_PASSPORT_CHECK_COUNT] = {
#define X(name, what) [IDV_PASSPORT_CHECK_##name] = IDV_PASSPORT_DEVIATION_##what,
        IDV_PASSPORT_DEVIATIONS(X)
#undef X
    };

    return of[name];
}

const char *idv_passport_check_code(idv_passport_check_t name)
{
    return check_codes[name];
}

int idv_passport_check_find(const char *code)
{
    return idv_word_find(check_codes, IDV_PASSPORT_CHECK_COUNT, code);
}

const char *idv_passport_reason_code(idv_passport_reason_t reason)
{
    return reasons[reason].code;
}

int idv_passport_reason_find(const char *code)
{
    for (int i = 1; i < IDV_PASSPORT_REASON_COUNT; i++)
        if (strcmp(reasons[i].code, code) == 0)
            return i;
    return -1;
}

idv_passport_check_t idv_passport_reason_check(idv_passport_reason_t reason)
{
    return reasons[reason].check;
}

idv_passport_state_t idv_passport_reason_state(idv_passport_reason_t reason)
{
    return reasons[reason].state;
}

idv_passport_error_t idv_passport_reason_error(idv_passport_reason_t reason)
{
    return reasons[reason].error;
}
