/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/mdl/wallet_request.h"

#include <string.h>

#include <apr_encode.h>
#include <apr_escape.h>
#include <apr_strings.h>

#include "methods/mdl/cose.h"
#include "methods/mdl/reader_key.h"

/* Algorithms of COSE with which issuers and devices may sign: those of ISO/IEC
 * 18013-5 that OpenID4VP, B.2.2 lets a verifier name. */
static const int signature_algorithms[] = {-7, -9, -35, -36, -8, -19};

/* Of requests to any wallet (OpenID4VP 1.0, 5.8). */
#define AUDIENCE "https://self-issued.me/v2"

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))

static const char *base64url(idv_bytes_t bytes, apr_pool_t *pool)
{
    return apr_pencode_base64_binary(
        pool, bytes.data, (apr_ssize_t)bytes.length,
        APR_ENCODE_URL | APR_ENCODE_NOPADDING, NULL);
}

static idv_bytes_t bytes_of(const char *text)
{
    return (idv_bytes_t){(const unsigned char *)text, strlen(text)};
}

/* --- a new request --- */

const char *idv_reader_client_id(const idv_reader_identity_t *identity,
                                 apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];

    idv_sha256(identity->chain[0].data, identity->chain[0].length, digest);
    return apr_pstrcat(pool, "x509_hash:",
                       base64url((idv_bytes_t){digest, sizeof(digest)}, pool),
                       NULL);
}

/* COSE_Key of the public key. */
static idv_error_t *put_cose_key(idv_cbor_writer_t *writer, EVP_PKEY *key)
{
    unsigned char point[IDV_P256_POINT_SIZE];

    IDV_TRY(idv_p256_point(key, point, writer->pool));
    idv_cbor_put_map(writer, 4);
    idv_cbor_put_integer(writer, 1); /* kty: EC2 */
    idv_cbor_put_integer(writer, 2);
    idv_cbor_put_integer(writer, -1); /* crv: P-256 */
    idv_cbor_put_integer(writer, 1);
    idv_cbor_put_integer(writer, -2);
    idv_cbor_put_bytes(writer, (idv_bytes_t){point + 1, 32});
    idv_cbor_put_integer(writer, -3);
    idv_cbor_put_bytes(writer, (idv_bytes_t){point + 33, 32});
    return NULL;
}

/* EncryptionInfo (annex C): ["dcapi", {nonce, recipientPublicKey}]. */
static idv_error_t *encryption_info(const idv_wallet_draft_t *draft,
                                    EVP_PKEY *key, const char **text,
                                    apr_pool_t *pool)
{
    idv_cbor_writer_t writer;

    idv_cbor_writer_init(&writer, pool);
    idv_cbor_put_array(&writer, 2);
    idv_cbor_put_text(&writer, "dcapi");
    idv_cbor_put_map(&writer, 2);
    idv_cbor_put_text(&writer, "nonce");
    idv_cbor_put_bytes(&writer, (idv_bytes_t){draft->nonce, IDV_MDL_SEED_SIZE});
    idv_cbor_put_text(&writer, "recipientPublicKey");
    IDV_TRY(put_cose_key(&writer, key));
    *text = base64url(idv_cbor_written(&writer), pool);
    return NULL;
}

/* Handovers of the final protocol, and of its drafts, whose wallets are still
 * in use. Each binds the answer to this nonce and to this verifier. */
static unsigned accepted_handovers(idv_mdl_channel_t channel)
{
    static const unsigned accepted[IDV_MDL_CHANNEL_COUNT] = {
        [IDV_MDL_REDIRECT] =
            IDV_HANDOVER_BIT(OID4VP_1_0) | IDV_HANDOVER_BIT(OID4VP_DRAFT_18),
        [IDV_MDL_DC_API] =
            IDV_HANDOVER_BIT(DC_API_1_0) | IDV_HANDOVER_BIT(DC_API_DRAFT_24),
        [IDV_MDL_ISO_DC_API] = IDV_HANDOVER_BIT(ISO_18013_7_C),
    };

    return accepted[channel];
}

