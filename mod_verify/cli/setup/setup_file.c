/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/setup/setup_file.h"

#include <string.h>

#include <apr_strings.h>

#include "cli/command/file_input.h"
#include "core/terminal_text.h"
#include "domain/value/url.h"
#include "domain/workflow/workflow_compile.h"

typedef struct {
    const idv_setup_file_t *file;
    apr_array_header_t *faults; /* const char * */
    apr_array_header_t *owners;
    apr_hash_t *names; /* of all owners */
    apr_pool_t *pool;
} reader_t;

/* --- places and faults --- */

/* POINTER/FIELD, where the dots of a field are steps. */
static const char *pointer_to(const char *pointer, const char *field,
                              apr_pool_t *pool)
{
    char *copy = apr_pstrdup(pool, field), *state;

    for (char *step = apr_strtok(copy, ".", &state); step;
         step = apr_strtok(NULL, ".", &state))
        pointer = idv_json_pointer_member(pointer, step, pool);
    return pointer;
}

static const char *place(const idv_setup_file_t *file, const char *pointer,
                         apr_pool_t *pool)
{
    int line = idv_yaml_line(&file->document, pointer, pool);

    if (!line)
        return apr_psprintf(pool, "%s: %s", file->path, pointer);
    return apr_psprintf(pool, "%s:%d: %s", file->path, line,
                        *pointer ? pointer : "/");
}

static void add_fault(reader_t *reader, const char *pointer,
                      const char *message)
{
    if (reader->faults->nelts < IDV_SETUP_FAULTS_MAX)
        APR_ARRAY_PUSH(reader->faults, const char *) = idv_terminal_text(
            apr_pstrcat(reader->pool,
                        place(reader->file, pointer, reader->pool), ": ",
                        message, NULL),
            reader->pool);
}

idv_error_t *idv_setup_locate(const idv_setup_item_t *item, const char *field,
                              const idv_error_t *error, apr_pool_t *pool)
{
    idv_error_t *located = apr_pmemdup(pool, error, sizeof(*error));
    const char *where =
        place(item->file,
              field ? pointer_to(item->pointer, field, pool) : item->pointer,
              pool);

    if (error->detail)
        located->detail = apr_pstrcat(pool, where, ": ", error->detail, NULL);
    located->message =
        apr_pstrcat(pool, where, ": ",
                    error->param && field
                        ? idv_error_sentence(error, "The value", pool)
                        : idv_error_sentence(error, error->param, pool),
                    NULL);
    located->param = NULL;
    return located;
}

const char *idv_setup_path(const idv_setup_item_t *item, const char *name,
                           apr_pool_t *pool)
{
    const char *slash = strrchr(item->file->path, '/');

    return *name == '/' || !slash
             ? name
             : apr_pstrcat(pool,
                           apr_pstrmemdup(pool, item->file->path,
                                          (apr_size_t)(slash + 1
                                                       - item->file->path)),
                           name, NULL);
}

/* --- names that are unknown --- */

#define WORD_MAX 40 /* bytes of a name that is compared */

static int smallest(int a, int b, int c)
{
    int least = a < b ? a : b;

    return least < c ? least : c;
}

/* How many characters differ between two words (Levenshtein). */
static int distance(const char *one, const char *other)
{
    int row[WORD_MAX + 1], length = (int)strlen(other);

    for (int j = 0; j <= length; j++)
        row[j] = j;
    for (int i = 1; one[i - 1]; i++) {
        int diagonal = row[0];

        row[0] = i;
        for (int j = 1; j <= length; j++) {
            int above = row[j];

            row[j] = smallest(above + 1, row[j - 1] + 1,
                              diagonal + (one[i - 1] != other[j - 1]));
            diagonal = above;
        }
    }
    return row[length];
}

/* Which of the KNOWN names NAME may be meant for; NULL: none. */
static const char *nearest(const apr_array_header_t *known, const char *name)
{
    const char *best = NULL;
    int least = 3;

    if (strlen(name) > WORD_MAX)
        return NULL;
    for (int i = 0; i < known->nelts; i++) {
        const char *word = APR_ARRAY_IDX(known, i, const char *);
        int differs = distance(name, word);

        if (differs < least) {
            least = differs;
            best = word;
        }
    }
    return best;
}

static void refuse_name(reader_t *reader, const char *pointer,
                        const char *name, const apr_array_header_t *known)
{
    const char *meant;

    if (reader->faults->nelts >= IDV_SETUP_FAULTS_MAX)
        return;
    meant = nearest(known, name);
    add_fault(reader, idv_json_pointer_member(pointer, name, reader->pool),
              meant ? apr_pstrcat(reader->pool,
                                  "Unknown field. Is this meant: ", meant, "?",
                                  NULL)
                    : "Unknown field.");
}

