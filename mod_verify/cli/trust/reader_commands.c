/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/command/command.h"

#include <string.h>

#include <apr_escape.h>
#include <apr_file_info.h>
#include <apr_strings.h>

#include "cli/command/file_input.h"
#include "domain/trust/expiry.h"
#include "methods/mdl/reader_metadata.h"
#include "methods/trust/certificate_view.h"
#include "store/trust/reader_identity.h"

/* The identities that organizations show to wallets. */

#define FILE_MAX_SIZE (64 * 1024)
#define NAME_MAX_LENGTH 64 /* of a name in a certificate (RFC 5280, A.1) */
#define EMAIL_MAX_LENGTH 128
#define EXTENSION_MAX_LENGTH 4096

/* --- answers --- */

/* Splits "active" by the time left until the certificate expires. */
static const char *status_of(const idv_reader_record_t *record)
{
    return strcmp(record->status, "active") == 0
             ? idv_expiry_state_value(idv_expiry_of_certificate(
                   record->identity.not_after, idv_time_now()))
             : record->status;
}

static json_t *record_json(const idv_reader_record_t *record)
{
    const idv_reader_identity_t *identity = &record->identity;

    return json_pack(
        "{s:s, s:s, s:s?, s:s, s:s, s:s, s:o, s:i, s:b, s:b, s:I, s:I}", "id",
        record->id, "object", "reader_identity", "organization_id",
        identity->organization_id, "kind",
        idv_reader_kind_value(identity->kind), "key", record->key_type,
        "status", status_of(record), "not_after",
        idv_json_integer_or_null(idv_time_seconds(identity->not_after)),
        "certificates", identity->chain_length, "registered",
        identity->registration != NULL, "metadata",
        identity->metadata.length > 0, "created",
        (json_int_t)idv_time_seconds(record->created), "updated",
        (json_int_t)idv_time_seconds(record->updated));
}

static json_t *chain_json(const idv_reader_identity_t *identity,
                          apr_pool_t *pool)
{
    json_t *chain = json_array();

    for (int i = 0; i < identity->chain_length; i++)
        json_array_append_new(
            chain, idv_certificate_view_json(identity->chain[i], pool));
    return chain;
}

/* --- parameters --- */

static idv_error_t *read_kind(const idv_call_t *call, idv_reader_kind_t *kind)
{
    static const char *const kinds[] = {
#define X(name, value) value,
        IDV_READER_KINDS(X)
#undef X
            NULL};
    int index = 0;

    IDV_TRY(idv_call_choice(call, "kind", kinds, &index));
    *kind = (idv_reader_kind_t)index;
    return NULL;
}

/* Apple certifies RSA keys; wallets of others know P-256. */
static idv_error_t *read_key_type(const idv_call_t *call,
                                  idv_reader_kind_t kind,
                                  idv_reader_key_type_t *type)
{
    static const char *const types[] = {
#define X(name, value) value,
        IDV_READER_KEY_TYPES(X)
#undef X
            NULL};
    int index =
        kind == IDV_READER_APPLE ? IDV_READER_KEY_RSA : IDV_READER_KEY_P256;

    IDV_TRY(idv_call_choice(call, "key", types, &index));
    *type = (idv_reader_key_type_t)index;
    if (!idv_reader_kind_allows(kind, *type))
        return idv_error_param(call->pool, "key",
                               "Wallets of this kind support only P-256 "
                               "keys.");
    return NULL;
}

/* The single line of a file that holds a JWT in compact form. */
static idv_error_t *read_registration(const idv_call_t *call,
                                      const char **registration)
{
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
    const char *path = idv_call_option(call, "registration");
    idv_bytes_t bytes;
    apr_size_t length;

    if (!path)
        return NULL;
    IDV_TRY(idv_file_input_read("registration", path, FILE_MAX_SIZE, &bytes,
                                call->pool));
    length = strspn((const char *)bytes.data, allowed);
    if (length == 0
        || strspn((const char *)bytes.data + length, "\r\n")
               != bytes.length - length)
        return idv_error_param(call->pool, "registration",
                               "Expected a JWT in the compact form.");
    *registration =
        apr_pstrmemdup(call->pool, (const char *)bytes.data, length);
    return NULL;
}

