/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_METHOD_ANALYSIS_PROTOCOL_H
#define IDV_DOMAIN_METHOD_ANALYSIS_PROTOCOL_H

/*
 * The protocol between the watchdog and verify-analyze: its limits, and the
 * only encoder and decoder of its messages, for both sides. Neither of the
 * rooms worker and analyze includes the other.
 *
 * Control socket (AF_UNIX, SOCK_SEQPACKET, descriptor IDV_ANALYZE_CONTROL of
 * the zygote). When it is ready, the zygote sends one packet of two lines: the
 * names of the active sandbox layers, and the names of the missing ones
 * (possibly empty). A zygote that cannot start sends IDV_ANALYZE_FAULT and the
 * reason as text instead, and exits. For each submission the client then sends
 * a packet of the one byte IDV_ANALYZE_SUBMIT with one end of a stream socket
 * pair as SCM_RIGHTS. Closing the control socket ends the zygote and its
 * children.
 *
 * On the stream, lengths are 32-bit big-endian:
 *   request  length of the header, header, bytes of the parts in order
 *   answer   length of the findings, findings; then the stream is closed;
 *            a length of 0 and nothing else: reading this submission exceeds
 *            its time limit, and would do so again
 *
 * The header is a JSON object: {"version": 2, "method": value of
 * domain/method/method.h, "now": Unix milliseconds, "parts": [{"name": "front",
 * "length": bytes}, ...], "limits": {"milliseconds": processor time for the
 * readers}}. The method defines the names of parts and the form of findings
 * (methods/document/document_findings.h). If the stream closes before a
 * complete answer, the analysis failed for a technical reason.
 *
 * Five limits bound the time of a submission; each one backs up the one before
 * it. Readers start nothing after `milliseconds` of processor time. The child
 * exits after IDV_ANALYZE_CPU_SECONDS of processor time or
 * IDV_ANALYZE_WALL_SECONDS of wall-clock time. The kernel kills a child that
 * uses one more second of processor time; the zygote kills a child that still
 * runs IDV_ANALYZE_GRACE_SECONDS later or whose client is gone. The client
 * waits IDV_ANALYZE_CLIENT_SECONDS. Only processor time proves that the
 * evidence is at fault: a child that received little of it is a technical
 * failure. Other submissions wait IDV_ANALYZE_PATIENCE_SECONDS for one; then
 * its child yields the processor to later ones, and the client starts the next
 * submission in parallel.
 *
 * This file does not read or write descriptors. Memory: results live in the
 * given pool. Threads: pure. Failures: internal errors, which never contain a
 * value: the bytes come from a process that hostile evidence may have
 * compromised.
 */
#include "core/clock.h"
#include "core/crypto.h"
#include "domain/method/method.h"

#define IDV_ANALYZE_CONTROL 3
#define IDV_ANALYZE_SUBMIT 'S'
#define IDV_ANALYZE_FAULT '!'
#define IDV_ANALYZE_VERSION 2

enum {
    IDV_ANALYZE_READY_MAX = 1024,             /* bytes of the first packet */
    IDV_ANALYZE_LENGTH_SIZE = 4,              /* bytes of a length */
    IDV_ANALYZE_HEADER_MAX = 4096,            /* bytes */
    IDV_ANALYZE_PARTS_MAX = 32,               /* evidence and additional
                                               * parts */
    IDV_ANALYZE_PART_MAX = 20 * 1024 * 1024,  /* bytes */
    IDV_ANALYZE_FINDINGS_MAX = 1024 * 1024,   /* bytes */
    IDV_ANALYZE_MILLISECONDS = 4000, /* default time of the readers */
    IDV_ANALYZE_MILLISECONDS_MAX = 20000, /* maximum of limits.milliseconds */
    IDV_ANALYZE_PATIENCE_SECONDS = 5, /* wait of other submissions */
    IDV_ANALYZE_CPU_SECONDS = 8,
    IDV_ANALYZE_WALL_SECONDS = 30,
    IDV_ANALYZE_GRACE_SECONDS = 2,
    IDV_ANALYZE_CLIENT_SECONDS = 40
};

/* --- division of work --- */

/* Forking a process with the models loaded (a hundred megabytes) costs more
 * processor time than checking a signed document. So there are two zygotes, one
 * per kind of method. */