/* --- types --- */

static int is_list_of_texts(const json_t *value)
{
    json_t *item;
    size_t i;

    if (!json_is_array(value))
        return 0;
    json_array_foreach ((json_t *)value, i, item)
        if (!json_is_string(item)
            || strpbrk(json_string_value(item), ", \t\r\n"))
            return 0;
    return 1;
}

/* What VALUE must be for FIELD; NULL: it is. */
static const char *type_fault(const idv_setup_field_t *field,
                              const json_t *value)
{
    if (json_is_null(value))
        return field->flags & IDV_SETUP_NULLABLE ? NULL : "Must not be null.";
    switch (field->type) {
    case IDV_SETUP_NUMBER:
    case IDV_SETUP_LIMIT:
        return json_is_integer(value) ? NULL : "Must be a whole number.";
    case IDV_SETUP_SWITCH:
    case IDV_SETUP_FLAG:
    case IDV_SETUP_VERB:
        return json_is_boolean(value) ? NULL : "Must be true or false.";
    case IDV_SETUP_WORDS:
    case IDV_SETUP_ADDRESSES:
    case IDV_SETUP_CERTIFICATES:
        return is_list_of_texts(value)
                 ? NULL
                 : "Must be a list of texts without spaces and commas.";
    case IDV_SETUP_MAPPING:
    case IDV_SETUP_BRAND:
        return json_is_object(value) ? NULL : "Must be a mapping.";
    case IDV_SETUP_DOCUMENT:
        return json_is_object(value) || json_is_string(value)
                 ? NULL
                 : "Must be a mapping or the name of a file.";
    default:
        return json_is_string(value) && *json_string_value(value)
                 ? NULL
                 : "Must be a text.";
    }
}

/* --- an object --- */

/* Replaces the name of a file by what is in it. */
static void load_document(reader_t *reader, idv_setup_item_t *item,
                          const idv_setup_field_t *field)
{
    json_t *value = json_object_get(item->form, field->name), *document;
    idv_error_t *error;

    if (field->type != IDV_SETUP_DOCUMENT || !json_is_string(value))
        return;
    error = idv_json_file_read(
        idv_setup_path(item, json_string_value(value), reader->pool),
        IDV_SETUP_FILE_MAX, &document, reader->pool);
    if (error)
        add_fault(reader, pointer_to(item->pointer, field->name, reader->pool),
                  idv_error_cause(error));
    else
        json_object_set(item->form, field->name, document);
}

/* The faults of the definition of a workflow, which the name of the workflow is
 * in. */
static void check_definition(reader_t *reader, idv_setup_item_t *item)
{
    const json_t *definition = json_object_get(item->form, "definition");
    const char *pointer = idv_json_pointer_member(item->pointer, "definition",
                                                  reader->pool);
    apr_array_header_t *faults;
    idv_workflow_t *workflow;

    if (!json_is_object(definition))
        return;
    idv_workflow_compile(definition, &workflow, &faults, reader->pool);
    for (int i = 0; !workflow && i < faults->nelts; i++) {
        const idv_workflow_fault_t *fault =
            &APR_ARRAY_IDX(faults, i, idv_workflow_fault_t);

        add_fault(reader,
                  apr_pstrcat(reader->pool, pointer, fault->pointer, NULL),
                  fault->message);
    }
    if (workflow && item->name && strcmp(item->name, workflow->name) != 0)
        add_fault(reader, idv_json_pointer_member(item->pointer, "name",
                                                  reader->pool),
                  "Must be the name in the definition.");
    else if (workflow)
        item->name = workflow->name;
}

static const idv_setup_field_t *find_field(const idv_setup_kind_t *kind,
                                           const char *name)
{
    for (const idv_setup_field_t *field = kind->fields; field->name; field++)
        if (strcmp(field->name, name) == 0)
            return field;
    return NULL;
}

/* Whether NAME groups fields, as limits in limits.secret. */
static int is_group(const idv_setup_kind_t *kind, const char *name)
{
    size_t length = strlen(name);

    for (const idv_setup_field_t *field = kind->fields; field->name; field++)
        if (strncmp(field->name, name, length) == 0
            && field->name[length] == '.')
            return 1;
    return 0;
}

/* The names that may follow PREFIX. */
static apr_array_header_t *known_names(const idv_setup_kind_t *kind,
                                       const char *prefix, apr_pool_t *pool)
{
    apr_array_header_t *names = apr_array_make(pool, 16, sizeof(char *));
    size_t length = strlen(prefix);

    for (const idv_setup_field_t *field = kind->fields; field->name; field++) {
        const char *rest = field->name + length;

        if (strncmp(field->name, prefix, length) == 0)
            APR_ARRAY_PUSH(names, const char *) =
                apr_pstrmemdup(pool, rest, strcspn(rest, "."));
    }
    if (!length)
        APR_ARRAY_PUSH(names, const char *) = "name";
    if (!length && kind == &idv_setup_organization)
        for (const idv_setup_kind_t *list = idv_setup_kinds; list->name; list++)
            APR_ARRAY_PUSH(names, const char *) = list->name;
    return names;
}

