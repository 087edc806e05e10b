/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/setup/setup_change.h"

#include <string.h>

#include <apr_strings.h>

#include "cli/setup/setup_value.h"
#include "core/json_writer.h"
#include "domain/account/brand.h"
#include "store/account/organization.h"

static apr_pool_t *pool_of(const idv_setup_change_t *change)
{
    return change->scope->call->pool;
}

static const json_t *wanted(const idv_setup_change_t *change,
                            const idv_setup_field_t *field)
{
    return json_object_get(change->item->form, field->name);
}

static const json_t *existing(const idv_setup_change_t *change,
                              const idv_setup_field_t *field)
{
    return change->object ? json_object_get(change->object->form, field->name)
                          : NULL;
}

static idv_error_t *fault(const idv_setup_change_t *change,
                          const idv_setup_field_t *field, const char *message)
{
    apr_pool_t *pool = pool_of(change);

    return idv_setup_locate(change->item, field->name,
                            idv_error_param(pool, field->name, "%s", message),
                            pool);
}

/* --- options --- */

static idv_error_t *reference(const idv_setup_change_t *change,
                              const idv_setup_field_t *field,
                              const json_t *value, const char **id)
{
    const char *list = field->type == IDV_SETUP_WORKFLOW ? "workflows"
                                                         : "applications";

    *id = idv_setup_id(change->scope, list, json_string_value(value));
    return *id ? NULL
               : fault(change, field,
                       field->type == IDV_SETUP_WORKFLOW
                           ? "No workflow of this organization has this name."
                           : "No application of this organization has this "
                             "name.");
}

/* The certificates in VALUE as PEM. */
static const char *pem(const json_t *value, apr_pool_t *pool)
{
    apr_array_header_t *parts = apr_array_make(pool, 16, sizeof(char *));
    json_t *item;
    size_t i;

    json_array_foreach ((json_t *)value, i, item)
        APR_ARRAY_PUSH(parts, const char *) = apr_pstrcat(
            pool, "-----BEGIN CERTIFICATE-----\n", json_string_value(item),
            "\n-----END CERTIFICATE-----\n", NULL);
    return apr_array_pstrcat(pool, parts, 0);
}

/* VALUE as the text of an option or argument; NULL: it is not given. */
static idv_error_t *text_of(const idv_setup_change_t *change,
                            const idv_setup_field_t *field,
                            const json_t *value, const char **text)
{
    apr_pool_t *pool = pool_of(change);

    if (json_is_null(value) && field->type != IDV_SETUP_LIMIT
        && field->type != IDV_SETUP_TEXT)
        return fault(change, field, "This cannot be removed again.");
    switch (field->type) {
    case IDV_SETUP_APPLICATION:
    case IDV_SETUP_WORKFLOW:
        return reference(change, field, value, text);
    case IDV_SETUP_DOCUMENT:
        return idv_setup_as_file(change->scope->call,
                                 idv_json_text(value, pool), text);
    case IDV_SETUP_CERTIFICATES:
        return idv_setup_as_file(change->scope->call, pem(value, pool), text);
    case IDV_SETUP_PATH:
        *text = idv_setup_path(change->item, json_string_value(value), pool);
        return NULL;
    default:
        *text = idv_setup_option(field, value, pool);
        return NULL;
    }
}

/* Gives FIELD to OF, as an option, or as the argument if it has none. */
static idv_error_t *give(const idv_setup_change_t *change,
                         const idv_setup_field_t *field, idv_setup_call_t *of)
{
    const json_t *value = wanted(change, field);
    const char *text = NULL;

    IDV_TRY(text_of(change, field, value, &text));
    if (field->option && text)
        apr_table_setn(of->options, field->option, text);
    else if (!field->option)
        of->argument = text;
    return NULL;
}

/* --- calls --- */

static const idv_setup_field_t *field_of(const idv_setup_change_t *change,
                                         const char *option)
{
    const idv_setup_field_t *field = change->item->kind->fields;

    for (; option && field->name; field++)
        if (field->option && field->type != IDV_SETUP_VERB
            && strcmp(field->option, option) == 0)
            return field;
    return NULL;
}

/* ERROR without the name of a file that only the command has seen
 * (idv_setup_as_file()). */
static const idv_error_t *without_file(const idv_setup_call_t *of,
                                       const idv_error_t *error,
                                       apr_pool_t *pool)
{
    size_t length = of->argument ? strlen(of->argument) : 0;
    idv_error_t *copy;

    if (!length || strncmp(of->argument, "/proc/", 6) != 0
        || strncmp(error->message, of->argument, length) != 0
        || strncmp(error->message + length, ": ", 2) != 0)
        return error;
    copy = apr_pmemdup(pool, error, sizeof(*error));
    copy->message += length + 2;
    return copy;
}

