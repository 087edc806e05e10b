/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/setup/setup_apply.h"

#include <string.h>

#include <apr_strings.h>

#include "cli/setup/setup_change.h"
#include "cli/setup/setup_state.h"

/* An organization that is applied, or all organizations. */
typedef struct {
    idv_setup_apply_t *apply;
    const idv_setup_owner_t *owner;
    idv_setup_scope_t *scope;
    apr_array_header_t *objects[IDV_SETUP_KINDS_MAX]; /* existing ones */
    apr_array_header_t *last; /* idv_setup_change_t, to be finished */
} work_t;

static idv_setup_subject_t subject_of(const work_t *work,
                                      const idv_setup_kind_t *kind,
                                      const idv_setup_object_t *object)
{
    return (idv_setup_subject_t){.kind = kind->title,
                                 .organization = work->owner->self.name,
                                 .name = object->name,
                                 .id = object->id};
}

/* --- one object --- */

/* The object that ITEM names; NULL: none. */
static idv_error_t *find(const work_t *work, const idv_setup_item_t *item,
                         const apr_array_header_t *objects,
                         idv_setup_object_t **found)
{
    apr_pool_t *pool = work->apply->call->pool;
    int is_ambiguous = 0;

    *found = NULL;
    for (int i = 0; i < objects->nelts; i++) {
        idv_setup_object_t *object =
            &APR_ARRAY_IDX(objects, i, idv_setup_object_t);

        if (strcmp(object->name, item->name) != 0)
            continue;
        if (object->is_managed)
            *found = object;
        else
            is_ambiguous = 1;
    }
    return *found || !is_ambiguous
             ? NULL
             : idv_setup_locate(item, "name",
                                idv_error_param(pool, "name",
                                                "is that of several objects. "
                                                "Rename or remove all but one."),
                                pool);
}

/* The id of an object that a trial creates would not be its later one. */
static const char *id_shown(const idv_setup_apply_t *apply,
                            const idv_setup_change_t *change)
{
    if (change->object)
        return change->object->id;
    return apply->is_trial ? NULL : change->id;
}

static idv_error_t *keep_secret(const work_t *work,
                                const idv_setup_subject_t *subject,
                                const char *secret)
{
    const idv_setup_apply_t *apply = work->apply;
    apr_pool_t *pool = apply->call->pool;
    const char *name;
    json_t *entry;

    if (!secret)
        return NULL;
    name = idv_secret_file_name(subject->organization, subject->kind,
                                subject->name, pool);
    if (apply->is_trial)
        return apply->files ? idv_secret_files_check(apply->files, name, pool)
                            : NULL;
    entry = json_pack("{s:s, s:s, s:s, s:s}", "kind", subject->kind,
                      "organization", subject->organization, "name",
                      subject->name, "id", subject->id);
    json_array_append_new(apply->plan->secrets, entry);
    if (!apply->files) {
        json_object_set_new(entry, "secret", json_string(secret));
        return NULL;
    }
    json_object_set_new(
        entry, "file",
        json_string(apr_pstrcat(pool, apply->directory, "/", name, NULL)));
    return idv_secret_files_write(apply->files, name, secret, pool);
}

static idv_error_t *finish_item(const work_t *work, idv_setup_change_t *change)
{
    const idv_setup_item_t *item = change->item;
    idv_setup_subject_t subject = {.kind = item->kind->title,
                                   .organization = work->owner->self.name,
                                   .name = item->name};
    idv_setup_action_t action = IDV_SETUP_CREATE;

    IDV_TRY(idv_setup_update(change));
    if (change->object)
        action = json_array_size(change->fields) ? IDV_SETUP_CHANGE
                                                 : IDV_SETUP_UNCHANGED;
    subject.id = id_shown(work->apply, change);
    subject.warnings = change->warnings;
    idv_setup_plan_add(work->apply->plan, action, &subject,
                       json_incref(change->fields));
    return keep_secret(work, &subject, change->secret);
}

/* What is to be retired is finished when all objects exist: those that refer to
 * it could not be created afterwards. */
static idv_error_t *apply_item(work_t *work, const idv_setup_item_t *item,
                               const idv_setup_object_t *object)
{
    idv_setup_change_t change = {.item = item, .object = object,
                                 .scope = work->scope};

    if (!object)
        IDV_TRY(idv_setup_create(&change));
    if (!json_is_true(json_object_get(item->form, "retired")))
        return finish_item(work, &change);
    APR_ARRAY_PUSH(work->last, idv_setup_change_t) = change;
    return NULL;
}

/* --- lists --- */

