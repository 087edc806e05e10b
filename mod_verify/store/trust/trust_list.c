/* SPDX-License-Identifier: Apache-2.0 */
#include "store/trust/trust_list.h"

#include <string.h>

#include <apr_strings.h>

#include "core/id.h"
#include "domain/value/shown_name.h"
#include "store/trust/expiry.h"

/* Columns of fragments/trust_version_columns.sql. */
enum {
    ORGANIZATION_ID,
    LIST_ID,
    KIND,
    NAME,
    VERSION_ID,
    SEQUENCE,
    ISSUED_AT,
    NEXT_UPDATE_AT,
    CREATED_AT,
    SOURCE_DIGEST,
    SIGNER_DIGEST,
    CERTIFICATE_COUNT,
    PASSED_OVER,
    IS_CURRENT
};

static idv_error_t *read_record(const idv_db_result_t *rows, int row,
                                idv_trust_record_t *record, apr_pool_t *pool)
{
    idv_trust_version_t *version = &record->version;
    int kind = idv_trust_kind_parse(idv_db_get_text(rows, row, KIND));

    record->organization_id = idv_db_get_text(rows, row, ORGANIZATION_ID);
    record->digest = idv_db_get_text(rows, row, SOURCE_DIGEST);
    record->signer = idv_db_get_text(rows, row, SIGNER_DIGEST);
    record->certificate_count =
        (int)idv_db_get_int(rows, row, CERTIFICATE_COUNT);
    record->passed_over = (int)idv_db_get_int(rows, row, PASSED_OVER);
    record->is_current = idv_db_get_bool(rows, row, IS_CURRENT);
    version->list_id = idv_db_get_text(rows, row, LIST_ID);
    version->version_id = idv_db_get_text(rows, row, VERSION_ID);
    version->name = idv_db_get_text(rows, row, NAME);
    version->sequence = idv_db_get_int(rows, row, SEQUENCE);
    version->issued = idv_db_get_int(rows, row, ISSUED_AT);
    version->next_update = idv_db_get_int(rows, row, NEXT_UPDATE_AT);
    version->imported = idv_db_get_int(rows, row, CREATED_AT);
    if (kind < 0)
        return idv_error_internal(pool, "%s: an unknown kind of list",
                                  version->list_id);
    version->kind = (idv_trust_kind_t)kind;
    return NULL;
}

static idv_error_t *read_records(const idv_db_result_t *rows,
                                 apr_array_header_t **records, apr_pool_t *pool)
{
    *records = apr_array_make(pool, idv_db_rows(rows) + 1,
                              sizeof(idv_trust_record_t));
    for (int row = 0; row < idv_db_rows(rows); row++)
        IDV_TRY(read_record(rows, row, apr_array_push(*records), pool));
    return NULL;
}

/* The first of ROWS; NULL when there is none. */
static idv_error_t *read_first(const idv_db_result_t *rows,
                               idv_trust_record_t **record, apr_pool_t *pool)
{
    apr_array_header_t *records;

    IDV_TRY(read_records(rows, &records, pool));
    *record = records->nelts ? &APR_ARRAY_IDX(records, 0, idv_trust_record_t)
                             : NULL;
    return NULL;
}

static void read_certificate(const idv_db_result_t *rows, int row,
                             idv_trust_certificate_t *certificate,
                             apr_pool_t *pool)
{
    certificate->is_signer = idv_db_get_bool(rows, row, 1);
    certificate->doc_types = idv_db_get_texts(rows, row, 2, pool);
    certificate->doc_type_count = 0;
    while (certificate->doc_types[certificate->doc_type_count])
        certificate->doc_type_count++;
    certificate->certificate = idv_db_get_bytes(rows, row, 3, pool);
}

typedef struct {
    const char *owner;
    const char *const *ids;
    int count;
} versions_t;

