/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <string.h>

#include <apr_strings.h>

#include "cli/trust/trust_source.h"
#include "core/terminal_text.h"
#include "domain/trust/expiry.h"
#include "methods/trust/certificate_view.h"
#include "store/account/organization.h"
#include "store/trust/expiry.h"
#include "store/trust/trust_list.h"

/* Trusted issuers of signed evidence: lists of certificates and their
 * versions. */

/* --- answers --- */

static json_t *time_json(idv_time_t time)
{
    return idv_json_integer_or_null(idv_time_seconds(time));
}

static json_t *owner_json(const char *organization_id)
{
    return *organization_id ? json_string(organization_id) : json_null();
}

static json_t *record_json(const idv_trust_record_t *record)
{
    const idv_trust_version_t *version = &record->version;
    idv_expiry_state_t state = idv_expiry_of_list(
        version->issued, version->next_update, idv_time_now());

    return json_pack(
        "{s:s, s:s, s:s, s:o, s:s, s:s, s:s, s:o, s:o, s:o, s:i, s:i, s:s, "
        "s:s?, s:I}",
        "id", version->list_id, "object", "trust_list", "version_id",
        version->version_id, "organization_id",
        owner_json(record->organization_id), "kind",
        idv_trust_kind_value(version->kind), "name", version->name, "status",
        record->is_current ? idv_expiry_state_value(state) : "replaced", "sequence",
        idv_json_integer_or_null(version->sequence), "issued_at",
        time_json(version->issued), "next_update", time_json(version->next_update),
        "certificates", record->certificate_count, "passed_over",
        record->passed_over, "digest", record->digest, "signer",
        record->signer, "imported",
        (json_int_t)idv_time_seconds(version->imported));
}

static json_t *certificate_json(const idv_trust_certificate_t *item,
                                apr_pool_t *pool)
{
    json_t *json = idv_certificate_view_json(item->certificate, pool);
    json_t *types = json_array();

    for (int i = 0; i < item->doc_type_count; i++)
        json_array_append_new(types, json_string(item->doc_types[i]));
    json_object_set_new(json, "role",
                        json_string(item->is_signer ? "signer" : "authority"));
    json_object_set_new(json, "doc_types", types);
    return json;
}

static json_t *difference_json(const idv_trust_difference_t *difference,
                               apr_pool_t *pool)
{
    json_t *changes = json_array();

    for (int i = 0; i < difference->changes->nelts; i++) {
        const idv_trust_change_t *change =
            &APR_ARRAY_IDX(difference->changes, i, idv_trust_change_t);
        json_t *json = certificate_json(change->certificate, pool);

        json_object_set_new(
            json, "change", json_string(idv_trust_change_value(change->kind)));
        json_array_append_new(changes, json);
    }
    return json_pack("{s:i, s:o}", "kept", difference->kept, "changes",
                     changes);
}

/* --- reading lists --- */

static idv_error_t *read_signers(const idv_call_t *call,
                                 apr_array_header_t **signers)
{
    const char *path = idv_call_option(call, "signer");
    apr_array_header_t *sources;

    *signers = apr_array_make(call->pool, 4, sizeof(idv_bytes_t));
    if (!path)
        return NULL;
    IDV_TRY(idv_trust_sources_read(path, &sources, call->pool));
    return idv_trust_sources_certificates(sources, signers, call->pool);
}

static idv_error_t *read_kind(const idv_call_t *call, idv_bytes_t file,
                              idv_trust_kind_t *kind)
{
    static const char *const kinds[] = {
#define X(name, value, purpose) value,
        IDV_TRUST_KINDS(X)
#undef X
            NULL};
    int found = idv_trust_file_kind(file);

    IDV_TRY(idv_call_choice(call, "kind", kinds, &found));
    if (found < 0)
        return idv_error_param(call->pool, "kind",
                               "Plain certificates do not say what they are "
                               "for: pass --kind.");
    *kind = (idv_trust_kind_t)found;
    return NULL;
}

/* A list that was read, and its source. */
typedef struct {
    const char *path;
    apr_array_header_t *sources;
    idv_trust_content_t *content;
} list_t;

/* The given name, else the publisher's, else the file's. */
static const char *name_of(const idv_call_t *call, const list_t *list)
{
    const char *name = idv_call_option(call, "name");
    const char *path = list->path + strlen(list->path), *end;

    if (name)
        return name;
    if (list->content->name)
        return list->content->name;
    while (path > list->path && path[-1] == '/')
        path--;
    end = path;
    while (path > list->path && path[-1] != '/')
        path--;
    name = apr_pstrmemdup(call->pool, path, (apr_size_t)(end - path));
    end = strrchr(name, '.');
    if (end && end > name)
        name = apr_pstrmemdup(call->pool, name, (apr_size_t)(end - name));
    name = idv_trust_name(name, call->pool);
    return name ? name : "list";
}