static idv_error_t *apply_list(work_t *work, int index)
{
    const idv_setup_kind_t *kind = &idv_setup_kinds[index];
    const apr_array_header_t *items = work->owner->lists[index];

    IDV_TRY(idv_setup_objects(work->scope, kind, &work->objects[index]));
    for (int i = 0; items && i < items->nelts; i++) {
        const idv_setup_item_t *item = &APR_ARRAY_IDX(items, i, idv_setup_item_t);
        idv_setup_object_t *object;

        IDV_TRY(find(work, item, work->objects[index], &object));
        IDV_TRY(apply_item(work, item, object));
    }
    return NULL;
}

static int is_named_in(const apr_array_header_t *items, const char *name)
{
    for (int i = 0; i < items->nelts; i++)
        if (strcmp(APR_ARRAY_IDX(items, i, idv_setup_item_t).name, name) == 0)
            return 1;
    return 0;
}

static idv_error_t *remove_object(work_t *work, const idv_setup_kind_t *kind,
                                  const idv_setup_object_t *object)
{
    const idv_setup_call_t of = {
        .words = kind->remove,
        .argument = object->id,
        .organization_id = work->scope->organization_id,
    };
    idv_setup_subject_t subject = subject_of(work, kind, object);
    json_t *answer;

    IDV_TRY(idv_setup_run(work->apply->call, &of, &answer));
    idv_setup_plan_add(work->apply->plan, IDV_SETUP_DELETE, &subject, NULL);
    return NULL;
}

/* Removes what the file does not name, and tells what no file can name. */
static idv_error_t *prune_list(work_t *work, int index)
{
    const idv_setup_kind_t *kind = &idv_setup_kinds[index];
    const apr_array_header_t *items = work->owner->lists[index];

    for (int i = 0; items && i < work->objects[index]->nelts; i++) {
        const idv_setup_object_t *object =
            &APR_ARRAY_IDX(work->objects[index], i, idv_setup_object_t);
        idv_setup_subject_t subject = subject_of(work, kind, object);

        if (!object->is_managed && !object->is_retired)
            idv_setup_plan_leave(work->apply->plan, &subject,
                                 object->unmanaged);
        else if (work->apply->prunes && object->is_managed
                 && !object->is_retired && !is_named_in(items, object->name))
            IDV_TRY(remove_object(work, kind, object));
    }
    return NULL;
}

/* --- owners --- */

static idv_error_t *apply_lists(work_t *work)
{
    int count = 0;

    work->last = apr_array_make(work->apply->call->pool, 4,
                                sizeof(idv_setup_change_t));
    for (; idv_setup_kinds[count].name; count++)
        if (*work->scope->organization_id
            || &idv_setup_kinds[count] == idv_setup_trust_lists)
            IDV_TRY(apply_list(work, count));
    for (int i = 0; i < work->last->nelts; i++)
        IDV_TRY(finish_item(
            work, &APR_ARRAY_IDX(work->last, i, idv_setup_change_t)));
    while (count-- > 0)
        if (work->objects[count])
            IDV_TRY(prune_list(work, count));
    return NULL;
}

/* The organization of OWNER, which is created if there is none; its settings
 * follow its lists, because some of them would refuse those. */
static idv_error_t *apply_organization(work_t *work)
{
    const idv_call_t *call = work->apply->call;
    const idv_setup_item_t *item = &work->owner->self;
    apr_array_header_t *found;
    idv_setup_object_t *object;
    idv_setup_change_t change = {.item = item};
    idv_setup_subject_t subject = {.kind = item->kind->title,
                                   .organization = item->name,
                                   .name = item->name};

    IDV_TRY(idv_setup_organizations(call, item->name, &found));
    IDV_TRY(find(work, item, found, &object));
    work->scope = idv_setup_scope(call, object ? object->id : "");
    change.scope = work->scope;
    change.object = object;
    if (object)
        IDV_TRY(idv_setup_organization_form(call, object->id, &object->form));
    else
        IDV_TRY(idv_setup_create(&change));
    work->scope->organization_id = object ? object->id : change.id;
    subject.id = id_shown(work->apply, &change);
    IDV_TRY(apply_lists(work));
    IDV_TRY(idv_setup_update(&change));
    idv_setup_plan_add(work->apply->plan,
                       !object                           ? IDV_SETUP_CREATE
                       : json_array_size(change.fields) ? IDV_SETUP_CHANGE
                                                        : IDV_SETUP_UNCHANGED,
                       &subject, json_incref(change.fields));
    return NULL;
}

idv_error_t *idv_setup_apply(idv_setup_apply_t *apply,
                             const apr_array_header_t *owners)
{
    for (int i = 0; i < owners->nelts; i++) {
        work_t work = {
            .apply = apply,
            .owner = &APR_ARRAY_IDX(owners, i, idv_setup_owner_t),
        };

        if (work.owner->self.name) {
            IDV_TRY(apply_organization(&work));
            continue;
        }
        work.scope = idv_setup_scope(apply->call, "");
        IDV_TRY(apply_lists(&work));
    }
    return NULL;
}
