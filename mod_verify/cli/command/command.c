/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <apr_strings.h>

#include "core/utf8.h"
#include "domain/request/parameters.h"
#include "store/account/organization.h"
#include "store/db/db_connection.h"

#define ROWS_SHOWN 100
#define ROWS_MAX 10000

static const idv_command_t *const chapters[] = {
#define X(name) idv_##name##_commands,
    IDV_COMMAND_CHAPTERS(X)
#undef X
};

const idv_command_t *idv_command_at(int index)
{
    for (size_t i = 0; i < sizeof(chapters) / sizeof(*chapters); i++)
        for (const idv_command_t *c = chapters[i]; c->noun; c++)
            if (index-- == 0)
                return c;
    return NULL;
}

/* Commands have no time limit: a long report or an index on a large table takes
 * a while. */
idv_error_t *idv_call_connect(const idv_call_t *call, idv_db_t **db)
{
    static const idv_conninfo_preset_t presets[] = {
        {"application_name", "verifyctl"},
        {"connect_timeout", "10"},
        {"options", "-c statement_timeout=0 -c lock_timeout=0"},
        {NULL, NULL}};

    return idv_db_connect(
        idv_conninfo_complete(call->database, presets, call->pool), db,
        call->pool);
}

const char *idv_call_option(const idv_call_t *call, const char *name)
{
    return apr_table_get(call->options, name);
}

idv_error_t *idv_call_number(const idv_call_t *call, const char *name,
                             const apr_int64_t bounds[2], apr_int64_t *value)
{
    const char *text = idv_call_option(call, name);
    char *end;

    if (!text)
        return NULL;
    errno = 0;
    *value = apr_strtoi64(text, &end, 10);
    if (errno || end == text || *end || *value < bounds[0]
        || *value > bounds[1])
        return idv_error_param(call->pool, name,
                               "Expected a whole number from %" APR_INT64_T_FMT
                               " to %" APR_INT64_T_FMT ".",
                               bounds[0], bounds[1]);
    return NULL;
}

idv_error_t *idv_call_limit(const idv_call_t *call, int *limit)
{
    const apr_int64_t bounds[2] = {1, ROWS_MAX};
    apr_int64_t value = ROWS_SHOWN;

    IDV_TRY(idv_call_number(call, "limit", bounds, &value));
    *limit = (int)value;
    return NULL;
}

idv_error_t *idv_call_choice(const idv_call_t *call, const char *name,
                             const char *const *choices, int *index)
{
    const char *text = idv_call_option(call, name);
    const char *known = "";

    if (!text)
        return NULL;
    for (int i = 0; choices[i]; i++) {
        if (strcmp(choices[i], text) == 0) {
            *index = i;
            return NULL;
        }
        known = apr_pstrcat(call->pool, known, i ? ", " : "", choices[i], NULL);
    }
    return idv_error_param(call->pool, name, "Expected one of: %s.", known);
}

idv_error_t *idv_call_text(const idv_call_t *call, const char *name,
                           apr_size_t max)
{
    const char *text = idv_call_option(call, name);
    json_t *value = text ? json_string(text) : NULL;
    int is_fit = value && *text && idv_utf8_length(text) <= max;

    json_decref(value);
    return !text || is_fit
             ? NULL
             : idv_error_param(call->pool, name,
                               "Expected 1 to %" APR_SIZE_T_FMT
                               " characters of UTF-8.",
                               max);
}

idv_error_t *idv_call_read_line(const idv_call_t *call, const char *name,
                                apr_size_t max, const char **line)
{
    /* This name cannot clash with an option. */
    const char *key = apr_pstrcat(call->pool, "line ", name, NULL);
    char *buffer = apr_pcalloc(call->pool, max + 2);

    *line = apr_table_get(call->options, key);
    if (*line)
        return NULL;
    if (isatty(STDIN_FILENO)) {
        fprintf(stderr, "%s: ", name);
        fflush(stderr);
    }
    if (!fgets(buffer, (int)(max + 2), stdin))
        return idv_error_param(call->pool, name, "Standard input is empty.");
    if (!strchr(buffer, '\n') && !feof(stdin))
        return idv_error_param(call->pool, name, "The line is too long.");
    buffer[strcspn(buffer, "\r\n")] = '\0';
    apr_table_setn(call->options, key, buffer);
    *line = buffer;
    return NULL;
}

idv_error_t *idv_call_organization(const idv_call_t *call)
{
    idv_organization_t *organization;
    idv_error_t *error = idv_organization_find(
        call->db, idv_call_option(call, "org"), &organization, call->pool);

    if (error && error->code == IDV_E_RESOURCE_MISSING)
        return idv_error_param(call->pool,
                               apr_pstrcat(call->pool, "--org ",
                                           idv_call_option(call, "org"), NULL),
                               "No such organization.");
    return error;
}
