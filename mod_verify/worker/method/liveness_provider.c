/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/method/liveness_provider.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <apr_file_io.h>

APLOG_USE_MODULE(verify);

enum { PEM_MAX = 65536 /* bytes of a file */ };

struct idv_liveness_provider_t {
    idv_worker_t *worker;
    idv_http_client_t *client;
};

/* --- files --- */

static idv_error_t *read_file(const char *path, idv_bytes_t *file,
                              apr_pool_t *pool)
{
    char *text = apr_pcalloc(pool, PEM_MAX + 1);
    apr_size_t length = PEM_MAX;
    apr_file_t *opened;
    apr_status_t status =
        apr_file_open(&opened, path, APR_READ | APR_BINARY, 0, pool);

    if (status == APR_SUCCESS) {
        status = apr_file_read_full(opened, text, PEM_MAX, &length);
        apr_file_close(opened);
    }
    if (status != APR_SUCCESS && status != APR_EOF)
        return idv_error_apr(pool, status, "%s cannot be read", path);
    *file = (idv_bytes_t){(const unsigned char *)text, length};
    return NULL;
}

static apr_status_t free_key(void *key)
{
    EVP_PKEY_free(key);
    return APR_SUCCESS;
}

/* The public key in FILE, or that of the certificate in it; NULL: neither. */
static EVP_PKEY *public_key_of(idv_bytes_t file)
{
    BIO *text = BIO_new_mem_buf(file.data, (int)file.length);
    EVP_PKEY *key = text ? PEM_read_bio_PUBKEY(text, NULL, NULL, NULL) : NULL;
    X509 *certificate;

    if (text && !key && BIO_reset(text) == 1) {
        certificate = PEM_read_bio_X509(text, NULL, NULL, NULL);
        key = certificate ? X509_get_pubkey(certificate) : NULL;
        X509_free(certificate);
    }
    BIO_free(text);
    return key;
}

/* Non-zero when the private KEY is that of CERTIFICATE. */
static int is_pair(idv_bytes_t certificate, idv_bytes_t key)
{
    BIO *first = BIO_new_mem_buf(certificate.data, (int)certificate.length);
    BIO *second = BIO_new_mem_buf(key.data, (int)key.length);
    X509 *shown =
        first ? PEM_read_bio_X509(first, NULL, NULL, NULL) : NULL;
    /* With a password of NULL and no way to ask, an encrypted key is refused
     * instead of being waited for at a terminal. */
    EVP_PKEY *private_key =
        second ? PEM_read_bio_PrivateKey(second, NULL, NULL, (void *)"") : NULL;
    int fits = shown && private_key
            && X509_check_private_key(shown, private_key) == 1;

    EVP_PKEY_free(private_key);
    X509_free(shown);
    BIO_free(second);
    BIO_free(first);
    ERR_clear_error();
    return fits;
}

idv_error_t *idv_liveness_provider_load(
    const idv_liveness_provider_files_t *files,
    idv_liveness_provider_config_t *config, apr_pool_t *pool)
{
    idv_bytes_t signer;

    IDV_TRY(read_file(files->certificate, &config->certificate, pool));
    IDV_TRY(idv_private_file_read(files->key, PEM_MAX, &config->key, pool));
    if (!is_pair(config->certificate, config->key))
        return idv_error_internal(pool, "%s is not the key of %s, in PEM form",
                                  files->key, files->certificate);
    IDV_TRY(read_file(files->signer, &signer, pool));
    config->signer = public_key_of(signer);
    ERR_clear_error();
    if (!config->signer)
        return idv_error_internal(
            pool, "%s contains neither a public key nor a certificate in PEM "
                  "form",
            files->signer);
    apr_pool_cleanup_register(pool, config->signer, free_key,
                              apr_pool_cleanup_null);
    return NULL;
}

/* --- an exchange --- */

typedef struct {
    idv_liveness_provider_t *provider;
    idv_provider_question_t question;
    idv_http_request_t request;
    idv_liveness_provider_done_t *done;
    void *baton;
    apr_pool_t *pool;
} exchange_t;

static void on_response(void *baton, const idv_http_response_t *response)
{
    exchange_t *exchange = baton;
    idv_worker_t *worker = exchange->provider->worker;
    idv_provider_answer_t *answer =
        apr_palloc(exchange->pool, sizeof(*answer));
    const char *code = idv_http_result_code(response->result);

    if (code)
        idv_provider_answer_missing(code, answer);
    else
        idv_provider_answer_read(
            (idv_bytes_t){(const unsigned char *)response->body,
                          response->body_length},
            &exchange->question, worker->config->liveness_provider->signer,
            idv_time_now(), answer, exchange->pool);
    if (answer->fault)
        idv_worker_log(worker, APLOG_WARNING, "IDV0840",
                       "the liveness provider gave no usable answer: %s (status "
                       "%d, %d ms)",
                       answer->fault, response->status_code,
                       response->duration_ms);
    exchange->done(exchange->baton, answer);
}

idv_error_t *idv_liveness_provider_ask(idv_liveness_provider_t *provider,
                                       const idv_provider_evidence_t *evidence,
                                       idv_liveness_provider_done_t *done,
                                       void *baton, apr_pool_t *pool)
{
    /* Without "Expect", the pictures go at once. */
    static const char *const headers[] = {
        "Content-Type: application/json", "Accept: application/jose",
        "Expect:", NULL};
    exchange_t *exchange = apr_pcalloc(pool, sizeof(*exchange));
    idv_bytes_t text;

    exchange->provider = provider;
    exchange->done = done;
    exchange->baton = baton;
    exchange->pool = pool;
    IDV_TRY(idv_provider_question_write(evidence, &exchange->question, &text,
                                        pool));
    idv_wipe_with_pool((void *)text.data, text.length, pool);
    exchange->request.url = provider->worker->config->liveness_provider->url;
    exchange->request.owner = ""; /* the operator chose the provider */
    exchange->request.headers = headers;
    exchange->request.body = (const char *)text.data;
    exchange->request.body_length = text.length;
    idv_http_client_send(provider->client, &exchange->request, on_response,
                         exchange, pool);
    return NULL;
}

idv_error_t *idv_liveness_provider_create(idv_worker_t *worker,
                                          idv_liveness_provider_t **out,
                                          apr_pool_t *pool)
{
    const idv_liveness_provider_config_t *config =
        worker->config->liveness_provider;
    const idv_http_client_config_t client_config = {
        .allowed = worker->config->webhook_allow,
        .ca_file = config->ca_file,
        .certificate = config->certificate,
        .key = config->key,
        .timeout = config->timeout,
        .kept_connections = IDV_LIVENESS_PROVIDER_EXCHANGES,
        .response_cap = IDV_PROVIDER_ANSWER_MAX,
        .body_kept = IDV_PROVIDER_ANSWER_MAX,
    };
    idv_liveness_provider_t *provider = apr_pcalloc(pool, sizeof(*provider));

    provider->worker = worker;
    *out = provider;
    return idv_worker_http_client_create(worker, &client_config,
                                         &provider->client, pool);
}
