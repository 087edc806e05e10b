/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_RISK_H
#define IDV_DOMAIN_RISK_H

/*
 * Fraud risk of an address, e-mail, phone or device: signals, each with a
 * reason that a person can read, whose points add up to a score from 0 to 100.
 *
 * A signal takes part only when the request brought what it looks at, and then
 * says whether it fired. Points and thresholds are the policy's, which an
 * operator edits as a file (conf/risk.json).
 *
 * What the store, the clock and databases know comes as facts. Memory: results
 * live in the given pool; nothing in them repeats an identifier. Threads: pure.
 * Nothing fails.
 */
#include "core/json.h"
#include "domain/session_step.h"

/* Signal, key, points by default, the passive check of a workflow to which it
 * belongs (NONE: only POST /v1/risk/score looks at it), reason. In the order of
 * signal_details. */
#define IDV_RISK_SIGNALS(X)                                                    \
    X(IP_RESERVED, "ip_reserved", 15, IP_ANALYSIS,                             \
      "The IP address is private or reserved and cannot be a person's.")       \
    X(IP_HOSTING, "ip_hosting", 30, IP_ANALYSIS,                               \
      "The IP address belongs to a hosting provider.")                         \
    X(IP_ANONYMIZER, "ip_anonymizer", 40, IP_ANALYSIS,                         \
      "The IP address belongs to a VPN or public proxy.")                      \
    X(IP_TOR, "ip_tor", 60, IP_ANALYSIS, "The IP address is a Tor exit.")      \
    X(IP_VELOCITY, "ip_velocity", 25, IP_ANALYSIS,                             \
      "The IP address was assessed unusually often.")                          \
    X(EMAIL_DISPOSABLE, "email_disposable", 45, NONE,                          \
      "The e-mail address is of a disposable mail service.")                   \
    X(EMAIL_FREE, "email_free", 5, NONE,                                       \
      "The e-mail address is of a free mail service.")                         \
    X(EMAIL_VELOCITY, "email_velocity", 30, NONE,                              \
      "The e-mail address was assessed unusually often.")                      \
    X(PHONE_IMPLAUSIBLE, "phone_implausible", 35, NONE,                        \
      "The phone number cannot exist in its country's numbering plan.")        \
    X(PHONE_COUNTRY_MISMATCH, "phone_country_mismatch", 15, NONE,              \
      "The phone number is of another country than the one claimed.")          \
    X(PHONE_VELOCITY, "phone_velocity", 30, NONE,                              \
      "The phone number was assessed unusually often.")                        \
    X(DEVICE_VELOCITY, "device_velocity", 25, DEVICE_RISK,                     \
      "The device was assessed unusually often.")                              \
    X(DEVICE_SHARED, "device_shared", 35, DEVICE_RISK,                         \
      "The device was used by several persons.")                               \
    X(AUTOMATION, "user_agent_automation", 70, DEVICE_RISK,                    \
      "The user agent is an automated program.")                               \
    X(WEBDRIVER, "webdriver_automation", 70, DEVICE_RISK,                      \
      "The browser says that a program drives it.")                            \
    X(CLAIMED_IP_MISMATCH, "claimed_country_ip_mismatch", 20, IP_ANALYSIS,     \
      "The country claimed is not where the IP address is.")                   \
    X(DOCUMENT_IP_MISMATCH, "document_country_ip_mismatch", 15, IP_ANALYSIS,   \
      "The document's country is not where the IP address is.")                \
    X(DOCUMENT_CLAIM_MISMATCH, "document_claimed_country_mismatch", 20, NONE,  \
      "The document is of another country than the one claimed.")              \
    X(JURISDICTION_MISMATCH, "required_jurisdiction_mismatch", 20, NONE,       \
      "The person is outside of the required jurisdiction.")                   \
    X(OUTSIDE_JURISDICTION, "ip_outside_jurisdiction", 30, GEOLOCATION,        \
      "The IP address is outside of the session's jurisdiction.")              \
    X(VP_TOKEN_OTHER_PERSON, "vp_token_other_person", 45, NONE,                \
      "The VP token was verified under another e-mail or phone.")              \
    X(VP_TOKEN_VELOCITY, "vp_token_velocity", 35, NONE,                        \
      "The VP token was used in unusually many sessions.")                     \
    X(DOCUMENT_REUSED, "document_reused", 50, DEVICE_RISK,                     \
      "The document, or the same picture of one, was somebody else's before.")

