/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_WEBHOOK_EVENT_H
#define IDV_DOMAIN_WEBHOOK_EVENT_H

/*
 * Events: the object sent, subscriptions of endpoints, and test events.
 *
 * A test event has a complete object like a real event of its type, but cannot
 * be mistaken for one: it has the additional member `test`, which is true,
 * `livemode` false if the object has that member, and impossible ids, all zeros
 * after the prefix.
 *
 * Memory: results live in the given pool. Threads: pure.
 */
#include "core/clock.h"
#include "core/json.h"
#include "domain/value/event_type.h"

/* The text of the event {id, object, type, created, data: {object}}; OBJECT is
 * the text of the snapshot. */
const char *idv_event_body(const char *id, idv_event_type_t type,
                           idv_time_t created, const char *object,
                           apr_pool_t *pool);

/* Checks `enabled_events` at PARAM: a non-empty array of known types without
 * repetition, or the single value `*`. */
idv_error_t *idv_event_subscription_check(const json_t *value,
                                          const char *param,
                                          apr_pool_t *pool) IDV_CHECKED;

/* Context of a test event. */
typedef struct {
    const char *organization_id; /* of the tested endpoint */
    idv_time_t now;
} idv_event_sample_t;

/* `data.object` of a test event of TYPE, owned by POOL. */
json_t *idv_event_sample_json(const idv_event_sample_t *sample,
                              idv_event_type_t type, apr_pool_t *pool);

/* The id of the object: `id`, or `session_id`, `verified_person_id` or
 * `workflow_id` if it has none. */
const char *idv_event_sample_object_id(const json_t *object);

#endif
