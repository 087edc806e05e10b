/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/evidence_reader.h"

#include <string.h>

#include <openssl/crypto.h>

#include "analyze/document/document_reader.h"
#include "analyze/face/face_reader.h"
#include "analyze/mdl/wallet_reader.h"
#include "analyze/passport/passport_reader.h"
#include "domain/method/method.h"

/* The reader of one method's evidence. */
typedef struct {
    idv_method_t method;
    /* NULL: it shares what the previous entry has opened */
    idv_error_t *(*open)(const char *models_directory, void **reader,
                         apr_pool_t *pool);
    idv_error_t *(*read)(void *reader, const idv_analysis_request_t *request,
                         idv_bytes_t *findings, apr_pool_t *pool);
} evidence_reader_t;

static const evidence_reader_t table[] = {
    {IDV_METHOD_DOCUMENT_CAPTURE, idv_document_reader_open,
     idv_document_reader_read},
    {IDV_METHOD_NFC_PASSPORT, idv_passport_reader_open,
     idv_passport_reader_read},
    {IDV_METHOD_MDL, idv_wallet_reader_open, idv_wallet_reader_read},
    {IDV_METHOD_SELFIE_LIVENESS, idv_face_reader_open, idv_face_reader_read},
    {IDV_METHOD_SELFIE_MATCH, NULL, idv_face_reader_read},
};

#define COUNT (sizeof(table) / sizeof(*table))

struct idv_evidence_readers_t {
    idv_analysis_kind_t kind;
    void *readers[COUNT]; /* in the order of the table */
};

static int is_read(const idv_evidence_readers_t *opened, idv_method_t method)
{
    return opened->kind == IDV_ANALYSIS_ALL
        || opened->kind == idv_analysis_kind(method);
}

idv_error_t *idv_evidence_readers_open(idv_analysis_kind_t kind,
                                       const char *models_directory,
                                       idv_evidence_readers_t **out,
                                       apr_pool_t *pool)
{
    /* OpenSSL is set up while it may still read and map files: its
     * configuration is an administrator's choice for TLS and does not concern
     * evidence. */
    if (OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG
                                | OPENSSL_INIT_LOAD_CRYPTO_STRINGS
                                | OPENSSL_INIT_ADD_ALL_CIPHERS
                                | OPENSSL_INIT_ADD_ALL_DIGESTS,
                            NULL)
        != 1)
        return idv_error_internal(pool, "OpenSSL cannot be set up");
    *out = apr_pcalloc(pool, sizeof(**out));
    (*out)->kind = kind;
    for (size_t i = 0; i < COUNT; i++)
        if (!is_read(*out, table[i].method))
            continue;
        else if (table[i].open)
            IDV_TRY(table[i].open(models_directory, &(*out)->readers[i], pool));
        else
            (*out)->readers[i] = (*out)->readers[i - 1];
    return NULL;
}

idv_error_t *idv_evidence_read(void *readers,
                               const idv_analysis_request_t *request,
                               idv_bytes_t *findings, apr_pool_t *pool)
{
    idv_evidence_readers_t *opened = readers;
    idv_method_t method = idv_method_parse(request->method);

    for (size_t i = 0; i < COUNT; i++)
        if (table[i].method == method && is_read(opened, method))
            return table[i].read(opened->readers[i], request, findings, pool);
    return idv_error_internal(pool, "no reader for the method of a submission");
}

/* Methods with a tighter limit than the general one. */
static const struct {
    idv_method_t method;
    int milliseconds; /* of processor time for each part */
} allowances[] = {
    {IDV_METHOD_DOCUMENT_CAPTURE, IDV_DOCUMENT_SIDE_MILLISECONDS},
};

int idv_evidence_allowance(const idv_analysis_request_t *request)
{
    idv_method_t method = idv_method_parse(request->method);

    for (size_t i = 0; i < sizeof(allowances) / sizeof(*allowances); i++)
        if (allowances[i].method == method)
            return allowances[i].milliseconds * request->part_count;
    return 0;
}