static idv_error_t *query_certificates(idv_db_t *db, const versions_t *wanted,
                                       idv_db_result_t **rows, apr_pool_t *pool)
{
    const char *const owners[] = {"", wanted->owner};

    return idv_db_query(
        db, IDV_SQL_TRUST_LIST_CERTIFICATES,
        IDV_DB_PARAMS(idv_db_texts(owners, 2, pool),
                      idv_db_texts(wanted->ids, wanted->count, pool)),
        rows, pool);
}

/* --- in use --- */

static idv_db_param_t kinds_for(idv_trust_purpose_t purpose, apr_pool_t *pool)
{
    const char *kinds[IDV_TRUST_KIND_COUNT];
    int count = 0;

    for (idv_trust_kind_t kind = 0; kind < IDV_TRUST_KIND_COUNT; kind++)
        if (idv_trust_kind_purpose(kind) == purpose)
            kinds[count++] = idv_trust_kind_value(kind);
    return idv_db_texts(kinds, count, pool);
}

/* Both go by the ids of versions in their order. */
static idv_error_t *read_anchors(const idv_db_result_t *rows,
                                 const apr_array_header_t *records,
                                 idv_trust_anchors_t *anchors, apr_pool_t *pool)
{
    int count = idv_db_rows(rows), at = 0;
    idv_trust_version_t *versions =
        apr_palloc(pool, sizeof(*versions) * (size_t)records->nelts);
    idv_trust_anchor_entry_t *entries =
        apr_palloc(pool, sizeof(*entries) * (size_t)count);

    for (int i = 0; i < records->nelts; i++)
        versions[i] = APR_ARRAY_IDX(records, i, idv_trust_record_t).version;
    for (int row = 0; row < count; row++) {
        const char *id = idv_db_get_text(rows, row, 0);

        while (at < records->nelts && strcmp(versions[at].version_id, id) != 0)
            at++;
        if (at == records->nelts)
            return idv_error_internal(pool, "certificates out of order");
        entries[row].version = &versions[at];
        read_certificate(rows, row, &entries[row].trusted, pool);
    }
    *anchors = (idv_trust_anchors_t){versions, records->nelts, entries, count};
    return NULL;
}

static idv_error_t *find_in_use(idv_db_t *db, const char *organization_id,
                                idv_trust_purpose_t purpose,
                                apr_array_header_t **records, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_TRUST_LIST_FIND_ANCHORS,
                         IDV_DB_PARAMS(idv_db_text(organization_id),
                                       kinds_for(purpose, pool)),
                         &rows, pool));
    return read_records(rows, records, pool);
}

idv_error_t *idv_trust_basis_find(idv_db_t *db, const idv_trust_query_t *query,
                                  const idv_method_basis_t **basis, int *count,
                                  apr_pool_t *pool)
{
    apr_array_header_t *records;
    idv_method_basis_t *found;

    IDV_TRY(find_in_use(db, query->organization_id, query->purpose, &records,
                        pool));
    found = apr_palloc(pool, sizeof(*found) * (size_t)(records->nelts + 1));
    for (int i = 0; i < records->nelts; i++) {
        const idv_trust_version_t *version =
            &APR_ARRAY_IDX(records, i, idv_trust_record_t).version;

        found[i] = (idv_method_basis_t){"trust_list", version->list_id,
                                        idv_trust_source(version, pool)};
    }
    *basis = found;
    *count = records->nelts;
    return NULL;
}

idv_error_t *idv_trust_anchors_find(idv_db_t *db, const char *organization_id,
                                    idv_trust_purpose_t purpose,
                                    idv_trust_anchors_t **anchors,
                                    apr_pool_t *pool)
{
    idv_db_result_t *rows;
    apr_array_header_t *records;
    const char **ids;

    *anchors = apr_pcalloc(pool, sizeof(**anchors));
    IDV_TRY(find_in_use(db, organization_id, purpose, &records, pool));
    if (records->nelts == 0)
        return NULL;
    ids = apr_palloc(pool, sizeof(*ids) * (size_t)records->nelts);
    for (int i = 0; i < records->nelts; i++)
        ids[i] = APR_ARRAY_IDX(records, i, idv_trust_record_t)
                     .version.version_id;
    IDV_TRY(query_certificates(db,
                               &(const versions_t){.owner = organization_id,
                                                   .ids = ids,
                                                   .count = records->nelts},
                               &rows, pool));
    return read_anchors(rows, records, *anchors, pool);
}

