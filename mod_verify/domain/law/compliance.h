/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_LAW_COMPLIANCE_H
#define IDV_DOMAIN_LAW_COMPLIANCE_H

/*
 * What the law of a jurisdiction demands where a product is sold: the products
 * (use cases), the ages (tiers), and what one rule says.
 *
 * A rule of which all is zero says that nothing is known: nothing is demanded,
 * nothing prohibited, and a digital licence is neither recognized nor refused.
 * The sources of rules are described in domain/law/compliance_rules.h.
 *
 * Memory: constant data and values, which borrow their texts. Threads: pure.
 * Nothing fails.
 */
#include "core/error.h"
#include "domain/method/method.h"
#include "domain/value/civil_date.h"

/* Product types: what a workflow verifies for, and what rules are about. */
#define IDV_USE_CASES(X)                                                       \
    X(ALCOHOL_DELIVERY, "alcohol_delivery")                                    \
    X(ALCOHOL_IN_PERSON, "alcohol_in_person")                                  \
    X(CANNABIS_DISPENSARY, "cannabis_dispensary")                              \
    X(CANNABIS_DELIVERY, "cannabis_delivery")                                  \
    X(GAMBLING_ONLINE, "gambling_online")                                      \
    X(GAMBLING_IN_PERSON, "gambling_in_person")                                \
    X(TOBACCO_NICOTINE, "tobacco_nicotine")                                    \
    X(ADULT_CONTENT, "adult_content")                                          \
    X(SOCIAL_MEDIA, "social_media")                                            \
    X(FIREARMS, "firearms")

typedef enum {
    IDV_USE_CASE_NONE,
#define X(name, value) IDV_USE_CASE_##name,
    IDV_USE_CASES(X)
#undef X
        IDV_USE_CASE_COUNT
} idv_use_case_t;

/* Articles: kinds of a product that the law tells apart. */
#define IDV_ARTICLES(X)                                                        \
    X(BEER, "beer")                                                            \
    X(WINE, "wine")                                                            \
    X(SPIRITS, "spirits")                                                      \
    X(CIGARETTE, "cigarette")                                                  \
    X(VAPE, "vape")                                                            \
    X(LOTTERY, "lottery")                                                      \
    X(BETTING, "betting")                                                      \
    X(CASINO, "casino")                                                        \
    X(HANDGUN, "handgun")                                                      \
    X(LONG_GUN, "long_gun")                                                    \
    X(MEDICAL, "medical")                                                      \
    X(ADULT_USE, "adult_use")

typedef enum {
    IDV_ARTICLE_NONE, /* any of the product */
#define X(name, value) IDV_ARTICLE_##name,
    IDV_ARTICLES(X)
#undef X
        IDV_ARTICLE_COUNT
} idv_article_t;

/* Channels of sale, of which the law treats remote sale differently. Alcohol,
 * cannabis and gambling have product types for it, tobacco has channels. */
#define IDV_CHANNELS(X)                                                        \
    X(IN_PERSON, "in_person")                                                  \
    X(REMOTE, "remote")

typedef enum {
#define X(name, value) IDV_CHANNEL_##name,
    IDV_CHANNELS(X)
#undef X
        IDV_CHANNEL_COUNT
} idv_channel_t;

/* The value in the interface. */
const char *idv_channel_value(idv_channel_t channel);

/* The channel named VALUE; IN_PERSON for anything else. */
idv_channel_t idv_channel_parse(const char *value);

/* Non-zero when USE_CASE may be sold by CHANNEL; in person is one of every. */
int idv_channel_belongs(idv_channel_t channel, idv_use_case_t use_case);

/* How sure an answer is, least first. */
#define IDV_CONFIDENCES(X)                                                     \
    X(LOW, "low")                                                              \
    X(MEDIUM, "medium")                                                        \
    X(HIGH, "high")

typedef enum {
#define X(name, value) IDV_CONFIDENCE_##name,
    IDV_CONFIDENCES(X)
#undef X
        IDV_CONFIDENCE_COUNT
} idv_confidence_t;

/* The value in the interface. */
const char *idv_confidence_value(idv_confidence_t confidence);

/* The confidence named VALUE; LOW for anything else. */
idv_confidence_t idv_confidence_parse(const char *value);

/* The value in the interface; NULL for none. */
const char *idv_use_case_value(idv_use_case_t use_case);

/* The value in the interface; NULL for none. */
const char *idv_article_value(idv_article_t article);

