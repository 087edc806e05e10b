/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/passport/csca_list.h"

#include <string.h>

#include <apr_strings.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>

#include "methods/passport/signed_data.h"
#include "methods/passport/tlv.h"

/* The most signatures tried for one certificate: no state has as many
 * certificates with one name and country. */
#define TRIALS_MAX 32

#define ITEM(list, i) (&APR_ARRAY_IDX((list)->items, i, idv_csca_t))

idv_csca_list_t *idv_csca_list_create(apr_pool_t *pool)
{
    idv_csca_list_t *list = apr_palloc(pool, sizeof(*list));

    list->items = apr_array_make(pool, 16, sizeof(idv_csca_t));
    list->pool = pool;
    return list;
}

static int is_there(const idv_csca_list_t *list, idv_bytes_t der)
{
    for (int i = 0; i < list->items->nelts; i++)
        if (idv_bytes_equal(ITEM(list, i)->certificate.der, der))
            return 1;
    return 0;
}

static int is_source(const char *source)
{
    size_t length = strlen(source);

    for (size_t i = 0; i < length; i++)
        if ((unsigned char)source[i] < ' ' || source[i] == 0x7f)
            return 0;
    return length > 0 && length <= IDV_CSCA_SOURCE_MAX;
}

idv_error_t *idv_csca_list_add(idv_csca_list_t *list, idv_bytes_t der,
                               const char *source, int *added)
{
    idv_csca_t item;
    idv_bytes_t copy = {NULL, der.length};

    if (added)
        *added = 0;
    IDV_TRY(idv_certificate_read(der, &item.certificate, list->pool));
    if (!idv_certificate_may_sign_certificates(&item.certificate))
        return idv_error_param(list->pool, NULL,
                               "The certificate is not from a country signing "
                               "authority.");
    if (!is_source(source))
        return idv_error_param(list->pool, NULL,
                               "The source must have 1 to %d printable bytes.",
                               IDV_CSCA_SOURCE_MAX);
    if (is_there(list, der))
        return NULL;
    if (list->items->nelts == IDV_CSCA_LIST_MAX)
        return idv_error_param(list->pool, NULL,
                               "There are more than %d certificates.",
                               IDV_CSCA_LIST_MAX);
    copy.data = apr_pmemdup(list->pool, der.data, der.length);
    IDV_TRY(idv_certificate_read(copy, &item.certificate, list->pool));
    item.source = apr_pstrdup(list->pool, source);
    APR_ARRAY_PUSH(list->items, idv_csca_t) = item;
    if (added)
        *added = 1;
    return NULL;
}

/* --- passing a list to another process --- */

/* A mark of one byte, since no part of a request may be empty, even if nobody
 * is trusted. Then each entry: the source with its NUL, four bytes of length,
 * the certificate. */
#define MARK_SIZE 1
#define LENGTH_SIZE 4

idv_bytes_t idv_csca_pack(const idv_csca_entry_t *entries, int count,
                          apr_pool_t *pool)
{
    apr_size_t size = MARK_SIZE;
    unsigned char *data, *to;

    for (int i = 0; i < count; i++)
        size += strlen(entries[i].source) + 1 + LENGTH_SIZE
              + entries[i].der.length;
    data = to = apr_palloc(pool, size);
    *to++ = 1;
    for (int i = 0; i < count; i++) {
        apr_size_t length = entries[i].der.length;
        apr_size_t source = strlen(entries[i].source) + 1;

        if (length > IDV_CERTIFICATE_MAX || source > IDV_CSCA_SOURCE_MAX + 1)
            continue;
        memcpy(to, entries[i].source, source);
        to += source;
        for (int k = LENGTH_SIZE - 1; k >= 0; k--)
            *to++ = (unsigned char)(length >> (8 * k) & 0xff);
        memcpy(to, entries[i].der.data, length);
        to += length;
    }
    return (idv_bytes_t){data, (apr_size_t)(to - data)};
}

static idv_bytes_t entries_of(idv_bytes_t packed)
{
    if (packed.length < MARK_SIZE)
        return packed;
    return (idv_bytes_t){packed.data + MARK_SIZE, packed.length - MARK_SIZE};
}