/* ERROR of the command OF with its place in the file. */
static idv_error_t *locate(const idv_setup_change_t *change,
                           const idv_setup_call_t *of, const idv_error_t *error)
{
    apr_pool_t *pool = pool_of(change);
    const char *option = error->param;
    const idv_setup_field_t *field;

    error = without_file(of, error, pool);
    if (option && strcmp(option, "FILE") == 0 && change->item->kind->argument)
        return idv_setup_locate(change->item, change->item->kind->argument,
                                error, pool);

    if (option) /* as in redirect_uris[2] */
        option = apr_pstrmemdup(pool, option, strcspn(option, "[."));
    field = field_of(change, option);
    if (!field && option && json_object_get(change->item->form, option))
        return idv_setup_locate(change->item, option, error, pool);
    return idv_setup_locate(change->item, field ? field->name : NULL, error,
                            pool);
}

static idv_error_t *run(idv_setup_change_t *change, idv_setup_call_t *of,
                        json_t **answer)
{
    const json_t *warnings;
    idv_error_t *error;

    of->organization_id = change->scope->organization_id;
    error = idv_setup_run(change->scope->call, of, answer);
    if (error)
        return locate(change, of, error);
    warnings = json_object_get(*answer, "warnings");
    if (json_array_size(warnings))
        change->warnings = warnings;
    return NULL;
}

/* --- creation --- */

static void show(idv_setup_change_t *change, const idv_setup_field_t *field)
{
    if (!change->object && field->type == IDV_SETUP_DOCUMENT)
        return;
    idv_setup_show(field, existing(change, field), wanted(change, field),
                   change->fields, pool_of(change));
}

idv_error_t *idv_setup_create(idv_setup_change_t *change)
{
    const idv_setup_kind_t *kind = change->item->kind;
    idv_setup_call_t of = {.words = kind->create,
                           .options = apr_table_make(pool_of(change), 8)};
    json_t *answer;

    change->fields = idv_json_own(json_array(), pool_of(change));
    if (kind->name_option && change->item->is_named)
        apr_table_setn(of.options, kind->name_option, change->item->name);
    for (const idv_setup_field_t *field = kind->fields; field->name; field++) {
        const json_t *value = wanted(change, field);

        if (!(field->flags & IDV_SETUP_CREATES) || !value
            || json_is_null(value))
            continue;
        IDV_TRY(give(change, field, &of));
        show(change, field);
    }
    IDV_TRY(run(change, &of, &answer));
    change->id = json_string_value(json_object_get(answer, "id"));
    if (kind->secret)
        change->secret =
            json_string_value(json_object_get(answer, kind->secret));
    if (kind->name)
        idv_setup_note(change->scope, kind, change->item->name, change->id);
    return NULL;
}

/* --- changes --- */

static int differs(const idv_setup_change_t *change,
                   const idv_setup_field_t *field)
{
    const json_t *value = wanted(change, field);

    if (!value || field->flags & IDV_SETUP_SAID)
        return 0;
    if (change->object)
        return !idv_setup_equal(field, existing(change, field), value,
                                pool_of(change));
    return !(field->flags & IDV_SETUP_CREATES)
        && !(field->flags & IDV_SETUP_OFF && !json_is_true(value)
             && !json_is_integer(value) && !json_object_size(value));
}

/* Sets the brand, for which there is no file with all of it. */
static idv_error_t *set_brand(const idv_setup_change_t *change,
                              const idv_setup_field_t *field)
{
    const idv_call_t *call = change->scope->call;
    const json_t *value = wanted(change, field);
    const char *id = change->scope->organization_id;
    const idv_setup_call_t of = {
        .words = field->command, .argument = id, .organization_id = id};
    idv_organization_brand_t shown;
    idv_error_t *error = NULL;

    if (json_object_size(value))
        error = idv_brand_check(value, call->pool);
    if (error)
        return idv_setup_locate(
            change->item,
            error->param ? apr_pstrcat(call->pool, field->name, ".",
                                       error->param, NULL)
                         : field->name,
            error, call->pool);
    IDV_TRY(idv_organization_set_brand(
        call->db, id,
        json_object_size(value) ? idv_json_text(value, call->pool) : NULL,
        &shown, call->pool));
    return idv_setup_record(call, &of, NULL);
}

/* The options of COMMAND that differ, with the statements for it. */
static idv_error_t *collect(idv_setup_change_t *change, const char *command,
                            idv_setup_call_t *of)
{
    const idv_setup_field_t *field = change->item->kind->fields;

    for (; field->name; field++) {
        if (!field->command || strcmp(field->command, command) != 0)
            continue;
        if (differs(change, field)) {
            IDV_TRY(give(change, field, of));
            show(change, field);
        } else if (field->flags & IDV_SETUP_SAID && wanted(change, field)) {
            IDV_TRY(give(change, field, of));
        }
    }
    return NULL;
}