typedef enum {
#define X(name, key, points, check, reason) IDV_RISK_SIGNAL_##name,
    IDV_RISK_SIGNALS(X)
#undef X
        IDV_RISK_SIGNAL_COUNT
} idv_risk_signal_t;

/* Identifiers whose uses are counted. */
#define IDV_RISK_KINDS(X)                                                      \
    X(IP, "ip")                                                                \
    X(EMAIL, "email")                                                          \
    X(PHONE, "phone")                                                          \
    X(DEVICE, "device")

typedef enum {
#define X(name, value) IDV_RISK_KIND_##name,
    IDV_RISK_KINDS(X)
#undef X
        IDV_RISK_KIND_COUNT
} idv_risk_kind_t;

#define IDV_RISK_SCORE_MAX 100

typedef struct {
    int points[IDV_RISK_SIGNAL_COUNT];
    int medium, high; /* the least scores of the levels */
    /* More assessments of one identifier within the window fire. */
    int velocity_seconds;
    int velocity_limit[IDV_RISK_KIND_COUNT];
    /* So many persons at one device within the window fire. */
    int device_days;
    int device_persons;
    /* More sessions with one VP token within the window fire. */
    int vp_token_days;
    int vp_token_sessions;
} idv_risk_policy_t;

/* What is known; -1 of a number or flag: not known, so its signal takes no
 * part. Countries and jurisdictions in the normal form. */
typedef struct {
    idv_method_set_t checks; /* whose signals take part; 0: all signals */
    int ip_reserved, ip_hosting, ip_anonymizer, ip_tor; /* flags */
    int email_disposable, email_free;                   /* flags */
    const char *phone;                                  /* E.164; NULL: none */
    int automated; /* flag, see idv_user_agent_is_automated() */
    int webdriver; /* flag: the browser told so (W3C WebDriver, 4) */
    int document_reused; /* flag: what was shown was somebody else's */
    const char *ip_country;
    const char *claimed;
    const char *document;
    const char *required;
    const char *jurisdiction; /* of the session */
    /* In the window, with this one; no further than one above the limit. */
    apr_int64_t seen[IDV_RISK_KIND_COUNT];
    apr_int64_t device_persons; /* in the window, with this one */
    int vp_token_other_person;  /* flag */
    apr_int64_t vp_token_sessions; /* like SEEN */
} idv_risk_facts_t;

typedef struct {
    int score;
    idv_risk_level_t level;
    int automation;                   /* an automation signal fired */
    int fired[IDV_RISK_SIGNAL_COUNT]; /* -1: took no part */
    const char *signal_details;       /* JSON */
} idv_risk_assessment_t;

/* Facts of which nothing is known. */
void idv_risk_facts_init(idv_risk_facts_t *facts);

/* Judges FACTS by POLICY. What ASSESSMENT lists lives in POOL. */
void idv_risk_assess(const idv_risk_policy_t *policy,
                     const idv_risk_facts_t *facts,
                     idv_risk_assessment_t *assessment, apr_pool_t *pool);

/* The assessment as the interface shows it, JSON in POOL. */
const char *idv_risk_assessment_text(const char *id, idv_time_t created,
                                     const idv_risk_assessment_t *assessment,
                                     apr_pool_t *pool);

/* "low", "medium", "high", and what is recommended for each. */
const char *idv_risk_level_value(idv_risk_level_t level);
const char *idv_risk_recommendation(idv_risk_level_t level);

/* What a session shows of its risk, the worst last; in this order it rises. */
#define IDV_RISK_TIERS(X)                                                      \
    X(CLEAR, "clear")                                                          \
    X(REVIEW, "review")                                                        \
    X(BLOCK, "block")                                                          \
    X(BOT, "bot")

typedef enum {
#define X(name, value) IDV_RISK_TIER_##name,
    IDV_RISK_TIERS(X)
#undef X
} idv_risk_tier_t;

/* The value of the session's tier that an assessment alone would give. */
const char *idv_risk_tier(const idv_risk_assessment_t *assessment);

/* --- single judgements --- */

/* Non-zero when the user agent names itself, or gives itself away, as an
 * automated program. */
int idv_user_agent_is_automated(const char *user_agent);

#endif