/* --- comparison --- */

/* The certificates of RECORD (may be NULL), as an array. */
static idv_error_t *find_certificates(idv_db_t *db,
                                      const idv_trust_record_t *record,
                                      apr_array_header_t **certificates,
                                      apr_pool_t *pool)
{
    idv_db_result_t *rows;

    *certificates = apr_array_make(pool, 16, sizeof(idv_trust_certificate_t));
    if (!record)
        return NULL;
    IDV_TRY(query_certificates(
        db,
        &(const versions_t){.owner = record->organization_id,
                            .ids = &record->version.version_id,
                            .count = 1},
        &rows, pool));
    for (int row = 0; row < idv_db_rows(rows); row++)
        read_certificate(rows, row, apr_array_push(*certificates), pool);
    return NULL;
}

static idv_error_t *compare_with(idv_db_t *db, const idv_trust_record_t *before,
                                 const apr_array_header_t *after,
                                 idv_trust_difference_t *difference,
                                 apr_pool_t *pool)
{
    apr_array_header_t *certificates;

    IDV_TRY(find_certificates(db, before, &certificates, pool));
    idv_trust_compare(certificates, after, difference, pool);
    return NULL;
}

static idv_error_t *find_by_name(idv_db_t *db, const idv_trust_import_t *import,
                                 idv_trust_record_t **record, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_TRUST_LIST_FIND_BY_NAME,
        IDV_DB_PARAMS(idv_db_text(import->organization_id),
                      idv_db_text(idv_trust_kind_value(import->content->kind)),
                      idv_db_text(import->name)),
        &rows, pool));
    return read_first(rows, record, pool);
}

idv_error_t *idv_trust_list_compare(idv_db_t *db,
                                    const idv_trust_import_t *import,
                                    idv_trust_record_t **record,
                                    idv_trust_difference_t *difference,
                                    apr_pool_t *pool)
{
    IDV_TRY(find_by_name(db, import, record, pool));
    return compare_with(db, *record, import->content->certificates, difference,
                        pool);
}

/* --- import --- */

typedef struct {
    const idv_trust_import_t *import;
    const char *digest; /* of the source, hexadecimal */
    const char *list_id;
    idv_trust_record_t **record;
    idv_trust_difference_t *difference;
} import_t;

static idv_db_param_t certificates_param(const apr_array_header_t *certificates,
                                         apr_pool_t *pool)
{
    json_t *list = json_array();
    idv_db_param_t param;

    for (int i = 0; i < certificates->nelts; i++) {
        const idv_trust_certificate_t *item =
            &APR_ARRAY_IDX(certificates, i, idv_trust_certificate_t);
        json_t *types = json_array();

        for (int at = 0; at < item->doc_type_count; at++)
            json_array_append_new(types, json_string(item->doc_types[at]));
        json_array_append_new(
            list,
            json_pack("{s:s, s:b, s:o}", "certificate",
                      idv_hex(item->certificate.data, item->certificate.length,
                              pool),
                      "is_signer", item->is_signer, "doc_types", types));
    }
    param = idv_db_json(list, pool);
    json_decref(list);
    return param;
}

static idv_db_param_t positive(apr_int64_t number)
{
    return number > 0 ? idv_db_int(number) : idv_db_null();
}

/* The bytes of hexadecimal digits, as the text form of bytea has them. */
static idv_db_param_t digest_param(const char *hex, apr_pool_t *pool)
{
    return idv_db_text(hex ? apr_pstrcat(pool, "\\x", hex, NULL) : NULL);
}

