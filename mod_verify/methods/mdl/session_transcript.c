/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/mdl/session_transcript.h"

#include <string.h>

#include <apr_strings.h>

#include "core/word_list.h"
#include "methods/mdl/cbor.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))

static const char *const handover_codes[] = {
#define X(name, code) code,
    IDV_HANDOVERS(X)
#undef X
};

static const char *const variant_codes[] = {
#define X(name, code) code,
    IDV_HANDOVER_VARIANTS(X)
#undef X
};

const char *idv_handover_code(idv_handover_t handover)
{
    return handover_codes[handover];
}

int idv_handover_find(const char *code)
{
    return idv_word_find(handover_codes, COUNT(handover_codes), code);
}

const char *idv_handover_variant_code(idv_handover_variant_t variant)
{
    return variant_codes[variant];
}

int idv_handover_variant_find(const char *code)
{
    return idv_word_find(variant_codes, COUNT(variant_codes), code);
}

/* --- variants --- */

/* The prefixes in OpenID4VP 1.0, 5.9.3, and its drafts. */
static const char *without_prefix(const char *client_id)
{
    static const char *const prefixes[] = { "x509_san_dns:", "x509_hash:",
                                            "redirect_uri:", "x509_san_uri:",
                                            "verifier_attestation:" };

    for (int i = 0; client_id && i < COUNT(prefixes); i++)
        if (strncmp(client_id, prefixes[i], strlen(prefixes[i])) == 0)
            return client_id + strlen(prefixes[i]);
    return NULL;
}

/* Joins A and B; NULL if either is NULL. */
static const char *join(const char *a, const char *b, apr_pool_t *pool)
{
    return a && b ? apr_pstrcat(pool, a, b, NULL) : NULL;
}

/* Changes the parts according to VARIANT; zero if there is nothing to
 * change. */
static int vary(idv_session_parts_t *parts, idv_handover_variant_t variant,
                apr_pool_t *pool)
{
    switch (variant) {
    case IDV_HANDOVER_NO_THUMBPRINT:
        if (!parts->thumbprint.length)
            return 0;
        parts->thumbprint.length = 0;
        return 1;
    case IDV_HANDOVER_NO_CLIENT_ID_PREFIX:
        return (parts->client_id = without_prefix(parts->client_id)) != NULL;
    case IDV_HANDOVER_WEB_ORIGIN_CLIENT_ID:
        parts->client_id = join("web-origin:", parts->origin, pool);
        return parts->client_id != NULL;
    case IDV_HANDOVER_ORIGIN_WITH_PREFIX:
        return (parts->origin = join("origin:", parts->origin, pool)) != NULL;
    case IDV_HANDOVER_ORIGIN_WITH_SLASH:
        return (parts->origin = join(parts->origin, "/", pool)) != NULL;
    case IDV_HANDOVER_NO_WALLET_NONCE:
        if (!parts->wallet_nonce || !*parts->wallet_nonce)
            return 0;
        parts->wallet_nonce = "";
        return 1;
    default:
        return 1;
    }
}

/* --- handovers --- */

static idv_bytes_t hash_of(const idv_cbor_writer_t *writer, apr_pool_t *pool)
{
    unsigned char *digest = apr_palloc(pool, IDV_DIGEST_SIZE);

    idv_sha256(writer->data, writer->length, digest);
    return (idv_bytes_t){ digest, IDV_DIGEST_SIZE };
}

static void put_thumbprint(idv_cbor_writer_t *writer, idv_bytes_t thumbprint)
{
    if (thumbprint.length)
        idv_cbor_put_bytes(writer, thumbprint);
    else
        idv_cbor_put_simple(writer, IDV_CBOR_NULL);
}

/* [name, hash of INFO] */
static void put_named(idv_cbor_writer_t *writer, const char *name,
                      const idv_cbor_writer_t *info)
{
    idv_cbor_put_array(writer, 2);
    idv_cbor_put_text(writer, name);
    idv_cbor_put_bytes(writer, hash_of(info, writer->pool));
}

typedef int (*put_handover_t)(idv_cbor_writer_t *writer,
                              const idv_session_parts_t *parts);

static int put_oid4vp(idv_cbor_writer_t *writer,
                      const idv_session_parts_t *parts)
{
    idv_cbor_writer_t info;

    if (!parts->client_id || !parts->nonce || !parts->response_uri)
        return 0;
    idv_cbor_writer_init(&info, writer->pool);
    idv_cbor_put_array(&info, 4);
    idv_cbor_put_text(&info, parts->client_id);
    idv_cbor_put_text(&info, parts->nonce);
    put_thumbprint(&info, parts->thumbprint);
    idv_cbor_put_text(&info, parts->response_uri);
    put_named(writer, "OpenID4VPHandover", &info);
    return 1;
}