/* How this call reads files, from the options and the first of SOURCES. */
static idv_error_t *prepare(const idv_call_t *call,
                            const apr_array_header_t *sources,
                            idv_trust_reading_t *reading)
{
    const char *organization = idv_call_option(call, "org");
    apr_array_header_t *signers;
    idv_trust_anchors_t *anchors;

    *reading = (idv_trust_reading_t){.now = idv_time_now()};
    IDV_TRY(idv_call_text(call, "name", IDV_TRUST_NAME_MAX));
    if (organization)
        IDV_TRY(idv_call_organization(call));
    IDV_TRY(read_kind(call,
                      APR_ARRAY_IDX(sources, 0, idv_trust_source_t).bytes,
                      &reading->kind));
    IDV_TRY(read_signers(call, &signers));
    IDV_TRY(idv_trust_anchors_find(call->db, organization ? organization : "",
                                   idv_trust_kind_purpose(reading->kind),
                                   &anchors, call->pool));
    reading->signers = signers;
    reading->anchors = anchors;
    return NULL;
}

/* Reads LIST. A signer is refused where there is no signature to check. */
static idv_error_t *read_list(const idv_call_t *call,
                              const idv_trust_reading_t *reading, list_t *list,
                              json_t *warnings)
{
    IDV_TRY(idv_trust_sources_content(list->sources, reading, &list->content,
                                      warnings, call->pool));
    return idv_call_option(call, "signer")
                && idv_trust_kind_is_plain(reading->kind)
             ? idv_error_param(call->pool, "signer",
                               "Certificates of kind %s are not a signed list. "
                               "Omit --signer.",
                               idv_trust_kind_value(reading->kind))
             : NULL;
}

/* The list at the path FILE, an import of it, and WARNINGS. All end with the
 * pool of the call. */
static idv_error_t *read_import(const idv_call_t *call,
                                idv_trust_import_t *import, json_t **warnings)
{
    list_t list = {.path = call->arguments[0]};
    idv_trust_reading_t reading;
    const char *organization = idv_call_option(call, "org");

    *warnings = idv_json_own(json_array(), call->pool);
    IDV_TRY(idv_trust_sources_read(list.path, &list.sources, call->pool));
    IDV_TRY(prepare(call, list.sources, &reading));
    IDV_TRY(read_list(call, &reading, &list, *warnings));
    *import = (idv_trust_import_t){
        .organization_id = organization ? organization : "",
        .name = name_of(call, &list),
        .content = list.content,
        .source = idv_trust_sources_join(list.sources, call->pool),
        .now = reading.now,
    };
    return NULL;
}

/* --- commands --- */

IDV_COMMAND(trust_import)
{
    idv_trust_difference_t difference;
    idv_trust_record_t *record;
    idv_trust_import_t import;
    json_t *warnings;

    IDV_TRY(read_import(call, &import, &warnings));
    IDV_TRY(idv_trust_list_import(call->db, &import, &record, &difference,
                                  call->pool));
    *answer = record_json(record);
    json_object_set_new(*answer, "difference",
                        difference_json(&difference, call->pool));
    json_object_set(*answer, "warnings", warnings);
    return NULL;
}

/* The summary of CONTENT, under NAME. */
static json_t *edition_json(const idv_trust_content_t *content,
                            const char *name)
{
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:s?, s:i}", "kind",
                     idv_trust_kind_value(content->kind), "name", name,
                     "sequence", idv_json_integer_or_null(content->sequence),
                     "issued_at", time_json(content->issued), "next_update",
                     time_json(content->next_update), "signer", content->signer,
                     "certificates", content->certificates->nelts);
}

/* The differences of a list from the one in use or from EARLIER. New
 * reference. */
static json_t *comparison_json(const idv_trust_content_t *content,
                               const char *name,
                               const idv_trust_difference_t *difference,
                               json_t *warnings, apr_pool_t *pool)
{
    json_t *json = edition_json(content, name);

    json_object_set_new(json, "object", json_string("trust_list_difference"));
    json_object_set_new(json, "difference", difference_json(difference, pool));
    json_object_set(json, "warnings", warnings);
    return json;
}

/* Compares two files, neither of which has to be imported. Signatures are
 * checked as in an import. */
