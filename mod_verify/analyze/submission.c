/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/submission.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads exactly LENGTH bytes. */
static idv_error_t *receive(int stream, void *buffer, apr_size_t length,
                            apr_pool_t *pool)
{
    char *at = buffer;

    while (length > 0) {
        ssize_t count = read(stream, at, length);

        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return idv_error_apr(pool, errno, "cannot read from the stream");
        if (count == 0)
            return idv_error_internal(pool, "the stream ended early");
        at += count;
        length -= (apr_size_t)count;
    }
    return NULL;
}

static idv_error_t *send_all(int stream, const void *buffer, apr_size_t length,
                             apr_pool_t *pool)
{
    const char *at = buffer;

    while (length > 0) {
        ssize_t count = write(stream, at, length);

        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return idv_error_apr(pool, errno, "cannot write to the stream");
        at += count;
        length -= (apr_size_t)count;
    }
    return NULL;
}

static apr_status_t free_bytes(void *data)
{
    free(data);
    return APR_SUCCESS;
}

/* Not allocated from the pool: a pool that cannot grow ends the process. */
static idv_error_t *receive_part(int stream, idv_bytes_t *bytes,
                                 apr_pool_t *pool)
{
    unsigned char *data = malloc(bytes->length);

    if (!data)
        return idv_error_internal(pool, "no memory for a part of a submission");
    apr_pool_cleanup_register(pool, data, free_bytes, apr_pool_cleanup_null);
    IDV_TRY(receive(stream, data, bytes->length, pool));
    bytes->data = data;
    return NULL;
}

idv_error_t *idv_submission_receive(int stream, idv_analysis_request_t *request,
                                    apr_pool_t *pool)
{
    unsigned char counted[IDV_ANALYZE_LENGTH_SIZE];
    unsigned char header[IDV_ANALYZE_HEADER_MAX];
    apr_size_t length;

    IDV_TRY(receive(stream, counted, sizeof(counted), pool));
    length = idv_analysis_length_decode(counted);
    if (length > sizeof(header))
        return idv_error_internal(pool, "a request with too long a header");
    IDV_TRY(receive(stream, header, length, pool));
    IDV_TRY(idv_analysis_request_decode((idv_bytes_t){header, length}, request,
                                        pool));
    for (int i = 0; i < request->part_count; i++)
        IDV_TRY(receive_part(stream, &request->parts[i].bytes, pool));
    return NULL;
}

idv_error_t *idv_submission_send(int stream,
                                 const idv_analysis_request_t *request,
                                 apr_pool_t *pool)
{
    idv_bytes_t head;

    IDV_TRY(idv_analysis_request_encode(request, &head, pool));
    IDV_TRY(send_all(stream, head.data, head.length, pool));
    for (int i = 0; i < request->part_count; i++)
        IDV_TRY(send_all(stream, request->parts[i].bytes.data,
                         request->parts[i].bytes.length, pool));
    return NULL;
}

idv_error_t *idv_findings_send(int stream, idv_bytes_t findings,
                               apr_pool_t *pool)
{
    unsigned char head[IDV_ANALYZE_LENGTH_SIZE];

    IDV_TRY(idv_analysis_answer_encode(findings, head, pool));
    IDV_TRY(send_all(stream, head, sizeof(head), pool));
    return send_all(stream, findings.data, findings.length, pool);
}

void idv_findings_send_time_out(int stream)
{
    unsigned char head[IDV_ANALYZE_LENGTH_SIZE];
    int before = errno;

    idv_analysis_length_encode(0, head);
    /* If four bytes do not fit into the buffer, nobody is reading. */
    if (write(stream, head, sizeof(head)) < 0)
        errno = before;
}

void idv_findings_send_at_end(int stream, idv_bytes_t findings)
{
    unsigned char head[IDV_ANALYZE_LENGTH_SIZE];
    const idv_bytes_t pieces[] = {{head, sizeof(head)}, findings};

    idv_analysis_length_encode(findings.length, head);
    for (int i = 0; i < 2; i++)
        for (apr_size_t at = 0; at < pieces[i].length;) {
            ssize_t count =
                write(stream, pieces[i].data + at, pieces[i].length - at);

            if (count < 0 && errno != EINTR)
                return;
            at += count > 0 ? (apr_size_t)count : 0;
        }
}

idv_error_t *idv_findings_receive(int stream, idv_bytes_t *findings,
                                  apr_pool_t *pool)
{
    unsigned char *data = apr_palloc(pool, IDV_ANALYZE_ANSWER_MAX);
    idv_bytes_t received = {data, 0};
    idv_analysis_answer_t answer = idv_analysis_answer_decode(received);

    while (answer.state == IDV_ANALYSIS_ANSWER_PARTIAL) {
        IDV_TRY(receive(stream, data + received.length, answer.missing, pool));
        received.length += answer.missing;
        answer = idv_analysis_answer_decode(received);
    }
    if (answer.state == IDV_ANALYSIS_ANSWER_BROKEN)
        return idv_error_internal(pool, "a response of another protocol "
                                        "version");
    /* An answer that says TOO_LONG has findings of length 0. */
    *findings = (idv_bytes_t){data + IDV_ANALYZE_LENGTH_SIZE,
                              answer.findings.length};
    return NULL;
}
