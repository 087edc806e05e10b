/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/setup/setup_plan.h"

#include <stdlib.h>
#include <string.h>

#include <apr_strings.h>

#include "core/json_writer.h"
#include "core/json.h"
#include "core/terminal_text.h"

static const char *const actions[] = {"create", "change", "delete",
                                      "unchanged"};
static const char *const marks[] = {"+", "~", "-", " "};
#define ACTIONS (sizeof(actions) / sizeof(*actions))

void idv_setup_plan_init(idv_setup_plan_t *plan, apr_pool_t *pool)
{
    *plan = (idv_setup_plan_t){
        .objects = idv_json_own(json_array(), pool),
        .unmanaged = idv_json_own(json_array(), pool),
        .secrets = idv_json_own(json_array(), pool),
        .pool = pool,
    };
}

static json_t *subject_json(const idv_setup_subject_t *subject)
{
    return json_pack("{s:s, s:s?, s:s, s:s?}", "kind", subject->kind,
                     "organization", subject->organization, "name",
                     subject->name, "id", subject->id);
}

void idv_setup_plan_add(idv_setup_plan_t *plan, idv_setup_action_t action,
                        const idv_setup_subject_t *subject, json_t *fields)
{
    json_t *entry = subject_json(subject);

    json_object_set_new(entry, "action", json_string(actions[action]));
    json_object_set_new(entry, "fields", fields ? fields : json_array());
    if (json_array_size(subject->warnings))
        json_object_set(entry, "warnings", (json_t *)subject->warnings);
    json_array_append_new(plan->objects, entry);
    plan->counts[action]++;
}

void idv_setup_plan_leave(idv_setup_plan_t *plan,
                          const idv_setup_subject_t *subject, const char *why)
{
    json_t *entry = subject_json(subject);

    json_object_set_new(entry, "reason", json_string(why));
    json_array_append_new(plan->unmanaged, entry);
}

int idv_setup_plan_is_empty(const idv_setup_plan_t *plan)
{
    return plan->counts[IDV_SETUP_UNCHANGED]
        == (int)json_array_size(plan->objects);
}

json_t *idv_setup_plan_json(const idv_setup_plan_t *plan, int is_applied)
{
    json_t *summary = json_object();

    for (size_t i = 0; i < ACTIONS; i++)
        json_object_set_new(summary, actions[i],
                            json_integer(plan->counts[i]));
    return json_pack("{s:s, s:b, s:o, s:O, s:O, s:O}", "object", "setup",
                     "applied", is_applied, "summary", summary, "objects",
                     plan->objects, "unmanaged", plan->unmanaged, "secrets",
                     plan->secrets);
}

/* --- on a terminal --- */

static const char *text(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

/* VALUE on one line. */
static const char *value_text(const json_t *value, apr_pool_t *pool)
{
    return idv_terminal_text(json_is_string(value) ? json_string_value(value)
                             : json_is_null(value) ? "-"
                                                   : idv_json_text(value, pool),
                             pool);
}

static const char *subject_text(const json_t *entry, apr_pool_t *pool)
{
    const char *owner = text(entry, "organization");
    const char *name = text(entry, "name"), *id = text(entry, "id");
    int is_owner = owner && strcmp(text(entry, "kind"), "organization") == 0;

    return idv_terminal_text(
        apr_pstrcat(pool, text(entry, "kind"), " ",
                    owner && !is_owner ? owner : "",
                    owner && !is_owner ? " / " : "", *name || !id ? name : id,
                    NULL),
        pool);
}

/* Warnings are texts, or have one with the pointer to its place. */
static void print_warnings(const json_t *entry, FILE *out, apr_pool_t *pool)
{
    json_t *warning;
    size_t i;

    json_array_foreach (json_object_get(entry, "warnings"), i, warning) {
        const char *message = text(warning, "message");

        fprintf(out, "      warning: %s\n",
                idv_terminal_text(message ? message
                                          : json_string_value(warning),
                                  pool));
    }
}

static void print_fields(const json_t *entry, FILE *out, apr_pool_t *pool)
{
    int is_new = strcmp(text(entry, "action"), actions[IDV_SETUP_CREATE]) == 0;
    json_t *field;
    size_t i;

    json_array_foreach (json_object_get(entry, "fields"), i, field) {
        fprintf(out, "      %s: ",
                idv_terminal_text(text(field, "field"), pool));
        if (!is_new)
            fprintf(out, "%s -> ",
                    value_text(json_object_get(field, "old"), pool));
        fprintf(out, "%s\n", value_text(json_object_get(field, "new"), pool));
    }
}

static const char *mark_of(const json_t *entry)
{
    for (size_t i = 0; i < ACTIONS; i++)
        if (strcmp(actions[i], text(entry, "action")) == 0)
            return marks[i];
    return "";
}

static void print_secrets(const json_t *answer, FILE *out, apr_pool_t *pool)
{
    json_t *entry;
    size_t i;

    json_array_foreach (json_object_get(answer, "secrets"), i, entry) {
        const char *file = text(entry, "file");

        fprintf(out, "  %s of %s: %s\n", file ? "file" : "secret",
                subject_text(entry, pool),
                idv_terminal_text(file ? file : text(entry, "secret"), pool));
    }
}

void idv_setup_plan_print(const json_t *answer, FILE *out, apr_pool_t *pool)
{
    const json_t *summary = json_object_get(answer, "summary");
    int is_applied = json_is_true(json_object_get(answer, "applied"));
    json_int_t count[ACTIONS];
    json_t *entry;
    size_t i;

    for (i = 0; i < ACTIONS; i++)
        count[i] = json_integer_value(json_object_get(summary, actions[i]));
    json_array_foreach (json_object_get(answer, "objects"), i, entry) {
        if (*mark_of(entry) == ' ')
            continue;
        fprintf(out, "  %s %s\n", mark_of(entry), subject_text(entry, pool));
        print_fields(entry, out, pool);
        print_warnings(entry, out, pool);
    }
    json_array_foreach (json_object_get(answer, "unmanaged"), i, entry)
        fprintf(out, "  ? %s is left as it is: %s\n", subject_text(entry, pool),
                idv_terminal_text(text(entry, "reason"), pool));
    print_secrets(answer, out, pool);
    if (count[0] + count[1] + count[2] == 0)
        fputs("Nothing to change.\n", out);
    else
        fprintf(out,
                "%s: %" JSON_INTEGER_FORMAT " created, %" JSON_INTEGER_FORMAT
                " changed, %" JSON_INTEGER_FORMAT
                " deleted, %" JSON_INTEGER_FORMAT " unchanged.\n",
                is_applied ? "Done" : "Plan", count[0], count[1], count[2],
                count[3]);
}