/* Takes one entry from the start of REST; zero if it is incomplete. */
static int take_entry(idv_bytes_t *rest, idv_csca_entry_t *entry)
{
    const unsigned char *end = memchr(rest->data, '\0', rest->length);
    apr_size_t used, length = 0;

    if (!end || rest->length - (apr_size_t)(end - rest->data) <= LENGTH_SIZE)
        return 0;
    entry->source = (const char *)rest->data;
    for (int i = 1; i <= LENGTH_SIZE; i++)
        length = length << 8 | end[i];
    used = (apr_size_t)(end - rest->data) + 1 + LENGTH_SIZE;
    if (length > rest->length - used)
        return 0;
    entry->der = (idv_bytes_t){rest->data + used, length};
    rest->data += used + length;
    rest->length -= used + length;
    return 1;
}

/* The packed certificate with this FINGERPRINT; without data if there is
 * none. */
static idv_bytes_t find_packed(idv_bytes_t packed, const char *fingerprint,
                               apr_pool_t *pool)
{
    unsigned char digest[IDV_DIGEST_SIZE];
    idv_csca_entry_t entry;
    idv_bytes_t rest = entries_of(packed);

    while (rest.length > 0 && take_entry(&rest, &entry)) {
        idv_sha256(entry.der.data, entry.der.length, digest);
        if (strcmp(idv_hex(digest, sizeof(digest), pool), fingerprint) == 0)
            return entry.der;
    }
    return (idv_bytes_t){NULL, 0};
}

int idv_csca_pack_has(idv_bytes_t packed, const char *fingerprint,
                      apr_pool_t *pool)
{
    return find_packed(packed, fingerprint, pool).length > 0;
}

void idv_csca_pack_namesakes(idv_bytes_t packed, const char *fingerprint,
                             apr_array_header_t *namesakes, apr_pool_t *pool)
{
    idv_bytes_t found = find_packed(packed, fingerprint, pool);
    idv_bytes_t rest = entries_of(packed);
    idv_certificate_t wanted, other;
    idv_csca_entry_t entry;

    if (found.length == 0 || idv_certificate_read(found, &wanted, pool))
        return;
    while (rest.length > 0 && take_entry(&rest, &entry))
        if (!idv_certificate_read(entry.der, &other, pool)
            && (idv_bytes_equal(other.subject, wanted.subject)
                || (strcmp(other.country, wanted.country) == 0
                    && idv_certificate_names_match(other.subject,
                                                   wanted.subject))))
            APR_ARRAY_PUSH(namesakes, idv_bytes_t) = entry.der;
}

idv_error_t *idv_csca_list_unpack(idv_csca_list_t *list, idv_bytes_t packed)
{
    idv_bytes_t rest = entries_of(packed);

    while (rest.length > 0) {
        idv_csca_entry_t entry;
        idv_error_t *error;

        if (!take_entry(&rest, &entry))
            return idv_error_internal(list->pool, "a broken list of CSCAs");
        error = idv_csca_list_add(list, entry.der, entry.source, NULL);
        if (error && error->code != IDV_E_PARAMETER_INVALID)
            return error;
    }
    return NULL;
}

/* --- plain certificates --- */

static apr_status_t free_bio(void *bio)
{
    BIO_free(bio);
    return APR_SUCCESS;
}

/* Reads every CERTIFICATE of a PEM text; other blocks are skipped. */
static idv_error_t *read_pem(idv_csca_list_t *list, idv_bytes_t file,
                             const char *source, int *count)
{
    BIO *bio = BIO_new_mem_buf(file.data, (int)file.length);
    char *name, *header;
    unsigned char *data;
    long length;
    int found = 0;
    idv_error_t *error = NULL;

    if (!bio)
        return idv_error_internal(list->pool, "no memory for PEM");
    apr_pool_cleanup_register(list->pool, bio, free_bio, apr_pool_cleanup_null);
    while (!error && PEM_read_bio(bio, &name, &header, &data, &length) == 1) {
        int added = 0;

        if (strcmp(name, PEM_STRING_X509) == 0) {
            found++;
            error = idv_csca_list_add(
                list, (idv_bytes_t){data, (apr_size_t)length}, source, &added);
            *count += added;
        }
        OPENSSL_free(name);
        OPENSSL_free(header);
        OPENSSL_free(data);
    }
    ERR_clear_error();
    apr_pool_cleanup_run(list->pool, bio, free_bio);
    if (!error && found == 0)
        return idv_error_param(list->pool, NULL,
                               "The file contains no certificates.");
    return error;
}

/* Undoes the additions if ERROR is set. */
static idv_error_t *all_or_nothing(idv_csca_list_t *list, int before,
                                   idv_error_t *error)
{
    if (error)
        list->items->nelts = before;
    return error;
}