/* The exchange is not encrypted, so the client ID names nobody. Of several
 * alternatives, only the last is kept: the proof of age. */
static void ask_age_app(idv_mdl_request_t *request, apr_pool_t *pool)
{
    request->accepted = IDV_HANDOVER_BIT(OID4VP_1_0);
    request->queries += request->query_count - 1;
    request->query_count = 1;
    request->parts.client_id = apr_pstrcat(
        pool, "redirect_uri:", request->parts.response_uri, NULL);
}

static idv_bytes_t copy_secret(const unsigned char *secret, apr_pool_t *pool)
{
    unsigned char *copy = apr_pmemdup(pool, secret, IDV_MDL_SEED_SIZE);

    idv_wipe_with_pool(copy, IDV_MDL_SEED_SIZE, pool);
    return (idv_bytes_t){copy, IDV_MDL_SEED_SIZE};
}

idv_error_t *idv_wallet_request_create(const idv_wallet_draft_t *draft,
                                       idv_mdl_request_t **out,
                                       apr_pool_t *pool)
{
    idv_mdl_request_t *request = apr_pcalloc(pool, sizeof(*request));
    idv_session_parts_t *parts = &request->parts;
    EVP_PKEY *key;

    request->channel = draft->channel;
    request->accepted = accepted_handovers(draft->channel);
    if (draft->is_age_app && !idv_mdl_need_accepts_attestation(&draft->need))
        return idv_error_internal(pool, "a proof of age does not meet the "
                                        "requirements");
    request->encryption_key = copy_secret(draft->key, pool);
    if (idv_p256_private_key(request->encryption_key, &key, pool))
        return idv_error_internal(pool, "a random key is not a P-256 key");
    idv_mdl_query(&draft->need, request, pool);
    parts->response_uri = apr_pstrdup(pool, draft->response_uri);
    parts->origin = apr_pstrdup(pool, draft->origin);
    *out = request;
    if (draft->is_age_app) {
        parts->nonce =
            base64url((idv_bytes_t){draft->nonce, IDV_MDL_SEED_SIZE}, pool);
        request->encryption_key = (idv_bytes_t){NULL, 0};
        ask_age_app(request, pool);
        return NULL;
    }
    if (draft->channel == IDV_MDL_ISO_DC_API)
        return encryption_info(draft, key, &parts->encryption_info, pool);
    request->encryption_key_id = apr_pstrdup(pool, draft->key_id);
    parts->nonce =
        base64url((idv_bytes_t){draft->nonce, IDV_MDL_SEED_SIZE}, pool);
    if (draft->identity)
        parts->client_id = idv_reader_client_id(draft->identity, pool);
    else if (draft->channel == IDV_MDL_DC_API)
        request->accepted = IDV_HANDOVER_BIT(DC_API_1_0); /* drafts name it */
    else
        return idv_error_internal(pool, "a link without an identity");
    return NULL;
}

/* --- OpenID4VP --- */

static void put_path(idv_json_writer_t *writer,
                     const idv_mdl_element_t *element, int index, int has_id)
{
    idv_json_open_object(writer, NULL);
    if (has_id)
        idv_json_put_text(writer, "id",
                          apr_psprintf(writer->pool, "e%d", index));
    idv_json_open_array(writer, "path");
    idv_json_put_text(writer, NULL, element->name_space);
    idv_json_put_text(writer, NULL, element->element);
    idv_json_close_array(writer);
    idv_json_put_boolean(writer, "intent_to_retain", 0);
    idv_json_close_object(writer);
}

