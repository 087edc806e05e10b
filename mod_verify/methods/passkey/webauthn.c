/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/passkey/webauthn.h"

#include <string.h>

#include <apr_encode.h>
#include <apr_strings.h>

#include "core/json.h"
#include "domain/value/csp_source.h"
#include "methods/mdl/cbor.h"
#include "methods/passkey/passkey_key.h"

#define ITEMS_MAX 1024 /* in the CBOR of an attestation object */

/* Flags of authenticator data (WebAuthn Level 3, 6.1). */
enum {
    FLAG_PRESENT = 0x01,
    FLAG_VERIFIED = 0x04,
    FLAG_BACKUP_ELIGIBLE = 0x08,
    FLAG_BACKUP_STATE = 0x10,
    FLAG_CREDENTIAL = 0x40,
    FLAG_EXTENSIONS = 0x80
};

#define AAGUID_SIZE 16
#define HEAD_SIZE (IDV_DIGEST_SIZE + 1 + 4) /* of authenticator data */

static idv_error_t *refuse(const char *reason, apr_pool_t *pool)
{
    idv_error_t *error = idv_error_new(IDV_E_PASSKEY_INVALID, pool);

    error->message =
        apr_pstrcat(pool, "The passkey was not accepted: ", reason, ".", NULL);
    return error;
}

/* ERROR of a parser, if any, as a refusal for REASON. */
static idv_error_t *refuse_if(idv_error_t *error, const char *reason,
                              apr_pool_t *pool)
{
    return error ? refuse(reason, pool) : NULL;
}

int idv_webauthn_is_rp_id(const char *host)
{
    size_t length = strlen(host);

    return length > 0 && !strchr(host, ':')
        && strspn(host, "0123456789.") != length;
}

/* --- client data --- */

static int is_text(const json_t *value, const char *expected)
{
    return json_is_string(value)
        && json_string_length(value) == strlen(expected)
        && strcmp(json_string_value(value), expected) == 0;
}

static int may_embed(const idv_webauthn_site_t *site, const char *origin)
{
    for (int i = 0; site->embedders && i < site->embedders->nelts; i++)
        if (idv_csp_source_allows(
                APR_ARRAY_IDX(site->embedders, i, const char *), site->origin,
                origin))
            return 1;
    return 0;
}

/* Older browsers do not name the site around the page. Then the policy of the
 * page, which the browser has enforced, is what is known. */
static idv_error_t *check_embedding(const idv_webauthn_site_t *site,
                                    const json_t *data, apr_pool_t *pool)
{
    const json_t *crosses = json_object_get(data, "crossOrigin");
    const json_t *top = json_object_get(data, "topOrigin");

    if (crosses && !json_is_boolean(crosses))
        return refuse("`crossOrigin` is not a boolean", pool);
    if (!json_is_true(crosses))
        return top ? refuse("`topOrigin` needs `crossOrigin`", pool) : NULL;
    if (!site->embedders || site->embedders->nelts == 0)
        return refuse("no other site may embed the widget", pool);
    if (top
        && (!json_is_string(top) || !may_embed(site, json_string_value(top))))
        return refuse("the site around the widget may not embed it", pool);
    return NULL;
}

static idv_error_t *check_client_data(const idv_webauthn_site_t *site,
                                      idv_bytes_t bytes, const char *type,
                                      apr_pool_t *pool)
{
    const char *challenge = apr_pencode_base64_binary(
        pool, site->challenge.data, (apr_ssize_t)site->challenge.length,
        APR_ENCODE_URL | APR_ENCODE_NOPADDING, NULL);
    json_t *data;

    if (bytes.length > IDV_WEBAUTHN_CLIENT_DATA_MAX)
        return refuse("the client data is too long", pool);
    IDV_TRY(refuse_if(idv_json_parse((const char *)bytes.data, bytes.length,
                                     &data, pool),
                      "the client data is not a JSON object", pool));
    if (!is_text(json_object_get(data, "type"), type))
        return refuse("the client data is of another ceremony", pool);
    if (!is_text(json_object_get(data, "challenge"), challenge))
        return refuse("the challenge is another one", pool);
    if (!is_text(json_object_get(data, "origin"), site->origin))
        return refuse("the origin is not that of this service", pool);
    return check_embedding(site, data, pool);
}

