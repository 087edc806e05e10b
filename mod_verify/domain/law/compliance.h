/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_LAW_COMPLIANCE_H
#define IDV_DOMAIN_LAW_COMPLIANCE_H

/*
 * Legal requirements of a jurisdiction for selling a product: the products (use
 * cases), the age tiers, and the content of one rule.
 *
 * An all-zero rule means that nothing is known: it requires and prohibits
 * nothing, and a digital licence is neither recognized nor refused.
 * domain/law/compliance_rules.h describes the sources of rules.
 *
 * Memory: constant data and values, which borrow their texts. Threads: pure.
 * Failures: none.
 */
#include "core/error.h"
#include "domain/method/method.h"
#include "domain/value/civil_date.h"

/* Product types: the purpose of a workflow and the subject of rules. */
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

/* Articles: kinds of a product that the law distinguishes. */
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
    IDV_ARTICLE_NONE, /* any article of the product */
#define X(name, value) IDV_ARTICLE_##name,
    IDV_ARTICLES(X)
#undef X
        IDV_ARTICLE_COUNT
} idv_article_t;

/* Channels of sale: some laws treat remote sale differently. Alcohol, cannabis
 * and gambling have separate product types for it; tobacco uses channels. */
#define IDV_CHANNELS(X)                                                        \
    X(IN_PERSON, "in_person")                                                  \
    X(REMOTE, "remote")

typedef enum {
#define X(name, value) IDV_CHANNEL_##name,
    IDV_CHANNELS(X)
#undef X
        IDV_CHANNEL_COUNT
} idv_channel_t;

/* The API value. */
const char *idv_channel_value(idv_channel_t channel);

/* The channel named VALUE; IN_PERSON for anything else. */
idv_channel_t idv_channel_parse(const char *value);

/* Non-zero if USE_CASE can be sold by CHANNEL; in person is a channel of every
 * use case. */
int idv_channel_belongs(idv_channel_t channel, idv_use_case_t use_case);

/* How certain an answer is, least certain first. */
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

/* The API value. */
const char *idv_confidence_value(idv_confidence_t confidence);

/* The confidence named VALUE; LOW for anything else. */
idv_confidence_t idv_confidence_parse(const char *value);

/* The API value; NULL for none. */
const char *idv_use_case_value(idv_use_case_t use_case);

/* The API value; NULL for none. */
const char *idv_article_value(idv_article_t article);

/* The article named VALUE; IDV_ARTICLE_NONE for NULL and anything else. */
idv_article_t idv_article_parse(const char *value);

/* Non-zero if ARTICLE belongs to USE_CASE; IDV_ARTICLE_NONE belongs to all. */
int idv_article_belongs(idv_article_t article, idv_use_case_t use_case);

/* The use case named VALUE; IDV_USE_CASE_NONE for anything else. */
idv_use_case_t idv_use_case_parse(const char *value);

/* Age tiers in ascending order: a higher tier satisfies a lower one, never the
 * reverse. */
#define IDV_AGE_TIERS(X)                                                       \
    X(MIN_AGE_13, "min_age_13", 13)                                            \
    X(MIN_AGE_16, "min_age_16", 16)                                            \
    X(MIN_AGE_18, "min_age_18", 18)                                            \
    X(MIN_AGE_21, "min_age_21", 21)

typedef enum {
    IDV_TIER_NONE, /* no age is required, or none is proved */
#define X(name, value, age) IDV_TIER_##name,
    IDV_AGE_TIERS(X)
#undef X
        IDV_TIER_COUNT
} idv_age_tier_t;

/* The API value ("min_age_18"); NULL for none. */
const char *idv_tier_value(idv_age_tier_t tier);

/* The value in grants ("MIN_AGE_18"); NULL for none. */
const char *idv_tier_upper(idv_age_tier_t tier);

/* The age of the tier in years; 0 for none. */
int idv_tier_age(idv_age_tier_t tier);