static int put_dc_api(idv_cbor_writer_t *writer,
                      const idv_session_parts_t *parts)
{
    idv_cbor_writer_t info;

    if (!parts->origin || !parts->nonce)
        return 0;
    idv_cbor_writer_init(&info, writer->pool);
    idv_cbor_put_array(&info, 3);
    idv_cbor_put_text(&info, parts->origin);
    idv_cbor_put_text(&info, parts->nonce);
    put_thumbprint(&info, parts->thumbprint);
    put_named(writer, "OpenID4VPDCAPIHandover", &info);
    return 1;
}

static int put_annex_c(idv_cbor_writer_t *writer,
                       const idv_session_parts_t *parts)
{
    idv_cbor_writer_t info;

    if (!parts->encryption_info || !parts->origin)
        return 0;
    idv_cbor_writer_init(&info, writer->pool);
    idv_cbor_put_array(&info, 2);
    idv_cbor_put_text(&info, parts->encryption_info);
    idv_cbor_put_text(&info, parts->origin);
    put_named(writer, "dcapi", &info);
    return 1;
}

/* The hash of [TEXT, nonce of the wallet]. */
static void put_nonce_hash(idv_cbor_writer_t *writer, const char *text,
                           const char *wallet_nonce)
{
    idv_cbor_writer_t pair;

    idv_cbor_writer_init(&pair, writer->pool);
    idv_cbor_put_array(&pair, 2);
    idv_cbor_put_text(&pair, text);
    idv_cbor_put_text(&pair, wallet_nonce ? wallet_nonce : "");
    idv_cbor_put_bytes(writer, hash_of(&pair, writer->pool));
}

static int put_draft_18(idv_cbor_writer_t *writer,
                        const idv_session_parts_t *parts)
{
    if (!parts->client_id || !parts->nonce || !parts->response_uri)
        return 0;
    idv_cbor_put_array(writer, 3);
    put_nonce_hash(writer, parts->client_id, parts->wallet_nonce);
    put_nonce_hash(writer, parts->response_uri, parts->wallet_nonce);
    idv_cbor_put_text(writer, parts->nonce);
    return 1;
}

static int put_draft_24(idv_cbor_writer_t *writer,
                        const idv_session_parts_t *parts)
{
    idv_cbor_writer_t info;

    if (!parts->origin || !parts->client_id || !parts->nonce)
        return 0;
    idv_cbor_writer_init(&info, writer->pool);
    idv_cbor_put_array(&info, 3);
    idv_cbor_put_text(&info, parts->origin);
    idv_cbor_put_text(&info, parts->client_id);
    idv_cbor_put_text(&info, parts->nonce);
    put_named(writer, "OpenID4VPDCAPIHandover", &info);
    return 1;
}

static const put_handover_t handovers[] = {
    [IDV_HANDOVER_OID4VP_1_0] = put_oid4vp,
    [IDV_HANDOVER_DC_API_1_0] = put_dc_api,
    [IDV_HANDOVER_ISO_18013_7_C] = put_annex_c,
    [IDV_HANDOVER_OID4VP_DRAFT_18] = put_draft_18,
    [IDV_HANDOVER_DC_API_DRAFT_24] = put_draft_24,
    [IDV_HANDOVER_PROXIMITY] = NULL,
};

idv_bytes_t idv_session_transcript(idv_handover_t handover,
                                   idv_handover_variant_t variant,
                                   const idv_session_parts_t *parts,
                                   apr_pool_t *pool)
{
    idv_session_parts_t varied = *parts;
    idv_cbor_writer_t writer;

    if (!vary(&varied, variant, pool))
        return (idv_bytes_t){ NULL, 0 };
    if (handover == IDV_HANDOVER_PROXIMITY)
        return variant == IDV_HANDOVER_AS_AGREED && parts->transcript.length
                   ? parts->transcript
                   : (idv_bytes_t){ NULL, 0 };
    idv_cbor_writer_init(&writer, pool);
    idv_cbor_put_array(&writer, 3);
    idv_cbor_put_simple(&writer, IDV_CBOR_NULL); /* DeviceEngagementBytes */
    idv_cbor_put_simple(&writer, IDV_CBOR_NULL); /* EReaderKeyBytes */
    return handovers[handover](&writer, &varied) ? idv_cbor_written(&writer)
                                                 : (idv_bytes_t){ NULL, 0 };
}