static idv_error_t *read_metadata(const idv_call_t *call, idv_bytes_t *metadata)
{
    const char *path = idv_call_option(call, "metadata");
    idv_bytes_t file;

    if (!path)
        return NULL;
    IDV_TRY(idv_file_input_read("metadata", path, FILE_MAX_SIZE, &file,
                                call->pool));
    return idv_reader_metadata_read(file, metadata, call->pool);
}

/* The identity in the arguments, with its key. */
static idv_error_t *get_with_key(const idv_call_t *call,
                                 idv_reader_record_t **record)
{
    IDV_TRY(idv_reader_identity_get(call->db, call->keyring,
                                    call->arguments[0], record, call->pool));
    return (*record)->identity.private_key.length
             ? NULL
             : idv_error_param(call->pool, "ID",
                               "The identity is retired: its key was "
                               "destroyed.");
}

/* --- commands --- */

IDV_COMMAND(reader_create)
{
    idv_reader_identity_t identity = {
        .organization_id = idv_call_option(call, "org")};
    idv_reader_key_type_t type;
    idv_reader_record_t *record;

    IDV_TRY(read_kind(call, &identity.kind));
    IDV_TRY(read_key_type(call, identity.kind, &type));
    IDV_TRY(idv_reader_key_create(type, &identity.private_key, call->pool));
    IDV_TRY(idv_reader_identity_create(
        call->db,
        &(const idv_reader_draft_t){
            .keyring = call->keyring, .identity = &identity, .type = type},
        &record, call->pool));
    *answer = record_json(record);
    return NULL;
}

/* Divides the option `extension`, "OID=HEX"; idv_reader_request() checks both. */
static idv_error_t *read_extension(const idv_call_t *call,
                                   idv_reader_subject_t *subject)
{
    const char *option = idv_call_option(call, "extension");
    const char *equals = option ? strchr(option, '=') : NULL;
    char *value;
    apr_size_t length;

    if (!option)
        return NULL;
    IDV_TRY(idv_call_text(call, "extension", EXTENSION_MAX_LENGTH));
    subject->extension = option;
    if (!equals)
        return NULL;
    subject->extension =
        apr_pstrmemdup(call->pool, option, (apr_size_t)(equals - option));
    value = apr_palloc(call->pool, strlen(equals));
    if (apr_unescape_hex(value, equals + 1, APR_ESCAPE_STRING, 0, &length)
        == APR_SUCCESS)
        subject->extension_value =
            (idv_bytes_t){(const unsigned char *)value, length};
    return NULL;
}

/* Adds the extension that names the metadata in the option `metadata`. */
static idv_error_t *name_metadata(const idv_call_t *call,
                                  idv_reader_subject_t *subject)
{
    idv_bytes_t metadata = {NULL, 0};

    IDV_TRY(read_metadata(call, &metadata));
    if (!metadata.length)
        return NULL;
    if (subject->extension)
        return idv_error_param(call->pool, "metadata",
                               "adds an extension itself. Omit --extension.");
    subject->extension = IDV_READER_METADATA_EXTENSION;
    subject->extension_value = idv_reader_metadata_value(metadata, call->pool);
    return NULL;
}

IDV_COMMAND(reader_csr)
{
    idv_reader_subject_t subject = {
        .common_name = idv_call_option(call, "common-name"),
        .organization = idv_call_option(call, "organization"),
        .country = idv_call_option(call, "country"),
        .state = idv_call_option(call, "state"),
        .email = idv_call_option(call, "email"),
        .dns_name = idv_call_option(call, "dns-name"),
    };
    idv_reader_record_t *record;
    const char *request;

    IDV_TRY(idv_call_text(call, "common-name", NAME_MAX_LENGTH));
    IDV_TRY(idv_call_text(call, "organization", NAME_MAX_LENGTH));
    IDV_TRY(idv_call_text(call, "country", 2));
    IDV_TRY(idv_call_text(call, "state", NAME_MAX_LENGTH));
    IDV_TRY(idv_call_text(call, "email", EMAIL_MAX_LENGTH));
    IDV_TRY(idv_call_text(call, "dns-name", 253));
    IDV_TRY(read_extension(call, &subject));
    IDV_TRY(name_metadata(call, &subject));
    IDV_TRY(get_with_key(call, &record));
    IDV_TRY(idv_reader_request(record->identity.private_key, &subject, &request,
                               call->pool));
    *answer = record_json(record);
    json_object_set_new(*answer, "csr", json_string(request));
    return NULL;
}