/* claim_sets: each alternative, combined with all other requested claims. */
static void put_alternatives(idv_json_writer_t *writer,
                             const idv_mdl_query_t *query)
{
    idv_json_open_array(writer, "claim_sets");
    for (int i = 0; i < query->element_count; i++) {
        if (!query->elements[i].is_optional)
            continue;
        idv_json_open_array(writer, NULL);
        for (int j = 0; j < query->element_count; j++)
            if (j == i || !query->elements[j].is_optional)
                idv_json_put_text(writer, NULL,
                                  apr_psprintf(writer->pool, "e%d", j));
        idv_json_close_array(writer);
    }
    idv_json_close_array(writer);
}

/* A credential query (OpenID4VP 1.0, 6.1 and B.2.3). */
static void put_query(idv_json_writer_t *writer, const idv_mdl_query_t *query)
{
    int has_alternatives = idv_mdl_query_has_alternatives(query);

    idv_json_open_object(writer, NULL);
    idv_json_put_text(writer, "id", query->id);
    idv_json_put_text(writer, "format", "mso_mdoc");
    idv_json_open_object(writer, "meta");
    idv_json_put_text(writer, "doctype_value", query->doc_type);
    idv_json_close_object(writer);
    idv_json_open_array(writer, "claims");
    for (int i = 0; i < query->element_count; i++)
        put_path(writer, &query->elements[i], i, has_alternatives);
    idv_json_close_array(writer);
    if (has_alternatives)
        put_alternatives(writer, query);
    idv_json_close_object(writer);
}

/* A DCQL query under NAME, or without a name (NULL). */
static void put_dcql(idv_json_writer_t *writer, const char *name,
                     const idv_mdl_request_t *request)
{
    idv_json_open_object(writer, name);
    idv_json_open_array(writer, "credentials");
    for (int i = 0; i < request->query_count; i++)
        put_query(writer, &request->queries[i]);
    idv_json_close_array(writer);
    if (request->query_count > 1) {
        idv_json_open_array(writer, "credential_sets");
        idv_json_open_object(writer, NULL);
        idv_json_open_array(writer, "options");
        for (int i = 0; i < request->query_count; i++) {
            idv_json_open_array(writer, NULL);
            idv_json_put_text(writer, NULL, request->queries[i].id);
            idv_json_close_array(writer);
        }
        idv_json_close_array(writer);
        idv_json_close_object(writer);
        idv_json_close_array(writer);
    }
    idv_json_close_object(writer);
}

static void put_algorithms(idv_json_writer_t *writer, const char *name)
{
    idv_json_open_array(writer, name);
    for (int i = 0; i < COUNT(signature_algorithms); i++)
        idv_json_put_integer(writer, NULL, signature_algorithms[i]);
    idv_json_close_array(writer);
}

static idv_error_t *put_jwk(idv_json_writer_t *writer,
                            const idv_mdl_request_t *request)
{
    unsigned char point[IDV_P256_POINT_SIZE];
    EVP_PKEY *key;

    IDV_TRY(idv_p256_private_key(request->encryption_key, &key, writer->pool));
    IDV_TRY(idv_p256_point(key, point, writer->pool));
    idv_json_open_object(writer, NULL);
    idv_json_put_text(writer, "kty", "EC");
    idv_json_put_text(writer, "use", "enc");
    idv_json_put_text(writer, "alg", "ECDH-ES");
    idv_json_put_text(writer, "kid", request->encryption_key_id);
    idv_json_put_text(writer, "crv", "P-256");
    idv_json_put_text(writer, "x",
                      base64url((idv_bytes_t){point + 1, 32}, writer->pool));
    idv_json_put_text(writer, "y",
                      base64url((idv_bytes_t){point + 33, 32}, writer->pool));
    idv_json_close_object(writer);
    return NULL;
}

static void put_formats(idv_json_writer_t *writer)
{
    idv_json_open_object(writer, "vp_formats_supported");
    idv_json_open_object(writer, "mso_mdoc");
    put_algorithms(writer, "issuerauth_alg_values");
    put_algorithms(writer, "deviceauth_alg_values");
    idv_json_close_object(writer);
    idv_json_close_object(writer);
}