static idv_error_t *publish(idv_db_t *db, const import_t *work,
                            apr_pool_t *pool)
{
    const idv_trust_import_t *import = work->import;
    const idv_trust_content_t *content = import->content;

    return idv_db_execute(
        db, IDV_SQL_TRUST_LIST_PUBLISH,
        IDV_DB_PARAMS(
            idv_db_text(import->organization_id), idv_db_text(work->list_id),
            idv_db_text(idv_id_new(IDV_ID_TRUST_VERSION, import->now, pool)),
            digest_param(work->digest, pool),
            digest_param(content->signer, pool), positive(content->sequence),
            idv_db_time(content->issued), idv_db_time(content->next_update),
            idv_db_int(content->passed_over),
            certificates_param(content->certificates, pool),
            idv_db_time(import->now)),
        NULL, pool);
}

static idv_error_t *lock_list(idv_db_t *db, import_t *work, apr_pool_t *pool)
{
    const idv_trust_import_t *import = work->import;
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(
        db, IDV_SQL_TRUST_LIST_LOCK,
        IDV_DB_PARAMS(
            idv_db_text(import->organization_id),
            idv_db_text(idv_id_new(IDV_ID_TRUST_LIST, import->now, pool)),
            idv_db_text(idv_trust_kind_value(import->content->kind)),
            idv_db_text(import->name), idv_db_time(import->now)),
        &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_param(pool, "org", "%s",
                               import->content->kind == IDV_TRUST_SANDBOX_SIGNER
                                   ? "A sandbox-signer list is only for a "
                                     "sandbox organization. Pass its --org."
                                   : "No such organization.");
    work->list_id = idv_db_get_text(rows, 0, 0);
    return NULL;
}

static idv_error_t *refuse_older(const idv_trust_record_t *current,
                                 const idv_trust_content_t *content,
                                 apr_pool_t *pool)
{
    const idv_trust_version_t *version = &current->version;

    if (!idv_trust_is_older(content->sequence, content->issued,
                            version->sequence, version->issued))
        return NULL;
    return idv_error_param(pool, "FILE",
                           "The list is older than %s, which is in use. `trust "
                           "rollback` restores an earlier version.",
                           version->version_id);
}

static idv_error_t *import_list(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    import_t *work = baton;
    const idv_trust_import_t *import = work->import;
    idv_trust_record_t *current;

    IDV_TRY(lock_list(db, work, pool));
    IDV_TRY(find_by_name(db, import, &current, pool));
    IDV_TRY(compare_with(db, current, import->content->certificates,
                         work->difference, pool));
    *work->record = current;
    if (current && strcmp(current->digest, work->digest) == 0)
        return NULL;
    if (current)
        IDV_TRY(refuse_older(current, import->content, pool));
    IDV_TRY(publish(db, work, pool));
    IDV_TRY(idv_expiring_date_certificates(db, pool));
    return find_by_name(db, import, work->record, pool);
}

idv_error_t *idv_trust_list_import(idv_db_t *db,
                                   const idv_trust_import_t *import,
                                   idv_trust_record_t **record,
                                   idv_trust_difference_t *difference,
                                   apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];
    import_t work = {
        .import = import, .record = record, .difference = difference};

    IDV_TRY(idv_shown_name_check("name", import->name, IDV_TRUST_NAME_MAX,
                                 pool));
    idv_sha256(import->source.data, import->source.length, digest);
    work.digest = idv_hex(digest, sizeof(digest), pool);
    return idv_db_transaction(db, import_list, &work, pool);
}

/* --- lists --- */

idv_error_t *idv_trust_list_current(idv_db_t *db, const char *organization_id,
                                    apr_array_header_t **records,
                                    apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_TRUST_LIST_FIND_CURRENT,
                         IDV_DB_PARAMS(idv_db_text(organization_id)), &rows,
                         pool));
    return read_records(rows, records, pool);
}

idv_error_t *idv_trust_list_versions(idv_db_t *db, const char *id,
                                     apr_array_header_t **records,
                                     apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_TRUST_LIST_FIND_VERSIONS,
                         IDV_DB_PARAMS(idv_db_text(id)), &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    return read_records(rows, records, pool);
}

