/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_WORKFLOW_WORKFLOW_SUBJECT_H
#define IDV_API_WORKFLOW_WORKFLOW_SUBJECT_H

/*
 * Which definition a request is about: one that it brings, a draft's or a
 * version's. Routes that compile, walk or compare definitions read exactly one
 * of the members `definition`, `draft_id` and `version_id`; their input has an
 * idv_subject_input_t named `subject`, and their table begins with
 * IDV_SUBJECT_PARAMETERS(struct).
 *
 * The database is asked for a draft or a version alone, and its connection is
 * given back before anything is compiled: compiling has no need of it.
 *
 * Memory: the request's pool. Threads: that of the request.
 */
#include "api/http/request.h"
#include "domain/workflow/workflow_compile.h"

typedef struct {
    const json_t *definition;
    const char *draft_id;
    const char *version_id;
} idv_subject_input_t;

#define IDV_SUBJECT_PARAMETERS(type)                                           \
    IDV_PARAMETER_AS(OBJECT, type, definition, subject.definition, 0, 0,       \
                     IDV_SUBJECT_MEMBERS_MAX),                                 \
        IDV_PARAMETER_AS(ID, type, draft_id, subject.draft_id, 0,              \
                         IDV_ID_WORKFLOW_DRAFT, 0),                            \
        IDV_PARAMETER_AS(ID, type, version_id, subject.version_id, 0,          \
                         IDV_ID_WORKFLOW_VERSION, 0)

/* Members of a definition; the compiler knows which of them there are. */
#define IDV_SUBJECT_MEMBERS_MAX 1000

typedef struct {
    const json_t *definition;
    const char *workflow_id; /* of a draft or a version; NULL: of neither */
    const char *version_id;  /* likewise, of a version */
} idv_subject_t;

/* Finds what INPUT names. `parameter_invalid` at `definition` unless that is
 * one; `resource_missing`. */
idv_error_t *idv_subject_find(idv_request_t *request,
                              const idv_subject_input_t *input,
                              idv_subject_t *subject) IDV_CHECKED;

/* The workflow of SUBJECT; `workflow_invalid` when it has faults. */
idv_error_t *idv_subject_compile(const idv_request_t *request,
                                 const idv_subject_t *subject,
                                 idv_workflow_t **workflow) IDV_CHECKED;

#endif