typedef enum {
    IDV_ANALYSIS_ALL,      /* not a zygote of the watchdog: tools and tests */
    IDV_ANALYSIS_SIGNED,   /* wallets and chips: no models */
    IDV_ANALYSIS_PICTURES, /* photos of documents and faces */
    IDV_ANALYSIS_KIND_COUNT
} idv_analysis_kind_t;

/* The kind of METHOD, SIGNED or PICTURES. */
idv_analysis_kind_t idv_analysis_kind(idv_method_t method);

/* The command line value ("signed") and its parsing; KIND_COUNT for any other
 * text. */
const char *idv_analysis_kind_value(idv_analysis_kind_t kind);
idv_analysis_kind_t idv_analysis_kind_parse(const char *value);

/* --- a request --- */

/* One piece of evidence, for example a photo. */
typedef struct {
    const char *name;  /* role in the method: "front", "back" */
    idv_bytes_t bytes; /* 1 to IDV_ANALYZE_PART_MAX */
} idv_analysis_part_t;

typedef struct {
    const char *method; /* "document_capture" */
    idv_time_t now;     /* the time of the check */
    int milliseconds;   /* processor time for the readers */
    int part_count;     /* 1 to IDV_ANALYZE_PARTS_MAX */
    idv_analysis_part_t parts[IDV_ANALYZE_PARTS_MAX];
} idv_analysis_request_t;

/* The start of the stream: length and header. The parts follow unchanged, in
 * order. */
idv_error_t *idv_analysis_request_encode(const idv_analysis_request_t *request,
                                         idv_bytes_t *head,
                                         apr_pool_t *pool) IDV_CHECKED;

/* The request announced by HEADER (without its length); its parts have a length
 * within the limits, and no data. Internal error for another version or for
 * values beyond the limits. */
idv_error_t *idv_analysis_request_decode(idv_bytes_t header,
                                         idv_analysis_request_t *request,
                                         apr_pool_t *pool) IDV_CHECKED;

/* --- lengths --- */

/* Writes LENGTH to the IDV_ANALYZE_LENGTH_SIZE bytes TO, and reads it back.
 * Async-signal-safe. */
void idv_analysis_length_encode(apr_size_t length, unsigned char *to);
apr_size_t idv_analysis_length_decode(const unsigned char *from);

/* --- an answer --- */

typedef enum {
    IDV_ANALYSIS_ANSWER_PARTIAL,  /* incomplete */
    IDV_ANALYSIS_ANSWER_FINDINGS, /* complete findings, not validated yet */
    IDV_ANALYSIS_ANSWER_TOO_LONG, /* the analysis would exceed its time limit */
    IDV_ANALYSIS_ANSWER_BROKEN    /* not an answer of this protocol */
} idv_analysis_answer_state_t;

typedef struct {
    idv_analysis_answer_state_t state;
    apr_size_t missing;   /* PARTIAL: minimum number of bytes to come */
    idv_bytes_t findings; /* FINDINGS: part of the decoded buffer */
} idv_analysis_answer_t;

/* The start of an answer with FINDINGS, which follow it. Internal error if they
 * are empty or longer than IDV_ANALYZE_FINDINGS_MAX. */
idv_error_t *idv_analysis_answer_encode(
    idv_bytes_t findings, unsigned char head[IDV_ANALYZE_LENGTH_SIZE],
    apr_pool_t *pool) IDV_CHECKED;

/* Interprets the bytes RECEIVED so far. A caller that reads `missing` bytes
 * each time never reads past the answer, and at most IDV_ANALYZE_ANSWER_MAX in
 * all. */
#define IDV_ANALYZE_ANSWER_MAX                                                 \
    ((apr_size_t)IDV_ANALYZE_LENGTH_SIZE + IDV_ANALYZE_FINDINGS_MAX)
idv_analysis_answer_t idv_analysis_answer_decode(idv_bytes_t received);

/* --- readiness --- */

/* Content of the zygote's first packet; only FAULT can be NULL. */
typedef struct {
    const char *fault;   /* why it cannot serve; NULL: it can */
    const char *layers;  /* names of the active sandbox layers */
    const char *missing; /* layers that this machine does not permit */
} idv_analysis_readiness_t;

/* The packet, truncated to IDV_ANALYZE_READY_MAX bytes. */
idv_bytes_t
idv_analysis_readiness_encode(const idv_analysis_readiness_t *readiness,
                              apr_pool_t *pool);
void idv_analysis_readiness_decode(idv_bytes_t packet,
                                   idv_analysis_readiness_t *readiness,
                                   apr_pool_t *pool);

#endif