/* METADATA of the reader, for Google Wallet; no data: none. */
static idv_error_t *put_metadata(idv_json_writer_t *writer,
                                 const idv_mdl_request_t *request,
                                 idv_bytes_t metadata)
{
    idv_json_open_object(writer, "client_metadata");
    idv_json_open_object(writer, "jwks");
    idv_json_open_array(writer, "keys");
    IDV_TRY(put_jwk(writer, request));
    idv_json_close_array(writer);
    idv_json_close_object(writer);
    idv_json_open_array(writer, "encrypted_response_enc_values_supported");
    idv_json_put_text(writer, NULL, "A128GCM");
    idv_json_put_text(writer, NULL, "A256GCM");
    idv_json_close_array(writer);
    put_formats(writer);
    if (metadata.length)
        idv_json_put_text(writer, "gw_rp_metadata_bytes",
                          base64url(metadata, writer->pool));
    idv_json_close_object(writer);
    return NULL;
}

/* The reader's registration (OpenID4VP 1.0, 5.11; ETSI TS 119 472-2). */
static void put_registration(idv_json_writer_t *writer,
                             const char *registration)
{
    if (!registration)
        return;
    idv_json_open_array(writer, "verifier_info");
    idv_json_open_object(writer, NULL);
    idv_json_put_text(writer, "format", "registration_cert");
    idv_json_put_text(writer, "data", registration);
    idv_json_close_object(writer);
    idv_json_close_array(writer);
}

/* The requested documents, and how to respond. */
static idv_error_t *put_question(const idv_mdl_request_t *request,
                                 idv_bytes_t metadata,
                                 idv_json_writer_t *writer)
{
    idv_json_put_text(writer, "response_type", "vp_token");
    idv_json_put_text(writer, "response_mode",
                      request->channel == IDV_MDL_REDIRECT ? "direct_post.jwt"
                                                           : "dc_api.jwt");
    idv_json_put_text(writer, "nonce", request->parts.nonce);
    put_dcql(writer, "dcql_query", request);
    return put_metadata(writer, request, metadata);
}

idv_error_t *idv_wallet_request_unsigned(const idv_mdl_request_t *request,
                                         idv_json_writer_t *writer)
{
    return put_question(request, (idv_bytes_t){NULL, 0}, writer);
}

/* The pages that may make the request (OpenID4VP 1.0, A.2). */
static void put_origins(idv_json_writer_t *writer,
                        const idv_mdl_request_t *request)
{
    idv_json_open_array(writer, "expected_origins");
    idv_json_put_text(writer, NULL, request->parts.origin);
    idv_json_close_array(writer);
}

/* The claims of a request object. */
static idv_error_t *write_claims(const idv_mdl_request_t *request,
                                 const idv_reader_identity_t *identity,
                                 const char *wallet_nonce,
                                 idv_json_writer_t *writer)
{
    idv_json_open_object(writer, NULL);
    idv_json_put_text(writer, "aud", AUDIENCE);
    idv_json_put_text(writer, "client_id", request->parts.client_id);
    if (request->channel == IDV_MDL_REDIRECT)
        idv_json_put_text(writer, "response_uri", request->parts.response_uri);
    else
        put_origins(writer, request);
    if (wallet_nonce)
        idv_json_put_text(writer, "wallet_nonce", wallet_nonce);
    if (request->state)
        idv_json_put_text(writer, "state", request->state);
    IDV_TRY(put_question(request, identity->metadata, writer));
    put_registration(writer, identity->registration);
    idv_json_close_object(writer);
    return NULL;
}