/* The tier named VALUE; IDV_TIER_NONE for NULL and anything else. */
idv_age_tier_t idv_tier_parse(const char *value);

/* The lowest tier that is not below AGE years, as a rule requires it (19 and 20
 * give min_age_21); the highest tier for older ages, none for 0. */
idv_age_tier_t idv_tier_demanded(int age);

/* The highest tier that a person of AGE completed years satisfies. */
idv_age_tier_t idv_tier_reached(int age);

/* Non-zero if a proof of HAVE satisfies the requirement WANT. */
int idv_tier_satisfies(idv_age_tier_t have, idv_age_tier_t want);

/* What a session does if the law is unknown, mildest first. */
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

/* The API value. */
const char *idv_unknown_action_value(idv_unknown_action_t action);

/* The action named VALUE; -1 for anything else. */
int idv_unknown_action_parse(const char *value);

/* The default action: a review for firearms, cannabis, gambling and adult
 * content. */
idv_unknown_action_t idv_unknown_action_default(idv_use_case_t use_case);

/* How far the law recognizes a mobile driving licence. */
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

/* Validity of a credential in days unless a rule says otherwise. */
#define IDV_CREDENTIAL_VALIDITY_DAYS 365

typedef struct {
    /* Flag: it is established either that the product is prohibited, or that it
     * is lawful and from which age, if any. Zero does not mean permission. */
    int known;
    idv_unknown_action_t on_unknown; /* ALLOW if the law is known */
    int prohibited;
    idv_age_tier_t age_tier;
    int required_age; /* exact, in years; 0: that of the tier, or none */
    /* YYYY-MM-DD: an additional requirement to be born before this day; NULL:
     * none. The required age is at least the age of the youngest such person on
     * the day `as_of`. */
    const char *born_before;
    idv_mdl_acceptance_t mdl_acceptance;
    int physical_check_required;
    const char *user_message;          /* NULL: none is required */
    idv_method_set_t excluded_methods; /* not accepted by the law */
    const char *governing_regulator;   /* NULL: unknown */
    const char *rule_version;          /* NULL: no rule */
    int credential_validity_days;      /* 0: the rule says nothing */
    int credential_validity_minutes;   /* used instead of days; 0: the rule
                                        * counts days */
    const char *as_of; /* YYYY-MM-DD: date of the law applied; NULL: no rule */
    /* Longest retention of results in days, plus one; 0: no known limit. */
    int retention_limit;
} idv_compliance_t;

#define IDV_PENALTY_TYPES(X)                                                   \
    X(CIVIL, "CIVIL")                                                          \
    X(CRIMINAL, "CRIMINAL")                                                    \
    X(BOTH, "BOTH")

typedef enum {
    IDV_PENALTY_NONE, /* unknown */
#define X(name, value) IDV_PENALTY_##name,
    IDV_PENALTY_TYPES(X)
#undef X
        IDV_PENALTY_COUNT
} idv_penalty_t;

/* The file location and sources of one part of a rule. A rule is composed of
 * parts: a country's, a region's, and those that apply to all products. */
typedef struct idv_compliance_basis_t idv_compliance_basis_t;
struct idv_compliance_basis_t {
    const char
        *text; /* JSON object: "file" and "pointer" of the part, and its members
                * "confidence", "looked_up", "note" and "sources" */
    const idv_compliance_basis_t *inherited; /* the part that it overrides;
                                              * NULL: none */
};

/* A complete rule for one product in one jurisdiction. All zero means unknown,
 * except for consent_required, data_retention_days and
 * parental_consent_from. */