static idv_error_t *compare_files(const idv_call_t *call, json_t **answer)
{
    list_t lists[2] = {{.path = call->arguments[0]},
                       {.path = call->arguments[1]}};
    json_t *warnings = idv_json_own(json_array(), call->pool);
    json_t *ignored = idv_json_own(json_array(), call->pool);
    const idv_trust_content_t *earlier, *later;
    idv_trust_difference_t difference;
    idv_trust_reading_t reading;

    for (int i = 0; i < 2; i++) {
        IDV_TRY(idv_trust_sources_read(lists[i].path, &lists[i].sources,
                                       call->pool));
        if (i == 0)
            IDV_TRY(prepare(call, lists[i].sources, &reading));
        IDV_TRY(read_list(call, &reading, &lists[i], i ? warnings : ignored));
    }
    earlier = lists[0].content;
    later = lists[1].content;
    if (idv_trust_is_older(later->sequence, later->issued, earlier->sequence,
                           earlier->issued))
        json_array_append_new(
            warnings, json_sprintf("%s is an older edition than %s.",
                                   idv_terminal_text(lists[1].path, call->pool),
                                   idv_terminal_text(lists[0].path,
                                                     call->pool)));
    idv_trust_compare(earlier->certificates, later->certificates, &difference,
                      call->pool);
    *answer = comparison_json(later, name_of(call, &lists[1]), &difference,
                              warnings, call->pool);
    json_object_set_new(*answer, "earlier",
                        edition_json(earlier, name_of(call, &lists[0])));
    return NULL;
}

IDV_COMMAND(trust_diff)
{
    idv_trust_difference_t difference;
    idv_trust_record_t *record;
    idv_trust_import_t import;
    json_t *warnings;

    if (call->arguments[1])
        return compare_files(call, answer);
    IDV_TRY(read_import(call, &import, &warnings));
    IDV_TRY(idv_trust_list_compare(call->db, &import, &record, &difference,
                                   call->pool));
    *answer = comparison_json(import.content, import.name, &difference,
                              warnings, call->pool);
    json_object_set_new(*answer, "in_use",
                        record ? record_json(record) : json_null());
    return NULL;
}

static json_t *records_json(const apr_array_header_t *records)
{
    json_t *list = json_array();

    for (int i = 0; i < records->nelts; i++)
        json_array_append_new(list, record_json(&APR_ARRAY_IDX(
                                        records, i, idv_trust_record_t)));
    return list;
}

IDV_COMMAND(trust_list)
{
    apr_array_header_t *records;

    if (call->arguments[0]) {
        IDV_TRY(idv_trust_list_versions(call->db, call->arguments[0], &records,
                                        call->pool));
    } else {
        if (idv_call_option(call, "org"))
            IDV_TRY(idv_call_organization(call));
        IDV_TRY(idv_trust_list_current(call->db, idv_call_option(call, "org"),
                                       &records, call->pool));
    }
    *answer = records_json(records);
    return NULL;
}

IDV_COMMAND(trust_anchors)
{
    static const char *const purposes[] = {"wallets", "passports", NULL};
    idv_trust_anchors_t *anchors;
    int purpose = 0;

    IDV_TRY(idv_call_choice(call, "for", purposes, &purpose));
    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_trust_anchors_find(call->db, idv_call_option(call, "org"),
                                   (idv_trust_purpose_t)purpose, &anchors,
                                   call->pool));
    *answer = json_array();
    for (int i = 0; i < anchors->entry_count; i++) {
        const idv_trust_anchor_entry_t *entry = &anchors->entries[i];
        json_t *json = certificate_json(&entry->trusted, call->pool);

        json_object_set_new(
            json, "source",
            json_string(idv_trust_source(entry->version, call->pool)));
        json_array_append_new(*answer, json);
    }
    return NULL;
}

IDV_COMMAND(trust_policy)
{
    static const char *const policies[] = {"passed", "undetermined", NULL};
    const char *organization = idv_call_option(call, "org");
    int policy = 0;

    IDV_TRY(idv_call_choice(call, "deviations", policies, &policy));
    IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_organization_set_trust_policy(call->db, organization, policy,
                                              call->pool));
    *answer = json_pack("{s:s, s:s, s:s}", "object", "trust_policy",
                        "organization_id", organization, "deviations",
                        policies[policy]);
    return NULL;
}

/* The argument is a list or one of its versions. */
static idv_error_t *rename_missing(const idv_call_t *call, idv_error_t *error)
{
    if (error && error->code == IDV_E_RESOURCE_MISSING)
        return idv_error_param(call->pool, call->arguments[0],
                               "No such list or version, or no earlier "
                               "version.");
    return error;
}

