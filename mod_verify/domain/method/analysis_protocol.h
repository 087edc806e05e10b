/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_METHOD_ANALYSIS_PROTOCOL_H
#define IDV_DOMAIN_METHOD_ANALYSIS_PROTOCOL_H

/*
 * What the watchdog and verify-analyze say to each other: the limits, and the
 * only place where a message is encoded or decoded, for both sides. Neither of
 * the rooms worker and analyze includes the other.
 *
 * Control socket (AF_UNIX, SOCK_SEQPACKET, descriptor IDV_ANALYZE_CONTROL of
 * the zygote). The zygote sends one packet when it is ready: a line with the
 * names of the sandbox layers that hold and one with those of the others, which
 * may be empty. A zygote that cannot get ready sends IDV_ANALYZE_FAULT and the
 * reason as text instead, and ends. Then, for each submission, the client sends
 * a packet of the one byte IDV_ANALYZE_SUBMIT with one end of a stream socket
 * pair as SCM_RIGHTS. A closed control socket ends the zygote and its children.
 *
 * On the stream, lengths are 32-bit big-endian:
 *   request  length of the header, header, bytes of the parts in order
 *   answer   length of the findings, findings; then the stream is closed;
 *            a length of 0 and nothing else: reading this submission takes more
 *            than its time, and would again
 *
 * The header is a JSON object: {"version": 2, "method": value of
 * domain/method/method.h, "now": Unix milliseconds, "parts": [{"name": "front",
 * "length": bytes}, ...], "limits": {"milliseconds": processor time the readers
 * may take}}. What the parts are called and what findings look like is the
 * matter of the method (methods/document/document_findings.h). A stream that is
 * closed before a whole answer came means that the analysis failed for a
 * technical reason.
 *
 * The time of a submission is bounded by five limits, each there for what the
 * one before did not end. The readers begin nothing after `milliseconds` of
 * processor time. The child ends itself after IDV_ANALYZE_CPU_SECONDS of
 * processor time, or IDV_ANALYZE_WALL_SECONDS altogether; the kernel kills a
 * child that goes on for a second more of processor time, the zygote one that
 * is there IDV_ANALYZE_GRACE_SECONDS later or whose client has gone. The client
 * waits IDV_ANALYZE_CLIENT_SECONDS. Only processor time tells that the evidence
 * is at fault: a child that had little of it is a technical failure. Others wait
 * for a submission for IDV_ANALYZE_PATIENCE_SECONDS: then its child yields the
 * processor to later ones, and the client takes the next submission besides.
 *
 * Nothing here reads or writes a descriptor. Memory: results live in the given
 * pool. Threads: pure. Failures: internal errors, which never name a value: the
 * bytes are from a process that a stranger's evidence may have taken over.
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
    IDV_ANALYZE_PARTS_MAX = 32,               /* of the evidence and besides */
    IDV_ANALYZE_PART_MAX = 20 * 1024 * 1024,  /* bytes */
    IDV_ANALYZE_FINDINGS_MAX = 1024 * 1024,   /* bytes */
    IDV_ANALYZE_MILLISECONDS = 4000, /* that the readers are usually given */
    IDV_ANALYZE_MILLISECONDS_MAX = 20000, /* for limits.milliseconds */
    IDV_ANALYZE_PATIENCE_SECONDS = 5, /* that others wait for a submission */
    IDV_ANALYZE_CPU_SECONDS = 8,
    IDV_ANALYZE_WALL_SECONDS = 30,
    IDV_ANALYZE_GRACE_SECONDS = 2,
    IDV_ANALYZE_CLIENT_SECONDS = 40
};

/* --- who reads what --- */

/* Forking a process that has the models loaded, which are a hundred megabytes,
 * costs more processor time than checking a signed document does. So there are
 * two zygotes, each for the methods of one kind. */
typedef enum {
    IDV_ANALYSIS_ALL,      /* no zygote of the watchdog: tools and tests */
    IDV_ANALYSIS_SIGNED,   /* wallets and chips: no models */
    IDV_ANALYSIS_PICTURES, /* photos of documents and faces */
    IDV_ANALYSIS_KIND_COUNT
} idv_analysis_kind_t;