static int is_list_name(const char *name)
{
    for (const idv_setup_kind_t *kind = idv_setup_kinds; kind->name; kind++)
        if (strcmp(kind->name, name) == 0)
            return 1;
    return 0;
}

/* Adds the members of OBJECT, which are below PREFIX, to the form of ITEM. */
static void read_fields(reader_t *reader, idv_setup_item_t *item,
                        const json_t *object, const char *prefix)
{
    const char *name;
    json_t *value;

    json_object_foreach ((json_t *)object, name, value) {
        const char *path = apr_pstrcat(reader->pool, prefix, name, NULL);
        const idv_setup_field_t *field = find_field(item->kind, path);
        const char *fault = field ? type_fault(field, value) : NULL;

        if (fault)
            add_fault(reader, pointer_to(item->pointer, path, reader->pool),
                      fault);
        else if (field)
            json_object_set(item->form, path, value);
        else if (!*prefix && is_group(item->kind, name)
                 && json_is_object(value))
            read_fields(reader, item, value,
                        apr_pstrcat(reader->pool, name, ".", NULL));
        else if (*prefix
                 || (strcmp(name, "name") != 0
                     && (item->kind != &idv_setup_organization
                         || !is_list_name(name))))
            refuse_name(reader,
                        *prefix ? pointer_to(item->pointer, prefix,
                                             reader->pool)
                                : item->pointer,
                        name, known_names(item->kind, prefix, reader->pool));
    }
}

static void read_name(reader_t *reader, idv_setup_item_t *item,
                      const json_t *object)
{
    const json_t *name = json_object_get(object, "name");

    if (name && (!json_is_string(name) || !*json_string_value(name)))
        add_fault(reader,
                  idv_json_pointer_member(item->pointer, "name", reader->pool),
                  "Must be a text.");
    item->is_named = json_is_string(name);
    item->name = json_string_value(name);
}

/* The URL of ITEM as it is stored; NULL: none. */
static const char *url_of(const reader_t *reader, const idv_setup_item_t *item)
{
    const char *url = json_string_value(json_object_get(item->form, "url"));
    const char *stored;

    if (!url || !find_field(item->kind, "url"))
        return NULL;
    return idv_url_normalize(url, IDV_URL_WEBHOOK, "url", &stored, reader->pool)
             ? url
             : stored;
}

/* Reads OBJECT at the pointer of ITEM, whose kind is set. */
static void read_item(reader_t *reader, idv_setup_item_t *item,
                      const json_t *object)
{
    item->file = reader->file;
    item->form = idv_json_own(json_object(), reader->pool);
    if (!json_is_object(object)) {
        add_fault(reader, item->pointer, "Must be a mapping.");
        return;
    }
    read_name(reader, item, object);
    read_fields(reader, item, object, "");
    for (const idv_setup_field_t *field = item->kind->fields; field->name;
         field++)
        load_document(reader, item, field);
    if (find_field(item->kind, "definition"))
        check_definition(reader, item);
    if (!item->name)
        item->name = url_of(reader, item);
    if (json_object_get(item->form, "certificates")
        && json_object_get(item->form, "file"))
        add_fault(reader, item->pointer,
                  "Has certificates and a file: one of them is enough.");
    if (!item->name && !reader->faults->nelts)
        add_fault(reader, item->pointer, "The name is missing.");
}

/* --- lists --- */

/* Refuses ITEM if NAMES has its name, else adds it. */
static void note_name(reader_t *reader, apr_hash_t *names,
                      const idv_setup_item_t *item)
{
    if (!item->name)
        return;
    if (apr_hash_get(names, item->name, APR_HASH_KEY_STRING))
        add_fault(reader, item->pointer, "This name occurs twice.");
    apr_hash_set(names, item->name, APR_HASH_KEY_STRING, item->name);
}

static apr_array_header_t *read_list(reader_t *reader,
                                     const idv_setup_kind_t *kind,
                                     const json_t *list, const char *pointer)
{
    apr_array_header_t *items =
        apr_array_make(reader->pool, 8, sizeof(idv_setup_item_t));
    apr_hash_t *names = apr_hash_make(reader->pool);
    json_t *object;
    size_t i;

    if (!json_is_array(list))
        add_fault(reader, pointer, "Must be a list.");
    json_array_foreach ((json_t *)list, i, object) {
        idv_setup_item_t *item = apr_array_push(items);

        *item = (idv_setup_item_t){
            .kind = kind,
            .pointer = idv_json_pointer_element(pointer, i, reader->pool)};
        read_item(reader, item, object);
        note_name(reader, names, item);
    }
    return items;
}

