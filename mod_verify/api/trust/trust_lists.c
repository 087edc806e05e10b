/* SPDX-License-Identifier: Apache-2.0 */
/*
 * /dashboard/v1/organizations/:org/trust_lists: trusted issuers, in the
 * organization's lists and in those that apply to all; …/:id: every edition of
 * one. Operators of the service add lists of plain certificates here. An
 * organization's own administrators may not: by trust reuse, other
 * organizations rely on what wallets prove with its lists. Signed lists, whose
 * signers are verified, and new editions are imported at the server's shell
 * (verifyctl trust).
 */
#include <string.h>

#include "api/http/response.h"
#include "api/http/write.h"
#include "methods/trust/certificate_view.h"
#include "methods/trust/plain_list.h"
#include "store/trust/expiry.h"
#include "store/trust/trust_list.h"

/* Expiring certificates that are searched for a page. */
#define ENDING_MAX 1000
/* Characters of an added list, and its certificates. */
#define PEM_MAX 65536
#define ADDED_MAX 100
#define EXPECTED_LENGTH 600

typedef struct {
    const char *organization_id;
    const char *id; /* NULL: the current edition of every list */
    idv_time_t now;
    apr_array_header_t *records; /* of idv_trust_record_t */
    apr_array_header_t *ending;  /* of idv_expiring_t */
} look_t;

static int holds_for(const idv_trust_record_t *record,
                     const char *organization_id)
{
    return !*record->organization_id
        || strcmp(record->organization_id, organization_id) == 0;
}

static idv_error_t *find(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    look_t *look = baton;

    IDV_TRY(idv_expiring_list(db, look->now, ENDING_MAX, &look->ending, pool));
    if (!look->id)
        return idv_trust_list_current(db, look->organization_id, &look->records,
                                      pool);
    IDV_TRY(idv_trust_list_versions(db, look->id, &look->records, pool));
    if (look->records->nelts == 0
        || !holds_for(&APR_ARRAY_IDX(look->records, 0, idv_trust_record_t),
                      look->organization_id))
        return idv_error_new(IDV_E_RESOURCE_MISSING, pool);
    return NULL;
}

/* The certificates of the list ID that end soon, or NULL. */
static const idv_expiring_t *certificates_ending(const look_t *look,
                                                 const char *id)
{
    for (int i = 0; i < look->ending->nelts; i++) {
        const idv_expiring_t *item =
            &APR_ARRAY_IDX(look->ending, i, idv_expiring_t);

        if (item->kind == IDV_EXPIRING_CERTIFICATES
            && strcmp(item->id, id) == 0)
            return item;
    }
    return NULL;
}

static const char *status_of(const idv_trust_record_t *record, idv_time_t now)
{
    if (!record->is_current)
        return "replaced";
    return idv_expiry_state_value(idv_expiry_of_list(
        record->version.issued, record->version.next_update, now));
}

static void write_record(idv_json_writer_t *page, const look_t *look,
                         const idv_trust_record_t *record)
{
    const idv_trust_version_t *version = &record->version;
    const idv_expiring_t *ending =
        record->is_current ? certificates_ending(look, version->list_id) : NULL;

    idv_json_open_object(page, NULL);
    idv_json_put_text(page, "id", version->list_id);
    idv_json_put_text(page, "object", "trust_list");
    idv_json_put_text(page, "version_id", version->version_id);
    idv_json_put_text(page, "organization_id",
                      *record->organization_id ? record->organization_id
                                               : NULL);
    idv_json_put_text(page, "kind", idv_trust_kind_value(version->kind));
    idv_json_put_text(page, "name", version->name);
    idv_json_put_text(page, "status", status_of(record, look->now));
    idv_json_put_positive(page, "sequence", version->sequence);
    idv_json_put_seconds(page, "issued_at", version->issued);
    idv_json_put_seconds(page, "next_update", version->next_update);
    idv_json_put_integer(page, "certificates", record->certificate_count);
    idv_json_put_integer(page, "passed_over", record->passed_over);
    idv_json_put_integer(page, "certificates_ending",
                         ending ? ending->certificates : 0);
    idv_json_put_seconds(page, "first_end", ending ? ending->ends : 0);
    idv_json_put_text(page, "digest", record->digest);
    idv_json_put_text(page, "signer", record->signer);
    idv_json_put_seconds(page, "imported", version->imported);
    idv_json_close_object(page);
}