idv_error_t *idv_csca_list_read_certificates(idv_csca_list_t *list,
                                             idv_bytes_t file,
                                             const char *source, int *count)
{
    int before = list->items->nelts;

    *count = 0;
    if (file.length > IDV_CSCA_FILE_MAX)
        return idv_error_param(list->pool, NULL,
                               "The file is longer than %d bytes.",
                               IDV_CSCA_FILE_MAX);
    if (file.length > 0 && file.data[0] == IDV_TLV_SEQUENCE)
        return idv_csca_list_add(list, file, source, count);
    return all_or_nothing(list, before, read_pem(list, file, source, count));
}

/* --- master lists --- */

static idv_error_t *refuse(idv_csca_list_t *list, const char *why)
{
    return idv_error_param(list->pool, NULL, "The master list %s.", why);
}

/* CscaMasterList ::= SEQUENCE { version INTEGER, certList SET OF Certificate }
 */
static idv_error_t *add_content(idv_csca_list_t *list, idv_bytes_t content,
                                const char *source, idv_master_list_t *told)
{
    int fault = 0;
    idv_tlv_reader_t outer = idv_tlv_open(content, &fault);
    idv_tlv_reader_t reader = idv_tlv_enter(&outer, IDV_TLV_SEQUENCE), set;

    idv_tlv_finish(&outer);
    if (idv_tlv_read_integer(&reader) != 0)
        return refuse(list, "has an unknown version");
    set = idv_tlv_enter(&reader, IDV_TLV_SET);
    idv_tlv_finish(&reader);
    while (idv_tlv_has_more(&set)) {
        idv_bytes_t der = idv_tlv_read(&set).whole;
        idv_certificate_t certificate;
        int added;

        if (fault || idv_certificate_read(der, &certificate, list->pool)
            || !idv_certificate_may_sign_certificates(&certificate))
            continue;
        IDV_TRY(idv_csca_list_add(list, der, source, &added));
        told->certificates++;
        told->added += added;
    }
    return fault || told->certificates == 0 ? refuse(list, "is malformed")
                                            : NULL;
}

/* Non-zero if the signer was valid at the time of signing. */
static int was_valid(const idv_certificate_t *signer, idv_time_t when)
{
    return when >= signer->not_before && when <= signer->not_after
        && (signer->key_used_from == 0 || when >= signer->key_used_from)
        && (signer->key_used_until == 0 || when <= signer->key_used_until);
}

/* Checks the signer of the list, and reads it into SIGNER. */
static idv_error_t *check_signer(idv_csca_list_t *list,
                                 const idv_signed_data_t *data,
                                 idv_certificate_t *signer, idv_time_t now)
{
    EVP_PKEY *key;

    if (idv_certificate_read(idv_signed_data_signer(data, list->pool), signer,
                             list->pool))
        return refuse(list, "does not contain its signer's certificate");
    if (!signer->signs_master_lists || signer->has_unknown_critical)
        return refuse(list, "is signed by a certificate that may not sign "
                            "master lists");
    if (!was_valid(signer, data->signing_time ? data->signing_time : now))
        return refuse(list, "was signed when its signer's certificate was not "
                            "valid");
    if (idv_public_key_read(signer->public_key, &key, list->pool)
        || idv_signed_data_verify(data, key, list->pool) != IDV_SIGNATURE_RIGHT)
        return refuse(list, "has a wrong signature");
    return NULL;
}

/* Finds the issuer of SIGNER among the certificates that were trusted before,
 * or came with the file. The file's certificates follow the first BEFORE in
 * LIST. */
static idv_error_t *check_issuer(idv_csca_list_t *list, int before,
                                 const idv_signed_data_t *data,
                                 const idv_certificate_t *signer,
                                 idv_master_list_t *told)
{
    apr_array_header_t trusted_items = *list->items;
    idv_csca_list_t trusted = {&trusted_items, list->pool};
    idv_csca_list_t *inside = idv_csca_list_create(list->pool);
    const idv_csca_t *issuer;
    idv_time_t when = data->signing_time;

    trusted_items.nelts = before;
    told->is_anchored =
        idv_csca_list_find_issuer(&trusted, signer, when, &issuer, list->pool)
        == IDV_CSCA_FOUND;
    if (!told->is_anchored) {
        for (int i = 0; i < data->certificate_count; i++)
            /* The signer itself is among them, but is not an authority. */
            if (idv_csca_list_add(inside, data->certificates[i], "inside",
                                  NULL))
                continue;
        if (idv_csca_list_find_issuer(list, signer, when, &issuer, list->pool)
                != IDV_CSCA_FOUND
            && idv_csca_list_find_issuer(inside, signer, when, &issuer,
                                         list->pool)
                   != IDV_CSCA_FOUND)
            return refuse(list, "has a signer with an unknown issuer");
    }
    told->signer_issuer = issuer->certificate.der;
    return NULL;
}

