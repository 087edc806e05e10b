/* SPDX-License-Identifier: Apache-2.0 */
#include "core/log_limit.h"

#include <string.h>

#include <apr_strings.h>

static int is_due(const idv_log_cause_t *cause, idv_time_t now)
{
    return now - cause->written >= IDV_LOG_PAUSE;
}

static int is_of(const idv_log_cause_t *cause, const char *tag,
                 const char *text)
{
    return strncmp(cause->tag, tag, IDV_LOG_TAG_SIZE - 1) == 0
        && strncmp(cause->text, text, IDV_LOG_TEXT_SIZE - 1) == 0;
}

/* A place for a cause that is not known: a free one, or that of a cause which
 * is a minute old and owes nothing. */
static idv_log_cause_t *find_place(idv_log_limit_t *limit, idv_time_t now)
{
    for (int i = 0; i < IDV_LOG_CAUSES; i++) {
        idv_log_cause_t *cause = &limit->causes[i];

        if (!*cause->tag || (!cause->left_out && is_due(cause, now)))
            return cause;
    }
    return NULL;
}

static idv_log_cause_t *find(idv_log_limit_t *limit, const char *tag,
                             const char *text, idv_time_t now)
{
    idv_log_cause_t *cause;

    for (int i = 0; i < IDV_LOG_CAUSES; i++)
        if (*limit->causes[i].tag && is_of(&limit->causes[i], tag, text))
            return &limit->causes[i];
    cause = find_place(limit, now);
    if (cause) {
        *cause = (idv_log_cause_t){.written = now - IDV_LOG_PAUSE};
    } else {
        cause = &limit->others;
        if (*cause->tag)
            return cause;
        cause->written = now - IDV_LOG_PAUSE;
        text = "different causes";
    }
    apr_cpystrn(cause->tag, tag, sizeof(cause->tag));
    apr_cpystrn(cause->text, text, sizeof(cause->text));
    return cause;
}

int idv_log_limit_admit(idv_log_limit_t *limit, const char *tag,
                        const char *text, idv_time_t now,
                        apr_int64_t *left_out)
{
    idv_log_cause_t *cause = find(limit, tag, text, now);

    if (!is_due(cause, now)) {
        cause->left_out++;
        return 0;
    }
    *left_out = cause->left_out;
    cause->left_out = 0;
    cause->written = now;
    return 1;
}

int idv_log_limit_rest(idv_log_limit_t *limit, idv_time_t now,
                       idv_log_cause_t *rest)
{
    for (int i = 0; i <= IDV_LOG_CAUSES; i++) {
        idv_log_cause_t *cause =
            i < IDV_LOG_CAUSES ? &limit->causes[i] : &limit->others;

        if (!cause->left_out || !is_due(cause, now))
            continue;
        *rest = *cause;
        *cause = (idv_log_cause_t){.tag = ""};
        return 1;
    }
    return 0;
}