IDV_COMMAND(trust_rollback)
{
    idv_trust_difference_t difference;
    idv_trust_record_t *record;

    IDV_TRY(rename_missing(
        call, idv_trust_list_rollback(
                  call->db,
                  &(const idv_trust_rollback_t){.id = call->arguments[0],
                                                .now = idv_time_now()},
                  &record, &difference, call->pool)));
    *answer = record_json(record);
    json_object_set_new(*answer, "difference",
                        difference_json(&difference, call->pool));
    return NULL;
}

IDV_COMMAND(trust_remove)
{
    idv_trust_record_t *record;

    IDV_TRY(rename_missing(
        call, idv_trust_list_remove(call->db, call->arguments[0],
                                    idv_time_now(), &record, call->pool)));
    record->is_current = 0;
    *answer = record_json(record);
    return NULL;
}

/* --- expiry --- */

/* Maximum number of entries to print. */
#define EXPIRING_MAX 1000

IDV_COMMAND(trust_status)
{
    apr_array_header_t *expiring;

    IDV_TRY(idv_expiring_list(call->db, idv_time_now(), EXPIRING_MAX, &expiring,
                              call->pool));
    *answer = json_array();
    for (int i = 0; i < expiring->nelts; i++) {
        const idv_expiring_t *item =
            &APR_ARRAY_IDX(expiring, i, idv_expiring_t);

        json_array_append_new(
            *answer,
            json_pack("{s:s, s:s, s:s, s:o, s:s, s:s, s:o, s:o}", "object",
                      "expiring", "kind", idv_expiring_kind_value(item->kind),
                      "id", item->id, "organization_id",
                      owner_json(item->organization_id), "name", item->name,
                      "status", idv_expiry_state_value(item->state), "ends_at",
                      time_json(item->ends), "certificates",
                      idv_json_integer_or_null(item->certificates)));
    }
    return NULL;
}

static const char *const expiring_columns[] = {"status", "ends_at", "kind", "name",
                                               "id", "certificates", NULL};

#define KINDS "iaca|vical|etsi|sandbox-signer|csca|csca-master-list"

static const char *const list_columns[] = {
    "id", "kind", "name", "status", "certificates", "next_update", "imported",
    "version_id", NULL};

const idv_command_t idv_trust_commands[] = {
    {.noun = "trust",
     .verb = "import",
     .changes = 1,
     .arguments = "FILE",
     .options = {"kind! " KINDS, "org ORG", "name NAME", "signer FILE"},
     .run = trust_import,
     .help = "trust the certificates of a file (or of a directory of\n"
             "      certificates), for an organization or for all, instead of an\n"
             "      earlier edition, and print the changes. A list from somebody\n"
             "      else needs the certificate of its --signer"},
    {.noun = "trust",
     .verb = "diff",
     .arguments = "FILE [LATER]",
     .options = {"kind " KINDS, "org ORG", "name NAME", "signer FILE"},
     .run = trust_diff,
     .help = "print what an import of FILE would change, or how LATER\n"
             "      differs from FILE; neither has to be imported. Changes nothing"},
    {.noun = "trust",
     .verb = "list",
     .arguments = "[LIST_ID]",
     .options = {"org ORG"},
     .run = trust_list,
     .columns = list_columns,
     .help = "list the trust lists in use, or all versions of one"},
    {.noun = "trust",
     .verb = "status",
     .run = trust_status,
     .columns = expiring_columns,
     .help = "list what expires soon or has expired: lists whose next\n"
             "      edition is due, certificates in lists, reader identities, and\n"
             "      imported revocation lists of trusted authorities. Prints\n"
             "      nothing if all is well"},
    {.noun = "trust",
     .verb = "anchors",
     .options = {"org! ORG", "for! wallets|passports"},
     .run = trust_anchors,
     .help = "list the certificates that an organization's evidence is\n"
             "      checked against, each with the version that contains it"},
    {.noun = "trust",
     .verb = "policy",
     .changes = 1,
     .options = {"org! ORG", "deviations! passed|undetermined"},
     .run = trust_policy,
     .told = "deviations",
     .help = "set what follows for an organization if the certificate of a\n"
             "      wallet document's signer deviates from its profile without\n"
             "      widening trust: a note (passed, the default), or\n"
             "      on_undetermined of the workflow"},
    {.noun = "trust",
     .verb = "rollback",
     .changes = 1,
     .arguments = "ID",
     .run = trust_rollback,
     .help = "return to a version by its ID, or to a list's previous version"},
    {.noun = "trust",
     .verb = "remove",
     .changes = 1,
     .arguments = "LIST_ID",
     .run = trust_remove,
     .help = "stop using a list in any version; trust rollback restores it"},
    {0},
};