/* --- authenticator data --- */

typedef struct {
    unsigned flags;
    apr_uint32_t sign_count;
    idv_bytes_t rest; /* what follows the counter */
} authenticator_t;

static idv_bytes_t skip(idv_bytes_t bytes, apr_size_t count)
{
    return (idv_bytes_t){bytes.data + count, bytes.length - count};
}

static idv_error_t *read_head(const idv_webauthn_site_t *site,
                              idv_bytes_t bytes, authenticator_t *data,
                              apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];

    if (bytes.length < HEAD_SIZE
        || bytes.length > IDV_WEBAUTHN_AUTHENTICATOR_DATA_MAX)
        return refuse("the authenticator data has no valid length", pool);
    idv_sha256(site->id, strlen(site->id), digest);
    if (memcmp(bytes.data, digest, sizeof(digest)) != 0)
        return refuse("it is for another relying party", pool);
    bytes = skip(bytes, sizeof(digest));
    data->flags = bytes.data[0];
    data->sign_count = (apr_uint32_t)bytes.data[1] << 24
                     | (apr_uint32_t)bytes.data[2] << 16
                     | (apr_uint32_t)bytes.data[3] << 8 | bytes.data[4];
    data->rest = skip(bytes, HEAD_SIZE - IDV_DIGEST_SIZE);
    return NULL;
}

/* Nothing is done with extensions, but they must be readable and the last. */
static idv_error_t *skip_extensions(const authenticator_t *data,
                                    apr_pool_t *pool)
{
    idv_cbor_budget_t budget = {ITEMS_MAX};
    const idv_cbor_t *map;

    if (!(data->flags & FLAG_EXTENSIONS))
        return data->rest.length
                 ? refuse("the authenticator data has a surplus", pool) : NULL;
    IDV_TRY(refuse_if(idv_cbor_read(data->rest, &budget, &map, pool),
                      "the extensions are not readable", pool));
    return idv_cbor_is(map, IDV_CBOR_MAP)
             ? NULL : refuse("the extensions are not a map", pool);
}

static idv_error_t *check_flags(const authenticator_t *data, apr_pool_t *pool)
{
    if ((data->flags & FLAG_BACKUP_STATE)
        && !(data->flags & FLAG_BACKUP_ELIGIBLE))
        return refuse("its backup flags contradict each other", pool);
    if (!(data->flags & FLAG_PRESENT))
        return refuse("the person was not present", pool);
    if (!(data->flags & FLAG_VERIFIED))
        return refuse("the authenticator did not verify the person", pool);
    return NULL;
}

/* --- registration --- */

/* AAGUID, length of the credential ID in two bytes, ID, key. */
static idv_error_t *read_credential(authenticator_t *data,
                                    idv_webauthn_credential_t *credential,
                                    apr_pool_t *pool)
{
    idv_bytes_t rest = data->rest;
    idv_passkey_key_t key;
    apr_size_t length;

    if (!(data->flags & FLAG_CREDENTIAL) || rest.length < AAGUID_SIZE + 2)
        return refuse("the credential is missing", pool);
    length = (apr_size_t)rest.data[AAGUID_SIZE] << 8
           | rest.data[AAGUID_SIZE + 1];
    rest = skip(rest, AAGUID_SIZE + 2);
    if (length == 0 || length > IDV_WEBAUTHN_CREDENTIAL_ID_MAX
        || length > rest.length)
        return refuse("the credential ID has no valid length", pool);
    credential->id = (idv_bytes_t){rest.data, length};
    data->rest = skip(rest, length);
    credential->sign_count = data->sign_count;
    return refuse_if(idv_passkey_key_read(&data->rest, &credential->public_key,
                                          &key, pool),
                     "its key is not of an offered kind", pool);
}

