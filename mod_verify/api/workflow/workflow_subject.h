/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_API_WORKFLOW_WORKFLOW_SUBJECT_H
#define IDV_API_WORKFLOW_WORKFLOW_SUBJECT_H

/*
 * The workflow definition a request is about: one in the request, a draft's or
 * a version's. Routes that compile, walk or compare definitions read exactly
 * one of the members `definition`, `draft_id` and `version_id`. Their input has
 * an idv_subject_input_t named `subject`, and their table begins with
 * IDV_SUBJECT_PARAMETERS(struct).
 *
 * The database is read only for a draft or a version. Its connection is given
 * back before compiling, which does not need it.
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

/* Members of a definition; the compiler checks their names. */
#define IDV_SUBJECT_MEMBERS_MAX 1000

typedef struct {
    const json_t *definition;
    const char *workflow_id; /* of a draft or a version; NULL: neither */
    const char *version_id;  /* of a version; NULL: not a version */
} idv_subject_t;

/* Finds the definition that INPUT names. `parameter_invalid` at `definition`
 * unless exactly one is given; `resource_missing`. */
idv_error_t *idv_subject_find(idv_request_t *request,
                              const idv_subject_input_t *input,
                              idv_subject_t *subject) IDV_CHECKED;

/* Compiles the workflow of SUBJECT; `workflow_invalid` if it has faults. */
idv_error_t *idv_subject_compile(const idv_request_t *request,
                                 const idv_subject_t *subject,
                                 idv_workflow_t **workflow) IDV_CHECKED;

#endif
