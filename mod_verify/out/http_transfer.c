/* SPDX-License-Identifier: Apache-2.0 */
#include "out/http_transfer.h"

#include <ctype.h>
#include <string.h>
#include <sys/socket.h>

#include <apr_lib.h>
#include <apr_strings.h>

#include "out/address_guard.h"

#define HEADERS_KEPT 32       /* response headers that are reported */
#define HEADER_VALUE_KEPT 512 /* bytes of all headers of one name together */
#define FIRST_ROOM 4096       /* bytes that a body gets at first */
/* curl's buffers, in bytes, of which each exchange under way has its own; most
 * requests and responses need one kilobyte. */
#define RECEIVE_BUFFER 2048L
#define SEND_BUFFER 16384L /* the least that curl takes */

/* --- what arrives --- */

/* Makes room for NEEDED bytes of the body, of which no more than are kept. */
static void make_room(idv_http_transfer_t *transfer, apr_size_t needed)
{
    apr_size_t room = transfer->body_room ? transfer->body_room : FIRST_ROOM;
    char *body;

    if (needed <= transfer->body_room)
        return;
    while (room < needed)
        room *= 2;
    if (room > transfer->body_kept)
        room = transfer->body_kept;
    body = apr_palloc(transfer->pool, room);
    if (transfer->response.body_length)
        memcpy(body, transfer->body, transfer->response.body_length);
    transfer->body = body;
    transfer->body_room = room;
}

static size_t on_body(char *data, size_t size, size_t count, void *baton)
{
    idv_http_transfer_t *transfer = baton;
    size_t length = size * count, kept;

    transfer->received += length;
    if (transfer->received > transfer->response_cap) {
        transfer->is_too_large = 1;
        return 0;
    }
    kept = transfer->body_kept - transfer->response.body_length;
    if (kept > length)
        kept = length;
    if (kept) {
        make_room(transfer, transfer->response.body_length + kept);
        transfer->response.body = transfer->body;
        memcpy(transfer->body + transfer->response.body_length, data, kept);
        transfer->response.body_length += kept;
    }
    return length;
}

/* LENGTH bytes of TEXT as printable ASCII, cut to what is kept: a receiver's
 * header is stored and shown. */
static char *clean(const char *text, size_t length, apr_pool_t *pool)
{
    char *copy;

    if (length > HEADER_VALUE_KEPT)
        length = HEADER_VALUE_KEPT;
    copy = apr_pstrmemdup(pool, text, length);
    for (char *c = copy; c < copy + length; c++)
        if (*c < 0x20 || *c > 0x7e)
            *c = '?';
    return copy;
}

/* Adds a header. Values of the same name are joined, as long as they are short
 * together, because apr_table_mergen() copies all of them each time. */
static void add_header(idv_http_transfer_t *transfer, const char *name,
                       const char *value)
{
    const char *known = apr_table_get(transfer->headers, name);

    if (!known || strlen(known) + strlen(value) + 2 <= HEADER_VALUE_KEPT)
        apr_table_mergen(transfer->headers, name, value);
}