/* The kind of METHOD, SIGNED or PICTURES. */
idv_analysis_kind_t idv_analysis_kind(idv_method_t method);

/* The value on the command line ("signed"), and back; KIND_COUNT for what is
 * none. */
const char *idv_analysis_kind_value(idv_analysis_kind_t kind);
idv_analysis_kind_t idv_analysis_kind_parse(const char *value);

/* --- a request --- */

/* One piece of evidence, such as a photo. */
typedef struct {
    const char *name;  /* what it is to the method: "front", "back" */
    idv_bytes_t bytes; /* 1 to IDV_ANALYZE_PART_MAX */
} idv_analysis_part_t;

typedef struct {
    const char *method; /* "document_capture" */
    idv_time_t now;     /* the moment of the check */
    int milliseconds;   /* the readers' time, of the processor */
    int part_count;     /* 1 to IDV_ANALYZE_PARTS_MAX */
    idv_analysis_part_t parts[IDV_ANALYZE_PARTS_MAX];
} idv_analysis_request_t;

/* What stands before the parts on the stream: the length and the header. The
 * parts follow as they are, in order. */
idv_error_t *idv_analysis_request_encode(const idv_analysis_request_t *request,
                                         idv_bytes_t *head,
                                         apr_pool_t *pool) IDV_CHECKED;

/* The request that the HEADER, without its length, announces: its parts have a
 * length, which is within the limits, and no data. Internal error for another
 * version and for anything beyond the limits. */
idv_error_t *idv_analysis_request_decode(idv_bytes_t header,
                                         idv_analysis_request_t *request,
                                         apr_pool_t *pool) IDV_CHECKED;

/* --- lengths --- */

/* LENGTH in the IDV_ANALYZE_LENGTH_SIZE bytes TO, and back. Safe in signal
 * handlers. */
void idv_analysis_length_encode(apr_size_t length, unsigned char *to);
apr_size_t idv_analysis_length_decode(const unsigned char *from);

/* --- an answer --- */

typedef enum {
    IDV_ANALYSIS_ANSWER_PARTIAL,  /* more bytes are to come */
    IDV_ANALYSIS_ANSWER_FINDINGS, /* whole findings, not validated yet */
    IDV_ANALYSIS_ANSWER_TOO_LONG, /* it would take more than its time */
    IDV_ANALYSIS_ANSWER_BROKEN    /* no answer of this protocol */
} idv_analysis_answer_state_t;

typedef struct {
    idv_analysis_answer_state_t state;
    apr_size_t missing;   /* PARTIAL: bytes that are to come at least */
    idv_bytes_t findings; /* FINDINGS: a part of what was decoded */
} idv_analysis_answer_t;

/* What an answer with FINDINGS begins with; the findings follow. Internal error
 * when they are empty or longer than IDV_ANALYZE_FINDINGS_MAX. */
idv_error_t *idv_analysis_answer_encode(
    idv_bytes_t findings, unsigned char head[IDV_ANALYZE_LENGTH_SIZE],
    apr_pool_t *pool) IDV_CHECKED;

/* What the bytes RECEIVED so far amount to. Who reads `missing` bytes each time
 * reads none behind the answer, and at most IDV_ANALYZE_ANSWER_MAX in all. */
#define IDV_ANALYZE_ANSWER_MAX                                                 \
    ((apr_size_t)IDV_ANALYZE_LENGTH_SIZE + IDV_ANALYZE_FINDINGS_MAX)
idv_analysis_answer_t idv_analysis_answer_decode(idv_bytes_t received);

/* --- readiness --- */

/* What the zygote's first packet says; texts are never NULL but FAULT. */
typedef struct {
    const char *fault;   /* why it cannot serve; NULL: it can */
    const char *layers;  /* of the sandbox that hold, by name */
    const char *missing; /* those that this machine does not allow */
} idv_analysis_readiness_t;

/* The packet, cut at IDV_ANALYZE_READY_MAX bytes. */
idv_bytes_t
idv_analysis_readiness_encode(const idv_analysis_readiness_t *readiness,
                              apr_pool_t *pool);
void idv_analysis_readiness_decode(idv_bytes_t packet,
                                   idv_analysis_readiness_t *readiness,
                                   apr_pool_t *pool);

#endif