static idv_error_t *run_command(idv_setup_change_t *change,
                                const char *command)
{
    idv_setup_call_t of = {.words = command,
                           .argument = change->id,
                           .options = apr_table_make(pool_of(change), 8)};
    json_t *answer;

    if (strcmp(command, "workflow publish") == 0)
        apr_table_setn(of.options, "id", change->id);
    if (strcmp(command, "trust import") == 0) {
        apr_table_setn(of.options, "name", change->item->name);
        apr_table_setn(of.options, "kind",
                       json_string_value(
                           json_object_get(change->object->form, "kind")));
    }
    IDV_TRY(collect(change, command, &of));
    return run(change, &of, &answer);
}

/* Changes FIELD and the other fields of its command. */
static idv_error_t *change_field(idv_setup_change_t *change,
                                 const idv_setup_field_t *field)
{
    json_t *answer;
    idv_setup_call_t of = {.argument = change->id};

    if (field->type == IDV_SETUP_BRAND) {
        show(change, field);
        return set_brand(change, field);
    }
    if (field->type != IDV_SETUP_VERB)
        return run_command(change, field->command);
    of.words = json_is_true(wanted(change, field)) ? field->command
                                                   : field->option;
    show(change, field);
    return run(change, &of, &answer);
}

/* Whether an earlier field has the same command and differs, so that it has
 * been called. */
static int was_called(const idv_setup_change_t *change,
                      const idv_setup_field_t *until)
{
    const idv_setup_field_t *field = change->item->kind->fields;

    for (; field != until; field++)
        if (field->command && strcmp(field->command, until->command) == 0
            && differs(change, field))
            return 1;
    return 0;
}

/* A list that is read from a file: the import finds out whether it differs. */
static idv_error_t *import_file(idv_setup_change_t *change)
{
    static const char *const names[] = {"kind", "file", "signer", NULL};
    idv_setup_call_t of = {
        .words = "trust import",
        .options = apr_table_make(pool_of(change), 4),
        .unrecorded = 1,
    };
    const char *before = json_string_value(
        json_object_get(change->object->listed, "version_id"));
    const json_t *after;
    json_t *answer;

    apr_table_setn(of.options, "name", change->item->name);
    apr_table_setn(
        of.options, "kind",
        json_string_value(json_object_get(change->object->form, "kind")));
    for (const idv_setup_field_t *field = change->item->kind->fields;
         field->name; field++)
        for (const char *const *name = names; *name; name++)
            if (strcmp(*name, field->name) == 0 && wanted(change, field))
                IDV_TRY(give(change, field, &of));
    IDV_TRY(run(change, &of, &answer));
    after = json_object_get(answer, "version_id");
    if (strcmp(json_string_value(after), before) == 0)
        return NULL;
    json_array_append_new(change->fields,
                          json_pack("{s:s, s:s, s:O}", "field", "version",
                                    "old", before, "new", after));
    return idv_setup_record(change->scope->call, &of, answer);
}

static int is_among(const json_t *word, const char *const *words)
{
    while (*words && strcmp(*words, json_string_value(word)) != 0)
        words++;
    return *words != NULL;
}

static const char *listed(const char *const *words, apr_pool_t *pool)
{
    const char *list = *words;

    while (*++words)
        list = apr_pstrcat(pool, list, ", ", *words, NULL);
    return list;
}

/* The fault of a FIXED field that differs. An unknown word is reported as such,
 * not as a change that is impossible. */
static idv_error_t *refuse_change(const idv_setup_change_t *change,
                                  const idv_setup_field_t *field)
{
    const char *const *words = idv_setup_words(field);
    json_t *value = (json_t *)wanted(change, field), *word;
    int is_list = json_is_array(value);
    size_t count = is_list ? json_array_size(value) : json_is_string(value);

    for (size_t i = 0; words && i < count; i++) {
        word = is_list ? json_array_get(value, i) : value;
        if (json_is_string(word) && !is_among(word, words))
            return fault(change, field,
                         apr_psprintf(pool_of(change),
                                      "\"%s\" is unknown. Use one of: %s.",
                                      json_string_value(word),
                                      listed(words, pool_of(change))));
    }
    return fault(change, field,
                 "This cannot be changed. Choose another name, or remove what "
                 "has this one first.");
}

idv_error_t *idv_setup_update(idv_setup_change_t *change)
{
    const idv_setup_field_t *field = change->item->kind->fields;

    if (!change->fields)
        change->fields = idv_json_own(json_array(), pool_of(change));
    if (change->object)
        change->id = change->object->id;
    for (; field->name; field++) {
        if (!differs(change, field))
            continue;
        if (field->flags & IDV_SETUP_FIXED)
            return refuse_change(change, field);
        if (was_called(change, field))
            continue;
        IDV_TRY(change_field(change, field));
    }
    return change->object && json_object_get(change->item->form, "file")
             ? import_file(change)
             : NULL;
}
