/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/workflow_warning.h"

#include <apr_strings.h>

#include "core/json_pointer.h"

#define SHORT_EXPIRY (300 * IDV_SECOND) /* few persons are done sooner */

static void warn(apr_array_header_t *warnings, const char *pointer,
                 const char *message)
{
    idv_workflow_fault_t *warning = apr_array_push(warnings);

    warning->pointer = pointer;
    warning->message = message;
}

static void look_at_settings(const idv_workflow_t *workflow,
                             apr_array_header_t *warnings)
{
    if (idv_workflow_allows_type(workflow, IDV_SESSION_TYPE_AGE)
        && workflow->use_case == IDV_USE_CASE_NONE
        && workflow->required_age_tier == IDV_TIER_NONE)
        warn(warnings, "/required_age_tier",
             "Neither this nor use_case is given: sessions of type age ask for "
             "no age, and pass at any.");
    if (workflow->expires_after < SHORT_EXPIRY)
        warn(warnings, "/expires_after_seconds",
             "Few persons are done within five minutes.");
    if (workflow->on_doubt[IDV_DOUBT_DOCUMENT_REUSED] == IDV_ON_DOUBT_NOTED)
        warn(warnings, "/on_document_reused",
             "Whoever shows a document that was somebody else's passes; it is "
             "noted in the results alone.");
}

/* Non-zero when the checks of NODE decide nothing. */
static int is_indifferent(const idv_workflow_node_t *node)
{
    return node->type == IDV_NODE_CHECKS
        && node->next[IDV_EXIT_LOW] == node->next[IDV_EXIT_MEDIUM]
        && node->next[IDV_EXIT_LOW] == node->next[IDV_EXIT_HIGH];
}

static void look_at_node(const idv_workflow_t *workflow,
                         const idv_workflow_node_t *node,
                         apr_array_header_t *warnings, apr_pool_t *pool)
{
    const char *pointer = idv_json_pointer_member("/nodes", node->id, pool);

    if (is_indifferent(node))
        warn(warnings, apr_pstrcat(pool, pointer, "/next", NULL),
             "All levels of risk lead to the same node: these checks decide "
             "nothing.");
    if (node->min_assurance == IDV_ASSURANCE_DECODED
        && (idv_workflow_allows_type(workflow, IDV_SESSION_TYPE_IDENTITY)
            || idv_workflow_allows_type(workflow, IDV_SESSION_TYPE_STUDENT)))
        warn(warnings, apr_pstrcat(pool, pointer, "/min_assurance", NULL),
             "One unsigned code is enough here, also in sessions that are about "
             "who somebody is: it names whomever its maker wants.");
}

apr_array_header_t *idv_workflow_warnings(const idv_workflow_t *workflow,
                                          apr_pool_t *pool)
{
    apr_array_header_t *warnings =
        apr_array_make(pool, 4, sizeof(idv_workflow_fault_t));

    look_at_settings(workflow, warnings);
    for (int i = 0; i < workflow->node_count; i++)
        look_at_node(workflow, &workflow->nodes[i], warnings, pool);
    return warnings;
}
