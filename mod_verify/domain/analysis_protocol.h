/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_ANALYSIS_PROTOCOL_H
#define IDV_DOMAIN_ANALYSIS_PROTOCOL_H

/*
 * What the watchdog and verify-analyze say to each other. Constants only, for
 * the rooms worker and analyze, neither of which includes the other.
 *
 * Control socket (AF_UNIX, SOCK_SEQPACKET, descriptor IDV_ANALYZE_CONTROL of
 * the zygote). The zygote sends one packet when it is ready: a line with the
 * names of the sandbox layers that hold and one with those of the others, which
 * may be empty. A zygote that cannot get ready sends IDV_ANALYZE_FAULT and the
 * reason as text instead, and ends. Then, for each submission, the client sends a
 * packet of the one byte IDV_ANALYZE_SUBMIT with one end of a stream socket
 * pair as SCM_RIGHTS. A closed control socket ends the zygote and its children.
 *
 * On the stream, lengths are 32-bit big-endian:
 *   request   length of the header, header, bytes of the images in order
 *   response  length of the findings, findings; then the stream is closed;
 *             a length of 0 and nothing else: these images take more than the
 *             time of one submission, and would again
 *
 * The header is a JSON object: {"version": 1, "now": Unix milliseconds,
 * "sides": [{"name": "front", "length": bytes}, ...], "limits":
 * {"milliseconds": processor time the readers may take}}. The findings are the format of
 * methods/document/document_findings.h. A stream that is closed before a whole
 * response came means that the analysis failed for a technical reason.
 *
 * The time of a submission is bounded by five limits, each there for what the
 * one before did not end. The readers begin nothing after `milliseconds` of
 * processor time. The child ends itself after IDV_ANALYZE_CPU_SECONDS of
 * processor time, or IDV_ANALYZE_WALL_SECONDS altogether; the kernel kills a
 * child that goes on for a second more of processor time, the zygote one that
 * is there IDV_ANALYZE_GRACE_SECONDS later or whose client has gone. The client
 * waits IDV_ANALYZE_CLIENT_SECONDS. Only processor time tells that the images
 * are at fault: a child that had little of it is a technical failure.
 */
#define IDV_ANALYZE_CLASSIFIER "mrz_classifier.bin" /* in VerifyModels */
#define IDV_ANALYZE_TRAINED "ocrb_int" /* .traineddata, there too */
#define IDV_ANALYZE_CONTROL 3
#define IDV_ANALYZE_SUBMIT 'S'
#define IDV_ANALYZE_FAULT '!'
#define IDV_ANALYZE_VERSION 1

enum {
    IDV_ANALYZE_READY_MAX = 1024,         /* bytes of the first packet */
    IDV_ANALYZE_HEADER_MAX = 4096,        /* bytes */
    IDV_ANALYZE_SIDES_MAX = 2,            /* images */
    IDV_ANALYZE_FINDINGS_MAX = 64 * 1024, /* bytes */
    IDV_ANALYZE_MILLISECONDS = 4000, /* that the readers are usually given */
    IDV_ANALYZE_MILLISECONDS_MAX = 20000, /* for limits.milliseconds */
    IDV_ANALYZE_CPU_SECONDS = 8,
    IDV_ANALYZE_WALL_SECONDS = 30,
    IDV_ANALYZE_GRACE_SECONDS = 2,
    IDV_ANALYZE_CLIENT_SECONDS = 40
};

#endif