/* --- another version --- */

typedef struct {
    const char *id; /* of a list, or (to be restored) of a version */
    idv_time_t now;
    idv_trust_record_t **record;
    idv_trust_difference_t *difference; /* of a restoration */
} change_t;

/* The version ID; NULL when ID is. */
static idv_error_t *find_version(idv_db_t *db, const char *id,
                                 idv_trust_record_t **record, apr_pool_t *pool)
{
    idv_db_result_t *rows;

    *record = NULL;
    if (!id)
        return NULL;
    IDV_TRY(idv_db_query(db, IDV_SQL_TRUST_LIST_FIND_VERSION,
                         IDV_DB_PARAMS(idv_db_text(id)), &rows, pool));
    return read_first(rows, record, pool);
}

typedef struct {
    const char *organization_id;
    const char *list_id;
    const char *version_id;
    idv_time_t now;
} current_t;

static idv_error_t *set_current(idv_db_t *db, const current_t *current,
                                apr_pool_t *pool)
{
    return idv_db_execute(db, IDV_SQL_TRUST_LIST_SET_CURRENT,
                          IDV_DB_PARAMS(idv_db_text(current->organization_id),
                                        idv_db_text(current->list_id),
                                        idv_db_text(current->version_id),
                                        idv_db_time(current->now)),
                          NULL, pool);
}

static idv_error_t *restore(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    const change_t *work = baton;
    idv_trust_record_t *before, *after;
    apr_array_header_t *certificates;
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_TRUST_LIST_FIND_TO_RESTORE,
                         IDV_DB_PARAMS(idv_db_text(work->id)), &rows, pool));
    if (idv_db_rows(rows) == 0)
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    IDV_TRY(find_version(db, idv_db_get_text(rows, 0, 3), &before, pool));
    IDV_TRY(find_version(db, idv_db_get_text(rows, 0, 2), &after, pool));
    IDV_TRY(find_certificates(db, after, &certificates, pool));
    IDV_TRY(compare_with(db, before, certificates, work->difference, pool));
    IDV_TRY(set_current(
        db,
        &(const current_t){.organization_id = idv_db_get_text(rows, 0, 0),
                           .list_id = idv_db_get_text(rows, 0, 1),
                           .version_id = idv_db_get_text(rows, 0, 2),
                           .now = work->now},
        pool));
    return find_version(db, idv_db_get_text(rows, 0, 2), work->record, pool);
}

idv_error_t *idv_trust_list_rollback(idv_db_t *db,
                                     const idv_trust_rollback_t *rollback,
                                     idv_trust_record_t **record,
                                     idv_trust_difference_t *difference,
                                     apr_pool_t *pool)
{
    change_t work = {.id = rollback->id,
                     .now = rollback->now,
                     .record = record,
                     .difference = difference};

    return idv_db_transaction(db, restore, &work, pool);
}

static idv_error_t *remove_list(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    const change_t *work = baton;
    apr_array_header_t *records;

    IDV_TRY(idv_trust_list_versions(db, work->id, &records, pool));
    for (int i = 0; i < records->nelts; i++) {
        idv_trust_record_t *record =
            &APR_ARRAY_IDX(records, i, idv_trust_record_t);

        if (!record->is_current)
            continue;
        *work->record = record;
        return set_current(
            db,
            &(const current_t){.organization_id = record->organization_id,
                               .list_id = work->id,
                               .version_id = NULL,
                               .now = work->now},
            pool);
    }
    return idv_error_param(pool, "ID", "The list is not in use.");
}

idv_error_t *idv_trust_list_remove(idv_db_t *db, const char *id, idv_time_t now,
                                   idv_trust_record_t **record,
                                   apr_pool_t *pool)
{
    change_t work = {.id = id, .now = now, .record = record};

    return idv_db_transaction(db, remove_list, &work, pool);
}
