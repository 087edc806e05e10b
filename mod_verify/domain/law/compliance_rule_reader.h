/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_LAW_COMPLIANCE_RULE_READER_H
#define IDV_DOMAIN_LAW_COMPLIANCE_RULE_READER_H

/*
 * Reads one rule of a file of compliance rules: its members, one by one over
 * what is inherited, and what is wrong with them. For the reader of whole
 * files, compliance_rules.c, alone.
 *
 * Memory: what a rule keeps is copied to the pool of the set, faults live in
 * the pool of their array. Threads: those of compliance_rules.h. Nothing fails:
 * a fault is added, and reading goes on.
 */
#include "domain/law/compliance_rules.h"

/* A place in the document that is being read. */
typedef struct {
    apr_pool_t *pool;    /* of the rule set */
    apr_pool_t *scratch; /* of the reading */
    const char *file;
    const char *rule_version;
    apr_array_header_t *faults;
    const char *pointer; /* RFC 6901 */
} idv_compliance_place_t;

#define IDV_COMPLIANCE_STATUSES(X)                                             \
    X(IN_FORCE, "in_force")                                                    \
    X(ENACTED, "enacted")                                                      \
    X(ENJOINED, "enjoined")

typedef enum {
#define X(name, value) IDV_COMPLIANCE_##name,
    IDV_COMPLIANCE_STATUSES(X)
#undef X
        IDV_COMPLIANCE_STATUS_COUNT
} idv_compliance_status_t;

/* Days since 1970-01-01; the days that bound no time. */
typedef apr_int64_t idv_compliance_day_t;
#define IDV_COMPLIANCE_ALWAYS APR_INT64_MIN
#define IDV_COMPLIANCE_FOREVER APR_INT64_MAX

/* For what and when a rule holds. */
typedef struct {
    unsigned articles;     /* bits 1 << idv_article_t; 0: all of the product */
    idv_channel_t channel; /* IN_PERSON: every channel */
    idv_compliance_day_t from;  /* ALWAYS: since when was not established */
    idv_compliance_day_t until; /* the first day on which it does not hold */
    idv_compliance_status_t status;
} idv_compliance_term_t;

/* How sure a part of a rule is, and what it adds in words. */
typedef struct {
    idv_confidence_t confidence;
    const char *note; /* NULL: nothing; lives as long as the rule set */
} idv_compliance_remark_t;

/* A rule while it is put together: what a session needs to know does not say
 * whether a member is unknown or false. */
typedef struct {
    idv_compliance_rule_t rule;
    idv_compliance_term_t term; /* of the rule that was read last */
    int prohibition_known;
    int age_known;
    /* Of the parts that set the prohibition and the age, and of the most
     * specific part. */
    idv_compliance_remark_t prohibition, age, newest;
} idv_compliance_draft_t;

/* The rule of which nothing is known. */
extern const idv_compliance_rule_t idv_compliance_nothing_known;

/* The place of the member KEY of the object at PLACE. */
idv_compliance_place_t
idv_compliance_place_below(const idv_compliance_place_t *place,
                           const char *key);

/* The place of the element INDEX of the array at PLACE. */
idv_compliance_place_t
idv_compliance_place_at(const idv_compliance_place_t *place, size_t index);

/* Adds one fault, unless there are enough, or it is there. */
void idv_compliance_fault_add(apr_array_header_t *faults, const char *file,
                              const char *pointer, const char *message);

/* Adds a fault at PLACE. */
void idv_compliance_complain(const idv_compliance_place_t *place,
                             const char *message);

/* The text at PLACE, of 1 to IDV_COMPLIANCE_TEXT_MAX characters; NULL after a
 * fault. */
const char *idv_compliance_text(const idv_compliance_place_t *place,
                                const json_t *value);

/* Non-zero for the text "unknown". */
int idv_compliance_is_unknown(const json_t *value);

/* Non-zero when rules may have a member NAME. */
int idv_compliance_rule_has_member(const char *name);

/* What RULE, as it stands in the document, changes in DRAFT. */
void idv_compliance_rule_read(const idv_compliance_place_t *place,
                              const json_t *rule,
                              idv_compliance_draft_t *draft);

/* Does the same for a RULE that was read before: its names and sources are not
 * checked again. */
void idv_compliance_rule_lay(const idv_compliance_place_t *place,
                             const json_t *rule, idv_compliance_draft_t *draft);

/* Checks members that only make sense together, in the complete rule, and
 * completes what follows from them. */
void idv_compliance_rule_finish(const idv_compliance_place_t *place,
                                idv_compliance_draft_t *draft);

#endif