static idv_error_t *respond(idv_request_t *request, const char *id)
{
    look_t look = {.organization_id = request->organization_id,
                   .id = id,
                   .now = request->now};
    idv_json_writer_t page;

    IDV_TRY(idv_request_no_parameters(request));
    IDV_TRY(idv_request_with_database(request, find, &look));
    idv_page_open(request, 0, &page);
    for (int i = 0; i < look.records->nelts; i++)
        write_record(&page, &look,
                     &APR_ARRAY_IDX(look.records, i, idv_trust_record_t));
    return idv_page_close(request, &page);
}

idv_error_t *idv_trust_list_api_list(idv_request_t *request)
{
    return respond(request, NULL);
}

idv_error_t *idv_trust_list_version_api_list(idv_request_t *request)
{
    return respond(request, idv_request_path(request, "id"));
}

/* --- adding a list --- */

/* The plain kinds that an organization may have. */
static const char *const kinds[] = {"iaca", "csca", NULL};

typedef struct {
    const char *name;
    const char *kind;
    const char *certificates;
} create_input_t;

static const idv_parameter_t create_parameters[] = {
    IDV_PARAMETER(STRING, create_input_t, name, IDV_REQUIRED, 1,
                  IDV_TRUST_NAME_MAX),
    IDV_PARAMETER_OF(STRING, create_input_t, kind, IDV_REQUIRED, kinds),
    IDV_PARAMETER(STRING, create_input_t, certificates, IDV_REQUIRED, 1,
                  PEM_MAX),
    {0},
};

static idv_error_t *refuse(const char *message, apr_pool_t *pool)
{
    return idv_error_param(pool, "certificates", "%s", message);
}

/* The reader ignores other blocks and stops at a damaged one. Both are refused,
 * so that a list has all that was sent. */
static idv_error_t *check_blocks(const char *text, int certificates,
                                 apr_pool_t *pool)
{
    static const char begin[] = "-----BEGIN ";
    int blocks = 0;

    if (strstr(text, "PRIVATE KEY-----"))
        return refuse("The text contains a private key. Keep it secret, and "
                      "send only certificates.",
                      pool);
    while ((text = strstr(text, begin))) {
        text += sizeof(begin) - 1;
        blocks++;
    }
    if (blocks == 0)
        return refuse("The text contains no certificates in PEM.", pool);
    if (certificates > ADDED_MAX)
        return idv_error_param(pool, "certificates",
                               "The text has more than %d certificates.",
                               ADDED_MAX);
    return blocks == certificates
             ? NULL
             : refuse("A block of the text is not a readable certificate.",
                      pool);
}

static idv_error_t *check_different(const apr_array_header_t *certificates,
                                    apr_pool_t *pool)
{
    for (int i = 1; i < certificates->nelts; i++)
        for (int before = 0; before < i; before++) {
            idv_bytes_t one = APR_ARRAY_IDX(certificates, i, idv_bytes_t);
            idv_bytes_t other = APR_ARRAY_IDX(certificates, before, idv_bytes_t);

            if (one.length == other.length
                && memcmp(one.data, other.data, one.length) == 0)
                return refuse("The text has a certificate twice.", pool);
        }
    return NULL;
}