/* The members of a header that name IDENTITY's key. */
static void put_signer(idv_json_writer_t *writer,
                       const idv_reader_identity_t *identity)
{
    idv_json_put_text(writer, "alg", "ES256");
    idv_json_put_text(writer, "typ", "oauth-authz-req+jwt");
    idv_json_open_array(writer, "x5c");
    for (int i = 0; i < identity->chain_length; i++)
        idv_json_put_text(
            writer, NULL,
            apr_pencode_base64_binary(writer->pool, identity->chain[i].data,
                                      (apr_ssize_t)identity->chain[i].length,
                                      APR_ENCODE_NONE, NULL));
    idv_json_close_array(writer);
}

static const char *written(idv_json_writer_t *writer, apr_pool_t *pool)
{
    return base64url(bytes_of(idv_json_writer_text(writer, NULL)), pool);
}

/* The signature of IDENTITY over HEADER and PAYLOAD, both in base64url. */
static idv_error_t *sign_jws(const idv_reader_identity_t *identity,
                             const char *header, const char *payload,
                             const char **signed_part, apr_pool_t *pool)
{
    unsigned char signature[IDV_P256_SIGNATURE_SIZE];
    EVP_PKEY *key;

    IDV_TRY(idv_p256_read_pem(identity->private_key, &key, pool));
    IDV_TRY(idv_p256_sign(
        key, bytes_of(apr_pstrcat(pool, header, ".", payload, NULL)), signature,
        pool));
    *signed_part =
        base64url((idv_bytes_t){signature, sizeof(signature)}, pool);
    return NULL;
}

idv_error_t *idv_wallet_request_object(const idv_mdl_request_t *request,
                                       const idv_reader_identity_t *identity,
                                       const char *wallet_nonce,
                                       const char **jwt, apr_pool_t *pool)
{
    const char *header_text, *claims_text, *signature;
    idv_json_writer_t header, claims;

    idv_json_writer_init(&header, 4096, pool);
    idv_json_open_object(&header, NULL);
    put_signer(&header, identity);
    idv_json_close_object(&header);
    idv_json_writer_init(&claims, 4096, pool);
    IDV_TRY(write_claims(request, identity, wallet_nonce, &claims));
    header_text = written(&header, pool);
    claims_text = written(&claims, pool);
    IDV_TRY(sign_jws(identity, header_text, claims_text, &signature, pool));
    *jwt = apr_pstrcat(pool, header_text, ".", claims_text, ".", signature, NULL);
    return NULL;
}

/* An element of `signatures`. The members of one reader are in its protected
 * header only (A.3.2.2). */
static idv_error_t *put_jws_signature(idv_json_writer_t *writer,
                                      const idv_reader_identity_t *identity,
                                      const char *payload)
{
    apr_pool_t *pool = writer->pool;
    const char *header_text, *signature;
    idv_json_writer_t header;

    idv_json_writer_init(&header, 4096, pool);
    idv_json_open_object(&header, NULL);
    put_signer(&header, identity);
    idv_json_put_text(&header, "client_id",
                      idv_reader_client_id(identity, pool));
    put_registration(&header, identity->registration);
    idv_json_close_object(&header);
    header_text = written(&header, pool);
    IDV_TRY(sign_jws(identity, header_text, payload, &signature, pool));
    idv_json_open_object(writer, NULL);
    idv_json_put_text(writer, "protected", header_text);
    idv_json_put_text(writer, "signature", signature);
    idv_json_close_object(writer);
    return NULL;
}

/* The metadata of the first reader that has some: it has one place. */
static idv_bytes_t metadata_of(const idv_reader_identity_t *const *identities)
{
    for (; *identities; identities++)
        if ((*identities)->metadata.length)
            return (*identities)->metadata;
    return (idv_bytes_t){NULL, 0};
}