/* The authenticator data in an attestation object (WebAuthn Level 3, 6.5). */
static idv_error_t *open_attestation(idv_bytes_t bytes, idv_bytes_t *data,
                                     apr_pool_t *pool)
{
    idv_cbor_budget_t budget = {ITEMS_MAX};
    const idv_cbor_t *object, *statement, *inner;
    const char *format;

    if (bytes.length > IDV_WEBAUTHN_ATTESTATION_MAX)
        return refuse("the attestation object is too long", pool);
    IDV_TRY(refuse_if(idv_cbor_read(bytes, &budget, &object, pool),
                      "the attestation object is not readable", pool));
    format = idv_cbor_text(idv_cbor_member(object, "fmt"));
    statement = idv_cbor_member(object, "attStmt");
    inner = idv_cbor_member(object, "authData");
    if (!format || !idv_cbor_is(statement, IDV_CBOR_MAP)
        || !idv_cbor_is(inner, IDV_CBOR_BYTES))
        return refuse("the attestation object is incomplete", pool);
    if (strcmp(format, "none") == 0 && statement->count)
        return refuse("its attestation `none` has a statement", pool);
    *data = inner->content;
    return NULL;
}

idv_error_t *idv_webauthn_register(const idv_webauthn_site_t *site,
                                   const idv_webauthn_registration_t *given,
                                   idv_webauthn_credential_t *credential,
                                   apr_pool_t *pool)
{
    authenticator_t data;
    idv_bytes_t bytes;

    IDV_TRY(check_client_data(site, given->client_data, "webauthn.create",
                              pool));
    IDV_TRY(open_attestation(given->attestation, &bytes, pool));
    IDV_TRY(read_head(site, bytes, &data, pool));
    IDV_TRY(read_credential(&data, credential, pool));
    IDV_TRY(skip_extensions(&data, pool));
    return check_flags(&data, pool);
}

/* --- assertion --- */

/* What is signed: the authenticator data and the digest of the client data. */
static idv_error_t *check_signature(const idv_webauthn_assertion_t *given,
                                    idv_bytes_t public_key, apr_pool_t *pool)
{
    apr_size_t length = given->authenticator_data.length;
    unsigned char *text = apr_palloc(pool, length + IDV_DIGEST_SIZE);
    idv_passkey_key_t key;
    idv_bytes_t encoded;

    if (idv_passkey_key_read(&public_key, &encoded, &key, pool)
        || public_key.length)
        return idv_error_internal(pool, "the stored key of a passkey is not "
                                        "readable");
    memcpy(text, given->authenticator_data.data, length);
    idv_sha256(given->client_data.data, given->client_data.length,
               text + length);
    if (given->signature.length > IDV_WEBAUTHN_SIGNATURE_MAX
        || !idv_passkey_key_verifies(
            &key, (idv_bytes_t){text, length + IDV_DIGEST_SIZE},
            given->signature))
        return refuse("the signature is wrong", pool);
    return NULL;
}

/* The signature is checked first: what it does not cover proves nothing. */
idv_error_t *idv_webauthn_assert(const idv_webauthn_site_t *site,
                                 const idv_webauthn_assertion_t *given,
                                 idv_bytes_t public_key,
                                 apr_uint32_t *sign_count, apr_pool_t *pool)
{
    authenticator_t data;

    IDV_TRY(check_client_data(site, given->client_data, "webauthn.get", pool));
    IDV_TRY(read_head(site, given->authenticator_data, &data, pool));
    IDV_TRY(check_signature(given, public_key, pool));
    if (data.flags & FLAG_CREDENTIAL)
        return refuse("an assertion holds no credential", pool);
    IDV_TRY(skip_extensions(&data, pool));
    *sign_count = data.sign_count;
    return check_flags(&data, pool);
}
