/* SPDX-License-Identifier: Apache-2.0 */
/* What the reader of documents answers, which is not trusted. The program is
 * its own reader: started as one, it sends back the image that it was given. */
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fuzz/fuzz.h"

#include "domain/method/analysis_protocol.h"
#include "worker/method/analyzer.h"

#define PATIENCE (20 * IDV_SECOND)

/* --- the reader --- */

static int read_all(int stream, char *bytes, size_t length)
{
    for (size_t at = 0; at < length;) {
        ssize_t count = recv(stream, bytes + at, length - at, 0);

        if (count <= 0)
            return 0;
        at += (size_t)count;
    }
    return 1;
}

static void send_back(int stream)
{
    unsigned char counted[4];
    char header[IDV_ANALYZE_HEADER_MAX + 1] = "", *bytes;
    size_t length, at = 0;
    const char *found;

    promise(read_all(stream, (char *)counted, sizeof(counted)));
    length = (size_t)counted[2] << 8 | counted[3];
    promise(length <= IDV_ANALYZE_HEADER_MAX
            && read_all(stream, header, length));
    found = strstr(header, "\"length\":");
    promise(found != NULL);
    length = strtoul(found + strlen("\"length\":"), NULL, 10);
    bytes = malloc(length);
    promise(bytes && read_all(stream, bytes, length));
    while (at < length) {
        ssize_t count = send(stream, bytes + at, length - at, MSG_NOSIGNAL);

        if (count <= 0)
            break; /* who asked has heard enough */
        at += (size_t)count;
    }
    free(bytes);
    close(stream);
}

static int take_stream(void)
{
    char byte, space[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = space,
                             .msg_controllen = sizeof(space)};
    int stream;

    if (recvmsg(IDV_ANALYZE_CONTROL, &message, 0) != 1)
        return -1;
    memcpy(&stream, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(stream));
    return stream;
}

__attribute__((constructor)) static void become_reader(int count, char **words)
{
    int stream;

    if (count < 2 || strcmp(words[1], "--zygote") != 0)
        return;
    promise(send(IDV_ANALYZE_CONTROL, "none", 4, MSG_NOSIGNAL) == 4);
    while ((stream = take_stream()) >= 0)
        send_back(stream);
    _exit(0);
}

/* --- who asks it --- */

static idv_analyzer_t *analyzer_of(apr_pool_t *pool)
{
    static idv_analyzer_t *analyzer;
    static apr_pool_t *kept;
    const idv_analyzer_settings_t settings = {"/proc/self/exe", NULL, 1,
                                              IDV_ANALYSIS_ALL};

    if (!analyzer) {
        promise(apr_pool_create(&kept, NULL) == APR_SUCCESS);
        analyzer = idv_analyzer_create(&settings, kept);
    }
    while (!idv_analyzer_is_ready(analyzer)) {
        struct pollfd poller = {idv_analyzer_fd(analyzer), POLLIN, 0};

        if (poller.fd >= 0)
            promise(poll(&poller, 1, PATIENCE) == 1);
        promise(!idv_analyzer_tend(analyzer, idv_time_now(), pool));
    }
    return analyzer;
}

static idv_analysis_state_t wait_for_end(idv_analysis_t *analysis)
{
    idv_analysis_state_t state;

    while ((state = idv_analysis_step(analysis, idv_time_now()))
           == IDV_ANALYSIS_RUNNING) {
        struct pollfd poller = {idv_analysis_fd(analysis),
                                idv_analysis_events(analysis), 0};

        promise(poll(&poller, 1, PATIENCE) == 1);
    }
    return state;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    idv_analysis_request_t request = {
        .method = "document_capture",
        .now = idv_time_now(),
        .milliseconds = 1000,
        .part_count = 1,
        .parts = {{"front", {data, size}}},
    };
    size_t announced = 0;
    idv_analysis_t *analysis;
    idv_bytes_t findings;
    int is_whole;

    if (size >= 4)
        announced = (size_t)data[0] << 24 | (size_t)data[1] << 16
                  | (size_t)data[2] << 8 | data[3];
    is_whole = announced >= 1 && announced <= IDV_ANALYZE_FINDINGS_MAX
            && size - 4 >= announced;
    promise(!idv_analyzer_submit(analyzer_of(pool), &request,
                                 idv_time_now() + PATIENCE, &analysis, pool));
    promise((wait_for_end(analysis) == IDV_ANALYSIS_DONE) == is_whole);
    findings = idv_analysis_findings(analysis);
    promise(findings.length == (is_whole ? announced : 0));
    promise(!is_whole || memcmp(findings.data, data + 4, announced) == 0);
    apr_pool_destroy(pool);
    return 0;
}