idv_error_t *
idv_wallet_request_multisigned(const idv_mdl_request_t *request,
                               const idv_reader_identity_t *const *identities,
                               idv_json_writer_t *writer)
{
    const char *payload;
    idv_json_writer_t claims;

    idv_json_writer_init(&claims, 4096, writer->pool);
    idv_json_open_object(&claims, NULL);
    idv_json_put_text(&claims, "aud", AUDIENCE);
    put_origins(&claims, request);
    IDV_TRY(put_question(request, metadata_of(identities), &claims));
    idv_json_close_object(&claims);
    payload = written(&claims, writer->pool);
    idv_json_open_object(writer, "request");
    idv_json_put_text(writer, "payload", payload);
    idv_json_open_array(writer, "signatures");
    for (; *identities; identities++)
        IDV_TRY(put_jws_signature(writer, *identities, payload));
    idv_json_close_array(writer);
    idv_json_close_object(writer);
    return NULL;
}

/* --- apps for proofs of age --- */

static const char *parameter(const char *name, const char *value,
                             apr_pool_t *pool)
{
    return apr_pstrcat(pool, "&", name, "=",
                       apr_pescape_urlencoded(pool, value), NULL);
}

const char *idv_age_app_link(const idv_mdl_request_t *request,
                             apr_pool_t *pool)
{
    const idv_session_parts_t *parts = &request->parts;
    idv_json_writer_t query, metadata;

    idv_json_writer_init(&query, 512, pool);
    put_dcql(&query, NULL, request);
    idv_json_writer_init(&metadata, 512, pool);
    idv_json_open_object(&metadata, NULL);
    put_formats(&metadata);
    idv_json_close_object(&metadata);
    return apr_pstrcat(
        pool, "av://?response_type=vp_token&response_mode=direct_post",
        parameter("client_id", parts->client_id, pool),
        parameter("response_uri", parts->response_uri, pool),
        parameter("nonce", parts->nonce, pool),
        parameter("dcql_query", idv_json_writer_text(&query, NULL), pool),
        parameter("client_metadata", idv_json_writer_text(&metadata, NULL),
                  pool),
        NULL);
}

/* --- annex C --- */

/* ItemsRequest (ISO/IEC 18013-5, 8.3.2.1.2.1), as embedded CBOR. All elements
 * of a query have the same name space. */
static idv_bytes_t items_request(const idv_mdl_query_t *query, apr_pool_t *pool)
{
    idv_cbor_writer_t items, tagged;

    idv_cbor_writer_init(&items, pool);
    idv_cbor_put_map(&items, 2);
    idv_cbor_put_text(&items, "docType");
    idv_cbor_put_text(&items, query->doc_type);
    idv_cbor_put_text(&items, "nameSpaces");
    idv_cbor_put_map(&items, 1);
    idv_cbor_put_text(&items, query->elements[0].name_space);
    idv_cbor_put_map(&items, query->element_count);
    for (int i = 0; i < query->element_count; i++) {
        idv_cbor_put_text(&items, query->elements[i].element);
        idv_cbor_put_simple(&items, IDV_CBOR_FALSE); /* intent to retain */
    }
    idv_cbor_writer_init(&tagged, pool);
    idv_cbor_put_tag(&tagged, IDV_CBOR_TAG_EMBEDDED);
    idv_cbor_put_bytes(&tagged, idv_cbor_written(&items));
    return idv_cbor_written(&tagged);
}

/* The bytes that the reader signs: Sig_structure over the detached
 * ReaderAuthenticationBytes (ISO/IEC 18013-5, 9.1.4). */
