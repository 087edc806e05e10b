/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/session/review.h"

#include <math.h>
#include <string.h>

#define OTHER "other_"

const char *const idv_review_decisions[] = {
#define X(name, value) value,
    IDV_REVIEW_DECISIONS(X)
#undef X
        NULL};

const char *const idv_review_reasons[] = {
#define X(name, value, decision) value,
    IDV_REVIEW_REASONS(X)
#undef X
        NULL};

static const idv_decision_t decisions_of_reasons[] = {
#define X(name, value, decision) IDV_DECISION_##decision,
    IDV_REVIEW_REASONS(X)
#undef X
};

idv_decision_t idv_decision_parse(const char *value)
{
    for (int i = 0; value && i < IDV_DECISION_COUNT; i++)
        if (strcmp(idv_review_decisions[i], value) == 0)
            return (idv_decision_t)i;
    return IDV_DECISION_NONE;
}

idv_error_t *idv_review_reason_check(idv_decision_t decision, const char *code,
                                     const char *note, apr_pool_t *pool)
{
    for (int i = 0; code && idv_review_reasons[i]; i++) {
        if (decisions_of_reasons[i] != decision
            || strcmp(idv_review_reasons[i], code) != 0)
            continue;
        return strncmp(code, OTHER, strlen(OTHER)) == 0 && (!note || !*note)
                 ? idv_error_param(pool, "note",
                                   "is required with this reason. Say why.")
                 : NULL;
    }
    return code ? idv_error_param(pool, "reason_code",
                                  "must be a reason of this decision.")
                : NULL;
}

apr_int64_t idv_review_matrix_total(const idv_review_matrix_t *matrix,
                                    apr_int64_t *agreed)
{
    apr_int64_t total = 0;

    *agreed = 0;
    for (int i = 0; i < IDV_REVIEW_OUTCOMES; i++)
        for (int j = 0; j < IDV_REVIEW_OUTCOMES; j++) {
            total += matrix->counts[i][j];
            *agreed += i == j ? matrix->counts[i][j] : 0;
        }
    return total;
}

double idv_review_kappa(const idv_review_matrix_t *matrix)
{
    apr_int64_t agreed;
    double total = (double)idv_review_matrix_total(matrix, &agreed);
    double by_chance = 0;

    if (total <= 0)
        return NAN;
    for (int i = 0; i < IDV_REVIEW_OUTCOMES; i++) {
        double first = 0, second = 0;

        for (int j = 0; j < IDV_REVIEW_OUTCOMES; j++) {
            first += (double)matrix->counts[i][j];
            second += (double)matrix->counts[j][i];
        }
        by_chance += first / total * (second / total);
    }
    return by_chance >= 1 ? NAN
                          : ((double)agreed / total - by_chance)
                                / (1 - by_chance);
}