/* The article named VALUE; IDV_ARTICLE_NONE for NULL and anything else. */
idv_article_t idv_article_parse(const char *value);

/* Non-zero when ARTICLE is one of USE_CASE; no article is one of every. */
int idv_article_belongs(idv_article_t article, idv_use_case_t use_case);

/* The use case named VALUE; IDV_USE_CASE_NONE for anything else. */
idv_use_case_t idv_use_case_parse(const char *value);

/* Age tiers, in order: a higher one satisfies a lower one, never the reverse.
 */
#define IDV_AGE_TIERS(X)                                                       \
    X(MIN_AGE_13, "min_age_13", 13)                                            \
    X(MIN_AGE_16, "min_age_16", 16)                                            \
    X(MIN_AGE_18, "min_age_18", 18)                                            \
    X(MIN_AGE_21, "min_age_21", 21)

typedef enum {
    IDV_TIER_NONE, /* no age is demanded, or none is proved */
#define X(name, value, age) IDV_TIER_##name,
    IDV_AGE_TIERS(X)
#undef X
        IDV_TIER_COUNT
} idv_age_tier_t;

/* The value in the interface ("min_age_18"); NULL for none. */
const char *idv_tier_value(idv_age_tier_t tier);

/* The value in grants ("MIN_AGE_18"); NULL for none. */
const char *idv_tier_upper(idv_age_tier_t tier);

/* The age in years that the tier stands for; 0 for none. */
int idv_tier_age(idv_age_tier_t tier);

/* The tier named VALUE; IDV_TIER_NONE for NULL and for what is no tier. */
idv_age_tier_t idv_tier_parse(const char *value);

/* The smallest tier that is not below AGE years, as a rule demands it (19 and
 * 20 give min_age_21); the highest tier for more, none for 0. */
idv_age_tier_t idv_tier_demanded(int age);

/* The highest tier that a person of AGE completed years satisfies. */
idv_age_tier_t idv_tier_reached(int age);

/* Non-zero when a proof of HAVE is good enough where WANT is demanded. */
int idv_tier_satisfies(idv_age_tier_t have, idv_age_tier_t want);

/* What a session does where it is not known what the law says, mildest
 * first. */
#define IDV_UNKNOWN_ACTIONS(X)                                                 \
    X(ALLOW, "allow")                                                          \
    X(REVIEW, "review")                                                        \
    X(REFUSE, "refuse")

typedef enum {
#define X(name, value) IDV_UNKNOWN_##name,
    IDV_UNKNOWN_ACTIONS(X)
#undef X
    IDV_UNKNOWN_ACTION_COUNT
} idv_unknown_action_t;

/* The value in the interface. */
const char *idv_unknown_action_value(idv_unknown_action_t action);

/* The action named VALUE; -1 for anything else. */
int idv_unknown_action_parse(const char *value);

/* What is done where nobody says otherwise: a review for firearms, cannabis,
 * gambling and adult content. */
idv_unknown_action_t idv_unknown_action_default(idv_use_case_t use_case);

/* How far the law recognizes a digital driving licence. */
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
    /* It is established that the product is prohibited, or that it is lawful
     * and from which age, if any. Zero is no permission. */
    int known;
    idv_unknown_action_t on_unknown; /* ALLOW where it is known */
    int prohibited;
    idv_age_tier_t age_tier;
    int required_age; /* exact, in years; 0: the tier's, or none */
    /* YYYY-MM-DD: only persons born before that day, besides; NULL: none. The
     * age is at least that of the youngest of them on the day of the law. */
    const char *born_before;
    idv_mdl_acceptance_t mdl_acceptance;
    int physical_check_required;
    const char *user_message;          /* NULL: none is demanded */
    idv_method_set_t excluded_methods; /* that the law does not accept */
    const char *governing_regulator;   /* NULL: unknown */
    const char *rule_version;          /* NULL: no rule */
    int credential_validity_days;      /* 0: the rule says nothing */
    int credential_validity_minutes;   /* instead of days; 0: it counts days */
    const char *as_of; /* YYYY-MM-DD, the day whose law it is; NULL: no rule */
    /* Days that what was found may be kept, and one; 0: no limit is known. */
    int retention_limit;
} idv_compliance_t;

#define IDV_PENALTY_TYPES(X)                                                   \
    X(CIVIL, "CIVIL")                                                          \
    X(CRIMINAL, "CRIMINAL")                                                    \
    X(BOTH, "BOTH")