IDV_COMMAND(reader_install)
{
    idv_reader_record_t *record;
    idv_bytes_t file;
    int is_bound;

    IDV_TRY(idv_file_input_read("FILE", call->arguments[1], FILE_MAX_SIZE,
                                &file, call->pool));
    IDV_TRY(get_with_key(call, &record));
    IDV_TRY(idv_reader_chain_read(file, idv_time_now(), &record->identity,
                                  call->pool));
    IDV_TRY(read_registration(call, &record->identity.registration));
    IDV_TRY(read_metadata(call, &record->identity.metadata));
    IDV_TRY(idv_reader_metadata_check(&record->identity, &is_bound, call->pool));
    IDV_TRY(idv_reader_identity_install(call->db, record, call->pool));
    *answer = record_json(record);
    json_object_set_new(*answer, "chain",
                        chain_json(&record->identity, call->pool));
    json_object_set_new(*answer, "metadata_bound", json_boolean(is_bound));
    return NULL;
}

IDV_COMMAND(reader_list)
{
    apr_array_header_t *records;

    if (idv_call_option(call, "org"))
        IDV_TRY(idv_call_organization(call));
    IDV_TRY(idv_reader_identity_list(call->db, idv_call_option(call, "org"),
                                     &records, call->pool));
    *answer = json_array();
    for (int i = 0; i < records->nelts; i++)
        json_array_append_new(*answer, record_json(&APR_ARRAY_IDX(
                                           records, i, idv_reader_record_t)));
    return NULL;
}

IDV_COMMAND(reader_show)
{
    idv_reader_record_t *record;

    IDV_TRY(idv_reader_identity_get(call->db, NULL, call->arguments[0],
                                    &record, call->pool));
    *answer = record_json(record);
    json_object_set_new(*answer, "chain",
                        chain_json(&record->identity, call->pool));
    return NULL;
}

IDV_COMMAND(reader_remove)
{
    idv_reader_record_t *record;

    IDV_TRY(idv_reader_identity_get(call->db, NULL, call->arguments[0],
                                    &record, call->pool));
    IDV_TRY(idv_reader_identity_retire(call->db, record, call->pool));
    IDV_TRY(idv_reader_identity_get(call->db, NULL, call->arguments[0],
                                    &record, call->pool));
    *answer = record_json(record);
    return NULL;
}

static const char *const list_columns[] = {
    "id", "kind", "status", "key", "not_after", "certificates",
    "organization_id", NULL};

const idv_command_t idv_reader_commands[] = {
    {.noun = "reader",
     .verb = "create",
     .changes = 1,
     .options = {"kind! haip|apple|eudi", "org ORG", "key p256|rsa"},
     .needs_keyring = 1,
     .run = reader_create,
     .help = "create a key to identify the service to wallets, for an\n"
             "      organization or for all that have none. It is used once it is\n"
             "      certified"},
    {.noun = "reader",
     .verb = "csr",
     .arguments = "ID",
     .options = {"common-name! NAME", "organization NAME", "country CC",
                 "state NAME", "email ADDRESS", "dns-name NAME",
                 "extension OID=HEX", "metadata FILE"},
     .needs_keyring = 1,
     .run = reader_csr,
     .help = "print the certificate signing request of the key. --extension adds\n"
             "      what a registrar demands: the DER of its value. --metadata names\n"
             "      the metadata for Google Wallet"},
    {.noun = "reader",
     .verb = "install",
     .changes = 1,
     .arguments = "ID FILE",
     .options = {"registration FILE", "metadata FILE"},
     .needs_keyring = 1,
     .run = reader_install,
     .help = "use the key with its certificates (PEM, its own first) instead\n"
             "      of the one in use. Kind eudi also needs the JWT of the\n"
             "      registration, Google Wallet the metadata that it shows"},
    {.noun = "reader",
     .verb = "list",
     .options = {"org ORG"},
     .run = reader_list,
     .columns = list_columns,
     .help = "list reader identities and when they expire"},
    {.noun = "reader",
     .verb = "show",
     .arguments = "ID",
     .run = reader_show,
     .help = "print an identity with its certificates"},
    {.noun = "reader",
     .verb = "remove",
     .changes = 1,
     .arguments = "ID",
     .run = reader_remove,
     .help = "retire an identity and destroy its key"},
    {0},
};