static void keep_header(idv_http_transfer_t *transfer, const char *line,
                        size_t length)
{
    const char *colon = memchr(line, ':', length), *value;
    char *name;

    if (!colon || colon == line
        || apr_table_elts(transfer->headers)->nelts >= HEADERS_KEPT)
        return;
    while (length && isspace((unsigned char)line[length - 1]))
        length--;
    value = colon + 1;
    while (value < line + length && isspace((unsigned char)*value))
        value++;
    name = clean(line, (size_t)(colon - line), transfer->pool);
    for (char *c = name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    add_header(
        transfer, name,
        clean(value,
              value < line + length ? (size_t)(line + length - value) : 0,
              transfer->pool));
}

/* The status of a status line (RFC 9112, section 4; HTTP/2 is given in the same
 * form); 0: LINE is none. */
static int read_status(const char *line, size_t length)
{
    const char *space = memchr(line, ' ', length);

    if (length < 12 || memcmp(line, "HTTP/", 5) != 0 || !space
        || space + 4 > line + length || !apr_isdigit(space[1])
        || !apr_isdigit(space[2]) || !apr_isdigit(space[3]))
        return 0;
    return 100 * (space[1] - '0') + 10 * (space[2] - '0') + space[3] - '0';
}

/* A status line begins the headers of a response: an interim one (1xx) is
 * followed by another. */
static void begin_headers(idv_http_transfer_t *transfer, int status)
{
    apr_table_clear(transfer->headers);
    transfer->response.status_code = status;
}

static size_t on_header(char *line, size_t size, size_t count, void *baton)
{
    idv_http_transfer_t *transfer = baton;
    size_t length = size * count;
    int status = read_status(line, length);

    transfer->header_bytes += length;
    if (transfer->header_bytes > IDV_HTTP_HEADERS_CAP) {
        transfer->is_too_large = 1;
        return 0;
    }
    if (status)
        begin_headers(transfer, status);
    else if (*line == '\r' || *line == '\n')
        transfer->has_headers = transfer->response.status_code >= 200;
    else
        keep_header(transfer, line, length);
    return length;
}

/* The guard at the last moment: checks the address that curl is about to dial,
 * wherever curl got it. */
static curl_socket_t on_open_socket(void *baton, curlsocktype purpose,
                                    struct curl_sockaddr *address)
{
    idv_http_transfer_t *transfer = baton;

    (void)purpose;
    if (idv_address_refusal(&address->addr, transfer->allowed)) {
        transfer->is_refused = 1;
        return CURL_SOCKET_BAD;
    }
    transfer->has_dialled = 1;
    return socket(address->family, address->socktype | SOCK_CLOEXEC,
                  address->protocol);
}

/* --- the options --- */

/* The first option that curl refuses ends the setting of them. */
#define SET(option, value)                                                     \
    do {                                                                       \
        CURLcode code = curl_easy_setopt(easy, option, value);                 \
                                                                               \
        if (code != CURLE_OK)                                                  \
            return code;                                                       \
    } while (0)

/* Presents the certificate of CONFIG to servers. The handle points to the key
 * and has no copy, which nobody would wipe. */
static CURLcode show_certificate(CURL *easy,
                                 const idv_http_client_config_t *config)
{
    struct curl_blob certificate = {(void *)config->certificate.data,
                                    config->certificate.length,
                                    CURL_BLOB_NOCOPY};
    struct curl_blob key = {(void *)config->key.data, config->key.length,
                            CURL_BLOB_NOCOPY};

    SET(CURLOPT_SSLCERTTYPE, "PEM");
    SET(CURLOPT_SSLCERT_BLOB, &certificate);
    SET(CURLOPT_SSLKEYTYPE, "PEM");
    SET(CURLOPT_SSLKEY_BLOB, &key);
    return CURLE_OK;
}

CURLcode idv_http_transfer_prepare(CURL *easy, CURLSH *share,
                                   const idv_http_client_config_t *config)
{
    SET(CURLOPT_SHARE, share);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_PROTOCOLS_STR, config->allows_plain ? "http,https" : "https");
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    /* The environment must not choose a proxy: it would dial for us. */
    SET(CURLOPT_PROXY, "");
    SET(CURLOPT_NOPROXY, "*");
    SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    SET(CURLOPT_HTTP_CONTENT_DECODING, 0L);
    SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    SET(CURLOPT_PIPEWAIT, 1L);
    SET(CURLOPT_TCP_KEEPALIVE, 1L);
    SET(CURLOPT_BUFFERSIZE, RECEIVE_BUFFER);
    SET(CURLOPT_UPLOAD_BUFFERSIZE, SEND_BUFFER);
    SET(CURLOPT_USERAGENT, IDV_HTTP_USER_AGENT);
    SET(CURLOPT_WRITEFUNCTION, on_body);
    SET(CURLOPT_HEADERFUNCTION, on_header);
    SET(CURLOPT_OPENSOCKETFUNCTION, on_open_socket);
    if (config->ca_file)
        SET(CURLOPT_CAINFO, config->ca_file);
    /* With a directory set, curl reads the file for each connection. */
    SET(CURLOPT_CAPATH, NULL);
    return config->certificate.length ? show_certificate(easy, config)
                                      : CURLE_OK;
}

/* A list of TEXTS for curl, which only reads it: so it may live in POOL. */
static struct curl_slist *make_list(const char *const *texts, apr_pool_t *pool)
{
    struct curl_slist *first = NULL, **end = &first;

    for (; *texts; texts++) {
        struct curl_slist *entry = apr_palloc(pool, sizeof(*entry));

        entry->data = (char *)*texts;
        entry->next = NULL;
        *end = entry;
        end = &entry->next;
    }
    return first;
}