static idv_bytes_t signed_by_reader(const idv_mdl_request_t *request,
                                    idv_bytes_t items, idv_bytes_t header,
                                    apr_pool_t *pool)
{
    idv_bytes_t transcript =
        idv_session_transcript(IDV_HANDOVER_ISO_18013_7_C,
                               IDV_HANDOVER_AS_AGREED, &request->parts, pool);
    idv_cbor_writer_t inner, payload, structure;

    idv_cbor_writer_init(&inner, pool);
    idv_cbor_put_array(&inner, 3);
    idv_cbor_put_text(&inner, "ReaderAuthentication");
    idv_cbor_put_encoded(&inner, transcript);
    idv_cbor_put_encoded(&inner, items);
    idv_cbor_writer_init(&payload, pool);
    idv_cbor_put_tag(&payload, IDV_CBOR_TAG_EMBEDDED);
    idv_cbor_put_bytes(&payload, idv_cbor_written(&inner));
    idv_cbor_writer_init(&structure, pool);
    idv_cbor_put_array(&structure, 4);
    idv_cbor_put_text(&structure, "Signature1");
    idv_cbor_put_bytes(&structure, header);
    idv_cbor_put_bytes(&structure, (idv_bytes_t){NULL, 0});
    idv_cbor_put_bytes(&structure, idv_cbor_written(&payload));
    return idv_cbor_written(&structure);
}

/* x5chain (RFC 9360): a single certificate is not in an array. */
static void put_chain(idv_cbor_writer_t *writer,
                      const idv_reader_identity_t *identity)
{
    idv_cbor_put_map(writer, 1);
    idv_cbor_put_integer(writer, 33);
    if (identity->chain_length > 1)
        idv_cbor_put_array(writer, identity->chain_length);
    for (int i = 0; i < identity->chain_length; i++)
        idv_cbor_put_bytes(writer, identity->chain[i]);
}

/* readerAuth: a COSE_Sign1 without its payload. */
static idv_error_t *put_reader_auth(idv_cbor_writer_t *writer,
                                    const idv_mdl_request_t *request,
                                    const idv_reader_identity_t *identity,
                                    idv_bytes_t items)
{
    idv_cbor_writer_t protected;
    idv_bytes_t header, signature;
    int algorithm;

    IDV_TRY(idv_reader_algorithm(identity->private_key, &algorithm,
                                 writer->pool));
    idv_cbor_writer_init(&protected, writer->pool);
    idv_cbor_put_map(&protected, 1);
    idv_cbor_put_integer(&protected, 1); /* alg */
    idv_cbor_put_integer(&protected, algorithm);
    header = idv_cbor_written(&protected);
    IDV_TRY(idv_reader_sign(
        identity->private_key,
        signed_by_reader(request, items, header, writer->pool), &signature,
        writer->pool));
    idv_cbor_put_text(writer, "readerAuth");
    idv_cbor_put_array(writer, 4);
    idv_cbor_put_bytes(writer, header);
    put_chain(writer, identity);
    idv_cbor_put_simple(writer, IDV_CBOR_NULL);
    idv_cbor_put_bytes(writer, signature);
    return NULL;
}

static int is_signed(const idv_mdl_query_t *query,
                     const idv_reader_identity_t *identity)
{
    return identity && strcmp(query->doc_type, IDV_MDL_DOC_TYPE) == 0;
}

idv_error_t *idv_wallet_device_request(const idv_mdl_request_t *request,
                                       const idv_reader_identity_t *identity,
                                       const char **device_request,
                                       apr_pool_t *pool)
{
    idv_cbor_writer_t writer;

    idv_cbor_writer_init(&writer, pool);
    idv_cbor_put_map(&writer, 2);
    idv_cbor_put_text(&writer, "version");
    idv_cbor_put_text(&writer, "1.0");
    idv_cbor_put_text(&writer, "docRequests");
    idv_cbor_put_array(&writer, request->query_count);
    for (int i = 0; i < request->query_count; i++) {
        const idv_mdl_query_t *query = &request->queries[i];
        idv_bytes_t items = items_request(query, pool);

        idv_cbor_put_map(&writer, is_signed(query, identity) ? 2 : 1);
        idv_cbor_put_text(&writer, "itemsRequest");
        idv_cbor_put_encoded(&writer, items);
        if (is_signed(query, identity))
            IDV_TRY(put_reader_auth(&writer, request, identity, items));
    }
    *device_request = base64url(idv_cbor_written(&writer), pool);
    return NULL;
}