static idv_error_t *check_authorities(const idv_trust_content_t *content,
                                      idv_time_t now, apr_pool_t *pool)
{
    for (int i = 0; i < content->certificates->nelts; i++) {
        const idv_trust_certificate_t *item = &APR_ARRAY_IDX(
            content->certificates, i, idv_trust_certificate_t);
        json_t *view = idv_json_own(
            idv_certificate_view_json(item->certificate, pool), pool);
        const json_t *end = json_object_get(view, "not_after");

        if (item->is_signer)
            return idv_error_param(pool, "certificates",
                                   "Certificate %d is not one of an authority.",
                                   i + 1);
        if (IDV_SECOND * json_integer_value(end) <= now)
            return idv_error_param(pool, "certificates",
                                   "Certificate %d has expired.", i + 1);
    }
    return NULL;
}

/* ERROR of a reader that does not know the names of parameters. */
static idv_error_t *name_certificates(idv_error_t *error, apr_pool_t *pool)
{
    return error && error->code == IDV_E_PARAMETER_INVALID && !error->param
             ? refuse(error->message, pool)
             : error;
}

static idv_error_t *read_content(const create_input_t *input, idv_time_t now,
                                 idv_trust_content_t **content,
                                 apr_pool_t *pool)
{
    const idv_bytes_t text = {(const unsigned char *)input->certificates,
                              strlen(input->certificates)};
    apr_array_header_t *found = apr_array_make(pool, 4, sizeof(idv_bytes_t));

    /* Text that does not begin with a block must not pass for DER. */
    if (strstr(input->certificates, "-----BEGIN CERTIFICATE-----"))
        IDV_TRY(name_certificates(
            idv_trust_certificates_read(text, found, pool), pool));
    IDV_TRY(check_blocks(input->certificates, found->nelts, pool));
    IDV_TRY(check_different(found, pool));
    IDV_TRY(name_certificates(
        idv_trust_plain_read(
            text, (idv_trust_kind_t)idv_trust_kind_parse(input->kind), content,
            pool),
        pool));
    return check_authorities(*content, now, pool);
}

typedef struct {
    const idv_request_t *request;
    idv_trust_import_t import;
} creation_t;

/* An import replaces a list of the same name, which somebody who adds one does
 * not mean to. Nothing is kept or removed only where there was none. */
static int replaces(const idv_trust_difference_t *difference)
{
    for (int i = 0; i < difference->changes->nelts; i++)
        if (APR_ARRAY_IDX(difference->changes, i, idv_trust_change_t).kind
            != IDV_TRUST_ADDED)
            return 1;
    return difference->kept > 0;
}

static idv_error_t *create(idv_db_t *db, void *baton, const char **answer,
                           apr_pool_t *pool)
{
    const creation_t *creation = baton;
    look_t look = {.organization_id = creation->import.organization_id,
                   .now = creation->request->now};
    idv_trust_difference_t difference;
    idv_trust_record_t *record;
    idv_json_writer_t object;

    IDV_TRY(idv_trust_list_import(db, &creation->import, &record, &difference,
                                  pool));
    if (replaces(&difference))
        return idv_error_param(pool, "name",
                               "There is a list with this name and kind. Its "
                               "new editions are imported with verifyctl.");
    IDV_TRY(idv_expiring_list(db, look.now, ENDING_MAX, &look.ending, pool));
    idv_json_writer_init(&object, EXPECTED_LENGTH, pool);
    write_record(&object, &look, record);
    *answer = idv_json_writer_text(&object, NULL);
    return NULL;
}

idv_error_t *idv_trust_list_api_create(idv_request_t *request)
{
    create_input_t input = {0};
    idv_trust_content_t *content;
    creation_t creation = {.request = request};
    const idv_write_t write = {
        .status = HTTP_CREATED, .work = create, .baton = &creation};

    IDV_TRY(idv_request_parameters(request, create_parameters, &input, NULL));
    IDV_TRY(read_content(&input, request->now, &content, request->pool));
    creation.import = (idv_trust_import_t){
        .organization_id = request->organization_id,
        .name = input.name,
        .content = content,
        .source = {(const unsigned char *)input.certificates,
                   strlen(input.certificates)},
        .now = request->now,
    };
    return idv_write(request, &write);
}