typedef enum {
    IDV_PENALTY_NONE, /* not known */
#define X(name, value) IDV_PENALTY_##name,
    IDV_PENALTY_TYPES(X)
#undef X
        IDV_PENALTY_COUNT
} idv_penalty_t;

/* What one part of a rule rests on, as its file says it. A rule is put together
 * of parts: a country's, a region's, what holds for all products. */
typedef struct idv_compliance_basis_t idv_compliance_basis_t;
struct idv_compliance_basis_t {
    const char
        *text; /* JSON object: "file" and "pointer" of the part, and of its
                * members "confidence", "looked_up", "note", "sources" */
    const idv_compliance_basis_t *inherited; /* what it was laid over; NULL: of
                                              * nothing */
};

/* All that a rule says of one product in one jurisdiction. All zero is "nothing
 * is known", but for consent_required, data_retention_days and
 * parental_consent_from. */
typedef struct {
    idv_compliance_t compliance;   /* what a session needs of it */
    const char *prohibited_reason; /* NULL unless prohibited */
    int consent_required;          /* explicit consent before processing; -1:
                                    * not known */
    const char *penalty_description;
    idv_penalty_t penalty_type;
    int data_retention_days;   /* longest; 0: not at all; -1: not known */
    int consent_age;           /* below it a parent consents to the processing
                                * of data; 0: none is known. No bar */
    int civil_age;             /* from it a person contracts alone; likewise */
    int parental_consent_from; /* from this age up to the required one a person
                                * is let in with a parent's consent; 0: at any
                                * age; -1: not at all */
    idv_confidence_t confidence; /* LOW where it is not known */
    const char *note;            /* NULL: none */
    const char *in_force_from;   /* YYYY-MM-DD; NULL: not established */
    const char *in_force_until;  /* the day of the next change; NULL: none */
    const idv_compliance_basis_t
        *basis; /* the most specific part; NULL: none */
} idv_compliance_rule_t;

/* What is asked of the law. */
typedef struct {
    const char *jurisdiction; /* normal form */
    idv_use_case_t use_case;
    idv_article_t article; /* IDV_ARTICLE_NONE: not known; belongs to the use
                            * case */
    idv_channel_t channel; /* belongs to the use case */
    idv_date_t day;        /* complete */
} idv_compliance_question_t;

/* What the law says to QUESTION; fills OUT, which is all zero before, or leaves
 * it. */
typedef void idv_compliance_lookup_t(const void *baton,
                                     const idv_compliance_question_t *question,
                                     idv_compliance_t *out, apr_pool_t *pool);

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
 * what is done where it is not known, the higher age, the earlier day of birth, a
 * physical check, less recognition of a digital licence, more methods excluded,
 * credentials that are good for a shorter time. */
int idv_compliance_compare(const idv_compliance_t *a,
                           const idv_compliance_t *b);

/* Minutes that a credential is good under RULE; the usual time where it does
 * not say. */
int idv_compliance_validity(const idv_compliance_t *rule);

/* The primary methods and layers that RULE allows; none where it prohibits. */
idv_method_set_t idv_compliance_methods(const idv_compliance_t *rule);

/* What holds where several products are sold together. */
typedef struct {
    int any_permitted;        /* flag: one of them is not prohibited */
    idv_age_tier_t age_tier;  /* the highest, of those that are permitted */
    int required_age;         /* likewise */
    idv_method_set_t methods; /* that all of those allow */
    int consent_required;     /* flag: by one of all */
    int consent_unknown;      /* flag: of one of all it is not known */
    int data_retention_days;  /* the shortest of all; -1: none is known */
    int prohibited_count;
    idv_use_case_t prohibited[IDV_USE_CASE_COUNT]; /* as they were added */
    int unknown_count;
    idv_use_case_t unknown[IDV_USE_CASE_COUNT]; /* likewise */
} idv_restriction_t;

/* What holds for no product: nothing is demanded. */
void idv_restriction_init(idv_restriction_t *all);

/* Makes ALL hold for USE_CASE, too, which was not added before and of which the
 * law says RULE. */
void idv_restriction_add(idv_restriction_t *all, idv_use_case_t use_case,
                         const idv_compliance_rule_t *rule);

/* The value in the interface; NULL for none. */
const char *idv_penalty_value(idv_penalty_t penalty);

/* The penalty named VALUE; IDV_PENALTY_NONE for NULL and anything else. */
idv_penalty_t idv_penalty_parse(const char *value);

#endif