static void read_lists(reader_t *reader, idv_setup_owner_t *owner,
                       const json_t *object)
{
    for (int i = 0; idv_setup_kinds[i].name; i++) {
        const idv_setup_kind_t *kind = &idv_setup_kinds[i];
        const json_t *list = json_object_get(object, kind->name);

        if (list)
            owner->lists[i] =
                read_list(reader, kind, list,
                          idv_json_pointer_member(owner->self.pointer,
                                                  kind->name, reader->pool));
    }
}

static void read_organizations(reader_t *reader, const json_t *list)
{
    static const char pointer[] = "/organizations";
    json_t *object;
    size_t i;

    if (list && !json_is_array(list))
        add_fault(reader, pointer, "Must be a list.");
    json_array_foreach ((json_t *)list, i, object) {
        idv_setup_owner_t *owner = apr_array_push(reader->owners);

        *owner = (idv_setup_owner_t){
            .self = {.kind = &idv_setup_organization,
                     .pointer =
                         idv_json_pointer_element(pointer, i, reader->pool)}};
        read_item(reader, &owner->self, object);
        note_name(reader, reader->names, &owner->self);
        read_lists(reader, owner, object);
    }
}

/* Trust lists for all organizations. */
static void read_common(reader_t *reader, const json_t *root)
{
    const char *name = idv_setup_trust_lists->name;
    const json_t *list = json_object_get(root, name);
    idv_setup_owner_t *owner;

    if (!list)
        return;
    owner = apr_array_push(reader->owners);
    *owner = (idv_setup_owner_t){
        .self = {.kind = &idv_setup_organization,
                 .file = reader->file,
                 .pointer = ""}};
    owner->lists[idv_setup_trust_lists - idv_setup_kinds] =
        read_list(reader, idv_setup_trust_lists, list,
                  idv_json_pointer_member("", name, reader->pool));
    if (apr_hash_get(reader->names, "", APR_HASH_KEY_STRING))
        add_fault(reader, idv_json_pointer_member("", name, reader->pool),
                  "Another file also has trust lists for all organizations.");
    apr_hash_set(reader->names, "", APR_HASH_KEY_STRING, "");
}

/* --- files --- */

static void read_root(reader_t *reader, const json_t *root)
{
    apr_array_header_t *known = apr_array_make(reader->pool, 2, sizeof(char *));
    const char *name;
    json_t *value;

    APR_ARRAY_PUSH(known, const char *) = "organizations";
    APR_ARRAY_PUSH(known, const char *) = idv_setup_trust_lists->name;
    json_object_foreach ((json_t *)root, name, value)
        if (strcmp(name, "organizations") != 0
            && strcmp(name, idv_setup_trust_lists->name) != 0)
            refuse_name(reader, "", name, known);
    read_organizations(reader, json_object_get(root, "organizations"));
    read_common(reader, root);
}

static idv_error_t *read_file(reader_t *reader, const char *path)
{
    idv_setup_file_t *file = apr_pcalloc(reader->pool, sizeof(*file));
    idv_bytes_t text;
    idv_error_t *error;

    file->path = path;
    reader->file = file;
    IDV_TRY(idv_file_input_read(path, path, IDV_SETUP_FILE_MAX, &text,
                                reader->pool));
    error = idv_yaml_read((const char *)text.data, text.length,
                          &file->document, reader->pool);
    if (!error) {
        read_root(reader, file->document.root);
        return NULL;
    }
    if (error->code != IDV_E_PARAMETER_INVALID)
        return error;
    APR_ARRAY_PUSH(reader->faults, const char *) = idv_terminal_text(
        apr_psprintf(reader->pool, "%s:%d: %s", path, file->document.line,
                     error->message),
        reader->pool);
    return NULL;
}

idv_error_t *idv_setup_read(const char *const *paths,
                            apr_array_header_t **owners, apr_pool_t *pool)
{
    reader_t reader = {
        .faults = apr_array_make(pool, 4, sizeof(char *)),
        .owners = apr_array_make(pool, 4, sizeof(idv_setup_owner_t)),
        .names = apr_hash_make(pool),
        .pool = pool,
    };

    for (; *paths; paths++)
        IDV_TRY(read_file(&reader, *paths));
    *owners = reader.owners;
    if (reader.faults->nelts)
        return idv_error_param(pool, NULL, "%s",
                               apr_array_pstrcat(pool, reader.faults, '\n'));
    return NULL;
}
