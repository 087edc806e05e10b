/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_COMPLIANCE_H
#define IDV_DOMAIN_COMPLIANCE_H

/*
 * What the law of a jurisdiction says about a use case, as far as a session
 * needs to know it. All zero means that nothing is known: nothing is demanded,
 * nothing prohibited, and a digital licence is neither recognized nor refused.
 * Values; pure functions.
 */
#include "core/error.h"
#include "domain/method.h"
#include "domain/tier.h"

#define IDV_MDL_ACCEPTANCES(X)                                                 \
    X(UNKNOWN, "unknown")                                                      \
    X(FULL, "full")                                                            \
    X(SUPPLEMENTARY, "supplementary")                                          \
    X(NOT_RECOGNIZED, "not_recognized")

typedef enum {
#define X(name, value) IDV_MDL_ACCEPTANCE_##name,
    IDV_MDL_ACCEPTANCES(X)
#undef X
    IDV_MDL_ACCEPTANCE_COUNT
} idv_mdl_acceptance_t;

/* Days a credential is good when no rule says otherwise. */
#define IDV_CREDENTIAL_VALIDITY_DAYS 365

typedef struct {
    int prohibited;
    idv_age_tier_t age_tier;
    int required_age; /* exact, in years; 0: the tier's, or none */
    idv_mdl_acceptance_t mdl_acceptance;
    int physical_check_required;
    const char *user_message;          /* NULL: none is demanded */
    idv_method_set_t excluded_methods; /* that the law does not accept */
    const char *governing_regulator;   /* NULL: unknown */
    const char *rule_version;          /* NULL: no rule */
    int credential_validity_days;      /* 0: the rule says nothing */
} idv_compliance_t;

/* The value in the interface. */
const char *idv_mdl_acceptance_value(idv_mdl_acceptance_t acceptance);

/* The acceptance named VALUE; UNKNOWN for anything else. */
idv_mdl_acceptance_t idv_mdl_acceptance_parse(const char *value);

/* Non-zero when a session under RULE may use METHOD: it is not excluded, and a
 * digital licence is not refused recognition. Supplementary checks verify
 * nothing by themselves and are always allowed. */
int idv_compliance_allows(const idv_compliance_t *rule, idv_method_t method);

/* Which of two rules for one use case is the stricter: above zero when A is,
 * below when B is, zero when neither. What comes first decides: a prohibition,
 * the higher age, a physical check, less recognition of a digital licence, more
 * methods excluded, credentials that are good for a shorter time. Of a rule
 * that is not known nothing is demanded, so it is never the stricter. */
int idv_compliance_compare(const idv_compliance_t *a,
                           const idv_compliance_t *b);

/* The primary methods and layers that RULE allows; none where it prohibits. */
idv_method_set_t idv_compliance_methods(const idv_compliance_t *rule);

#endif