static idv_error_t *read_master_list(idv_csca_list_t *list, idv_bytes_t file,
                                     const char *source, idv_time_t now,
                                     idv_master_list_t *told)
{
    int before = list->items->nelts;
    idv_signed_data_t data;
    idv_certificate_t signer;

    if (idv_signed_data_read(file, &data, list->pool)
        || !idv_bytes_equal(data.content_type,
                            IDV_TLV_BYTES("\x67\x81\x08\x01\x01\x02")))
        return refuse(list, "is not a master list of ICAO Doc 9303-12");
    IDV_TRY(check_signer(list, &data, &signer, now));
    told->signing_time = data.signing_time;
    told->signer = (idv_bytes_t){
        apr_pmemdup(list->pool, signer.der.data, signer.der.length),
        signer.der.length};
    IDV_TRY(add_content(list, data.content, source, told));
    return check_issuer(list, before, &data, &signer, told);
}

idv_error_t *idv_csca_list_read_master_list(idv_csca_list_t *list,
                                            idv_bytes_t file,
                                            const char *source, idv_time_t now,
                                            idv_master_list_t *told)
{
    int before = list->items->nelts;

    memset(told, 0, sizeof(*told));
    if (file.length > IDV_CSCA_FILE_MAX)
        return refuse(list, "is too long");
    return all_or_nothing(list, before,
                          read_master_list(list, file, source, now, told));
}

/* --- search --- */

/* Non-zero if CERTIFICATE names this key as its issuer's. */
static int names_key(const idv_certificate_t *certificate,
                     const idv_certificate_t *issuer)
{
    return certificate->authority_key_id.length > 0
        && idv_bytes_equal(certificate->authority_key_id, issuer->key_id);
}

/* Names are compared by their characters only within a country. */
static int names_issuer(const idv_certificate_t *certificate,
                        const idv_certificate_t *issuer)
{
    return idv_bytes_equal(certificate->issuer, issuer->subject)
        || (strcmp(certificate->country, issuer->country) == 0
            && idv_certificate_names_match(certificate->issuer,
                                           issuer->subject));
}

static int is_valid_at(const idv_certificate_t *certificate, idv_time_t now)
{
    return now >= certificate->not_before && now <= certificate->not_after;
}

typedef struct {
    const idv_certificate_t *certificate;
    idv_time_t now;
    const idv_csca_t *found;
    idv_csca_search_t failure;
    int trials;
} search_t;

static void try_issuer(search_t *search, const idv_csca_t *candidate,
                       apr_pool_t *pool)
{
    const idv_certificate_t *certificate = search->certificate;
    const idv_certificate_t *issuer = &candidate->certificate;
    idv_certificate_result_t checked;

    /* A candidate that is not better need not be tried. */
    if (search->trials++ >= TRIALS_MAX
        || (search->found
            && (is_valid_at(&search->found->certificate, search->now)
                || !is_valid_at(issuer, search->now))))
        return;
    checked = idv_certificate_verify(certificate, issuer, pool);
    if (checked == IDV_CERTIFICATE_SIGNED)
        search->found = candidate;
    else if (checked == IDV_CERTIFICATE_UNSUPPORTED)
        search->failure = search->failure == IDV_CSCA_SIGNATURE_WRONG
                            ? IDV_CSCA_SIGNATURE_WRONG
                            : IDV_CSCA_UNSUPPORTED;
    else if (names_key(certificate, issuer))
        search->failure = IDV_CSCA_SIGNATURE_WRONG;
}

idv_csca_search_t
idv_csca_list_find_issuer(const idv_csca_list_t *list,
                          const idv_certificate_t *certificate, idv_time_t now,
                          const idv_csca_t **issuer, apr_pool_t *pool)
{
    search_t search = {certificate, now, NULL, IDV_CSCA_UNKNOWN, 0};

    for (int by_key = 1; by_key >= 0 && !search.found; by_key--)
        for (int i = 0; i < list->items->nelts; i++) {
            const idv_certificate_t *candidate = &ITEM(list, i)->certificate;
            int has_key = names_key(certificate, candidate);

            if (has_key == by_key
                && (has_key || names_issuer(certificate, candidate)))
                try_issuer(&search, ITEM(list, i), pool);
        }
    *issuer = search.found;
    return search.found ? IDV_CSCA_FOUND : search.failure;
}