CURLcode idv_http_transfer_begin(idv_http_transfer_t *transfer, CURL *easy)
{
    const idv_http_request_t *request = transfer->request;
    const char *const pins[] = {
        transfer->pin ? apr_pstrcat(transfer->pool, "+", transfer->pin, NULL)
                      : NULL,
        NULL};

    transfer->is_refused = transfer->is_too_large = 0;
    transfer->has_headers = transfer->has_dialled = 0;
    transfer->received = transfer->header_bytes = 0;
    transfer->body_room = 0;
    transfer->headers = apr_table_make(transfer->pool, 8);
    transfer->response = (idv_http_response_t){.headers = transfer->headers};
    SET(CURLOPT_RESOLVE, make_list(pins, transfer->pool));
    SET(CURLOPT_FRESH_CONNECT, (long)transfer->is_fresh);
    SET(CURLOPT_HTTP_VERSION, transfer->is_fresh
                                  ? (long)CURL_HTTP_VERSION_1_1
                                  : (long)CURL_HTTP_VERSION_2TLS);
    SET(CURLOPT_URL, request->url);
    if (request->body) {
        SET(CURLOPT_POST, 1L);
        SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
        SET(CURLOPT_POSTFIELDS, request->body);
    } else {
        SET(CURLOPT_HTTPGET, 1L);
    }
    SET(CURLOPT_HTTPHEADER, make_list(request->headers, transfer->pool));
    SET(CURLOPT_TIMEOUT_MS,
        (long)(transfer->timeout > 1 ? transfer->timeout : 1));
    SET(CURLOPT_WRITEDATA, transfer);
    SET(CURLOPT_HEADERDATA, transfer);
    SET(CURLOPT_OPENSOCKETDATA, transfer);
    return CURLE_OK;
}

#undef SET

/* --- the end --- */

/* The meaning of curl's failures; those not listed broke the connection. */
static const struct {
    CURLcode code;
    idv_http_result_t result;
} curl_results[] = {
    {CURLE_OK, IDV_HTTP_OK},
    {CURLE_COULDNT_RESOLVE_HOST, IDV_HTTP_DNS_ERROR},
    {CURLE_OPERATION_TIMEDOUT, IDV_HTTP_TIMEOUT},
    {CURLE_SSL_CONNECT_ERROR, IDV_HTTP_TLS_ERROR},
    {CURLE_PEER_FAILED_VERIFICATION, IDV_HTTP_TLS_ERROR},
    {CURLE_SSL_CERTPROBLEM, IDV_HTTP_TLS_ERROR},
    {CURLE_SSL_CIPHER, IDV_HTTP_TLS_ERROR},
    {CURLE_SSL_ISSUER_ERROR, IDV_HTTP_TLS_ERROR},
    {CURLE_SSL_CACERT_BADFILE, IDV_HTTP_TLS_ERROR},
    {CURLE_SSL_CRL_BADFILE, IDV_HTTP_TLS_ERROR},
    {CURLE_SSL_INVALIDCERTSTATUS, IDV_HTTP_TLS_ERROR},
    {CURLE_SSL_PINNEDPUBKEYNOTMATCH, IDV_HTTP_TLS_ERROR},
    {CURLE_SSL_CLIENTCERT, IDV_HTTP_TLS_ERROR},
    {CURLE_USE_SSL_FAILED, IDV_HTTP_TLS_ERROR},
    {CURLE_FILESIZE_EXCEEDED, IDV_HTTP_RESPONSE_TOO_LARGE},
};

static idv_http_result_t classify(const idv_http_transfer_t *transfer,
                                  CURLcode code)
{
    if (transfer->request->status_decides && transfer->has_headers)
        code = CURLE_OK;
    else if (transfer->is_too_large)
        return IDV_HTTP_RESPONSE_TOO_LARGE;
    if (code != CURLE_OK && transfer->is_refused)
        return IDV_HTTP_ADDRESS_FORBIDDEN;
    /* A server may answer in full, and end the stream, before it has read the
     * request (RFC 9113, 8.1); libcurl takes that for a broken stream. */
    if (code == CURLE_HTTP2_STREAM && transfer->response.status_code)
        code = CURLE_OK;
    /* curl takes a connection that ends within the headers for a response. */
    if (code == CURLE_OK && !transfer->has_headers)
        return IDV_HTTP_CONNECTION_REFUSED;
    if (code == CURLE_OK && transfer->response.status_code / 100 != 2)
        return IDV_HTTP_STATUS;
    for (size_t i = 0; i < sizeof(curl_results) / sizeof(*curl_results); i++)
        if (curl_results[i].code == code)
            return curl_results[i].result;
    return IDV_HTTP_CONNECTION_REFUSED;
}

void idv_http_transfer_end(idv_http_transfer_t *transfer, CURLcode code)
{
    if (code != CURLE_OK && transfer->response.status_code < 200)
        transfer->response.status_code = 0; /* no more than an interim one */
    transfer->response.result = classify(transfer, code);
}

/* A receiver that closes an idle connection, or an HTTP/2 stream before its
 * answer was seen, has not refused anything. */
int idv_http_transfer_met_old_end(const idv_http_transfer_t *transfer,
                                  CURLcode code)
{
    return transfer->response.result == IDV_HTTP_CONNECTION_REFUSED
        && !transfer->response.status_code && !transfer->is_fresh
        && (!transfer->has_dialled || code == CURLE_HTTP2_STREAM);
}