typedef struct {
    idv_compliance_t compliance;   /* the part that a session needs */
    const char *prohibited_reason; /* NULL unless prohibited */
    int consent_required;          /* explicit consent before processing; -1:
                                    * unknown */
    const char *penalty_description;
    idv_penalty_t penalty_type;
    int data_retention_days;   /* maximum; 0: no retention; -1: unknown */
    int consent_age;           /* below it a parent consents to data processing;
                                * 0: unknown. Not an age bar */
    int civil_age;             /* age of contractual capacity; 0: unknown. Not
                                * an age bar */
    int parental_consent_from; /* from this age up to the required one a person
                                * is admitted with a parent's consent; 0: at any
                                * age; -1: never */
    idv_confidence_t confidence; /* LOW if unknown */
    const char *note;            /* NULL: none */
    const char *in_force_from;   /* YYYY-MM-DD; NULL: not established */
    const char *in_force_until;  /* day of the next change; NULL: none */
    const idv_compliance_basis_t
        *basis; /* the most specific part; NULL: none */
} idv_compliance_rule_t;

/* A legal query. */
typedef struct {
    const char *jurisdiction; /* normal form */
    idv_use_case_t use_case;
    idv_article_t article; /* IDV_ARTICLE_NONE: unknown; otherwise an article of
                            * the use case */
    idv_channel_t channel; /* a channel of the use case */
    idv_date_t day;        /* complete */
} idv_compliance_question_t;

/* Answers QUESTION. Fills OUT, which is all zero on entry, or leaves it
 * unchanged. */
typedef void idv_compliance_lookup_t(const void *baton,
                                     const idv_compliance_question_t *question,
                                     idv_compliance_t *out, apr_pool_t *pool);

/* The API value. */
const char *idv_mdl_acceptance_value(idv_mdl_acceptance_t acceptance);

/* The acceptance named VALUE; UNKNOWN for anything else. */
idv_mdl_acceptance_t idv_mdl_acceptance_parse(const char *value);

/* Non-zero if a session under RULE can use METHOD: the method is not excluded,
 * and if it is a digital licence, recognition is not refused. Supplementary
 * checks verify nothing on their own and are always allowed. */
int idv_compliance_allows(const idv_compliance_t *rule, idv_method_t method);

/* Compares the strictness of two rules for one use case: above zero if A is
 * stricter, below zero if B is, zero if equal. The first difference decides, in
 * this order: prohibition, the action if unknown, higher age, earlier date of
 * birth, a physical check, less recognition of a digital licence, more excluded
 * methods, shorter validity of credentials. */
int idv_compliance_compare(const idv_compliance_t *a,
                           const idv_compliance_t *b);

/* Validity of a credential under RULE in minutes; the default if RULE sets
 * none. */
int idv_compliance_validity(const idv_compliance_t *rule);

/* The primary methods and layers that RULE allows; none if RULE prohibits. */
idv_method_set_t idv_compliance_methods(const idv_compliance_t *rule);

/* The combined requirements of several products sold together. */
typedef struct {
    int any_permitted;        /* flag: at least one is not prohibited */
    idv_age_tier_t age_tier;  /* the highest among permitted products */
    int required_age;         /* the highest among permitted products */
    idv_method_set_t methods; /* allowed by every permitted product */
    int consent_required;     /* flag: at least one product requires it */
    int consent_unknown;      /* flag: unknown for at least one product */
    int data_retention_days;  /* the shortest of all; -1: unknown for all */
    int prohibited_count;
    idv_use_case_t prohibited[IDV_USE_CASE_COUNT]; /* in the order of
                                                    * addition */
    int unknown_count;
    idv_use_case_t unknown[IDV_USE_CASE_COUNT]; /* likewise ordered */
} idv_restriction_t;

/* Starts with no product and no requirement. */
void idv_restriction_init(idv_restriction_t *all);

/* Adds USE_CASE, which was not added before, with its RULE. */
void idv_restriction_add(idv_restriction_t *all, idv_use_case_t use_case,
                         const idv_compliance_rule_t *rule);

/* The API value; NULL for none. */
const char *idv_penalty_value(idv_penalty_t penalty);

/* The penalty named VALUE; IDV_PENALTY_NONE for NULL and anything else. */
idv_penalty_t idv_penalty_parse(const char *value);

#endif
