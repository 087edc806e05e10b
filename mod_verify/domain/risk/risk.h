/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_RISK_RISK_H
#define IDV_DOMAIN_RISK_RISK_H

/*
 * Fraud risk of an IP address, e-mail address, phone number or device. Signals,
 * each with a readable reason, add points up to a score from 0 to 100.
 *
 * - A signal is evaluated only if the request contains its input.
 * - Signals with the same underlying cause share a cause: the strongest counts
 *   in full, the others raise the total at most to the cause's limit.
 * - Points, causes and thresholds come from the policy, a file that the
 *   operator edits (conf/risk.json).
 * - A signal is only recorded (not triggered, no points) if the policy shadows
 *   it or the operator has allowed the identifier that it concerns.
 *
 * Facts from the store, the clock and databases are passed in. Memory: results
 * live in the given pool; they contain no identifiers. Threads: pure. Failures:
 * none.
 */
#include "core/clock.h"
#include "core/json.h"
#include "domain/method/method.h"

typedef enum { IDV_RISK_LOW, IDV_RISK_MEDIUM, IDV_RISK_HIGH } idv_risk_level_t;

/* Identifiers for which persons are counted and which an operator can list. */
#define IDV_RISK_KINDS(X)                                                      \
    X(IP, "ip")                                                                \
    X(EMAIL, "email")                                                          \
    X(PHONE, "phone")                                                          \
    X(DEVICE, "device")

typedef enum {
#define X(name, value) IDV_RISK_KIND_##name,
    IDV_RISK_KINDS(X)
#undef X
        IDV_RISK_KIND_COUNT,
    IDV_RISK_KIND_NONE = IDV_RISK_KIND_COUNT
} idv_risk_kind_t;

/* Signal, key, default points, the passive workflow check that it belongs to
 * (NONE: only POST /v1/risk/score evaluates it), the identifier that it
 * concerns (NONE: none, or several), reason. In the order of signal_details. */
#define IDV_RISK_SIGNALS(X)                                                    \
    X(IP_BLOCKED, "ip_blocked", 100, IP_ANALYSIS, NONE,                        \
      "The operator blocks the IP address.")                                   \
    X(IP_RESERVED, "ip_reserved", 15, IP_ANALYSIS, IP,                         \
      "The IP address is private or reserved and cannot be a person's.")       \
    X(IP_HOSTING, "ip_hosting", 30, IP_ANALYSIS, IP,                           \
      "The IP address belongs to a hosting provider.")                         \
    X(IP_ANONYMIZER, "ip_anonymizer", 35, IP_ANALYSIS, IP,                     \
      "The IP address belongs to a VPN or public proxy.")                      \
    X(IP_TOR, "ip_tor", 60, IP_ANALYSIS, IP, "The IP address is a Tor exit.")  \
    X(IP_VELOCITY, "ip_velocity", 25, IP_ANALYSIS, IP,                         \
      "Unusually many persons without a device of their own came by the IP "   \
      "address.")                                                              \
    X(IP_FAILED_AGE, "ip_failed_age", 15, IP_ANALYSIS, IP,                     \
      "Somebody at the IP address was found too young before.")                \
    X(EMAIL_BLOCKED, "email_blocked", 100, DEVICE_RISK, NONE,                  \
      "The operator blocks the e-mail address or its domain.")                 \
    X(EMAIL_DISPOSABLE, "email_disposable", 45, NONE, EMAIL,                   \
      "The e-mail address is of a disposable mail service.")                   \
    X(EMAIL_FREE, "email_free", 5, NONE, EMAIL,                                \
      "The e-mail address is of a free mail service.")                         \
    X(EMAIL_TAGGED, "email_tagged", 10, NONE, EMAIL,                           \
      "The e-mail address has a plus-tag, of which a mailbox can have many.")  \
    X(EMAIL_RANDOM, "email_random", 20, NONE, EMAIL,                           \
      "The e-mail address looks as if a program had made it up.")              \
    X(EMAIL_VELOCITY, "email_velocity", 30, NONE, EMAIL,                       \
      "Unusually many persons came with the e-mail address.")                  \
    X(PHONE_BLOCKED, "phone_blocked", 100, DEVICE_RISK, NONE,                  \
      "The operator blocks the phone number.")                                 \
    X(PHONE_IMPLAUSIBLE, "phone_implausible", 35, NONE, PHONE,                 \
      "The phone number cannot exist in its country's numbering plan.")        \
    X(PHONE_COUNTRY_MISMATCH, "phone_country_mismatch", 15, NONE, PHONE,       \
      "The phone number is of another country than the one claimed.")          \
    X(PHONE_VOIP, "phone_voip", 15, NONE, PHONE,                               \
      "The phone number is of internet telephony, where numbers are had in "   \
      "minutes.")                                                              \
    X(PHONE_SERVICE, "phone_service", 25, NONE, PHONE,                         \
      "The phone number is of a service, such as a premium rate or a "         \
      "toll-free one, and not of a person.")                                   \
    X(PHONE_VELOCITY, "phone_velocity", 30, NONE, PHONE,                       \
      "Unusually many persons came with the phone number.")                    \
    X(DEVICE_BLOCKED, "device_blocked", 100, DEVICE_RISK, NONE,                \
      "The operator blocks the device.")                                       \
    X(DEVICE_VELOCITY, "device_velocity", 40, DEVICE_RISK, DEVICE,             \
      "Unusually many persons used the device in short time.")                 \
    X(DEVICE_SHARED, "device_shared", 65, DEVICE_RISK, DEVICE,                 \
      "The device was used by several persons.")                               \
    X(DEVICE_FAILED_AGE, "device_failed_age", 65, DEVICE_RISK, DEVICE,         \
      "Somebody at the device was found too young before.")                    \
    X(AUTOMATION, "user_agent_automation", 75, DEVICE_RISK, NONE,              \
      "The user agent is an automated program.")                               \
    X(WEBDRIVER, "webdriver_automation", 75, DEVICE_RISK, NONE,                \
      "The browser says that a program drives it.")                            \
    X(VIRTUAL_CAMERA, "virtual_camera", 30, DEVICE_RISK, NONE,                 \
      "According to the browser, a program replaces the camera.")              \
    X(CLAIMED_IP_MISMATCH, "claimed_country_ip_mismatch", 20, IP_ANALYSIS, IP, \
      "The country claimed is not where the IP address is.")                   \
    X(DOCUMENT_IP_MISMATCH, "document_country_ip_mismatch", 15, IP_ANALYSIS,   \
      IP, "The document's country is not where the IP address is.")            \
    X(DOCUMENT_CLAIM_MISMATCH, "document_claimed_country_mismatch", 20, NONE,  \
      NONE, "The document is of another country than the one claimed.")        \
    X(JURISDICTION_MISMATCH, "required_jurisdiction_mismatch", 20, NONE, NONE, \
      "The person is outside of the required jurisdiction.")                   \
    X(TIME_ZONE_MISMATCH, "time_zone_mismatch", 20, IP_ANALYSIS, IP,           \
      "The browser's clock is of another country than the IP address.")        \
    X(OUTSIDE_JURISDICTION, "ip_outside_jurisdiction", 65, GEOLOCATION, NONE,  \
      "The IP address is outside of the session's jurisdiction.")              \
    X(VP_TOKEN_OTHER_PERSON, "vp_token_other_person", 65, NONE, NONE,          \
      "The VP token was verified under another e-mail or phone.")              \
    X(VP_TOKEN_VELOCITY, "vp_token_velocity", 65, NONE, NONE,                  \
      "The VP token was used in unusually many sessions.")                     \
    X(DOCUMENT_REUSED, "document_reused", 65, DEVICE_RISK, NONE,               \
      "The document, or the same picture of one, was somebody else's before.") \
    X(DOCUMENT_SHARED, "document_shared", 75, DEVICE_RISK, NONE,               \
      "Several persons showed the document, or the same picture of one.")      \
    X(DOCUMENT_RECAPTURED, "document_recaptured", 20, DEVICE_RISK, NONE,       \
      "The picture of the document has the raster of a screen or a print.")    \
    X(DOCUMENT_PASTED, "document_pasted", 30, DEVICE_RISK, NONE,               \
      "A part of the document's picture was compressed otherwise than the "    \
      "rest, as when something was pasted into it.")

/* Default causes: cause, name, and the total to which further signals can raise
 * the points of the strongest (0: not at all). */
#define IDV_RISK_CAUSES(X)                                                     \
    X(RELAYED_ADDRESS, "relayed_address", 0)                                   \
    X(ELSEWHERE, "elsewhere", 35)                                              \
    X(AUTOMATION, "automation", 0)                                             \
    X(MAILBOX, "made_up_mailbox", 55)                                          \
    X(SHARED_DEVICE, "shared_device", 0)                                       \
    X(SHARED_DOCUMENT, "shared_document", 0)                                   \
    X(DOUBTFUL_PICTURE, "doubtful_picture", 40)                                \
    X(FAILED_AGE, "failed_age", 0)                                             \
    X(BLOCKED, "blocked", 0)

typedef enum {
#define X(name, key, points, check, subject, reason) IDV_RISK_SIGNAL_##name,
    IDV_RISK_SIGNALS(X)
#undef X
        IDV_RISK_SIGNAL_COUNT
} idv_risk_signal_t;

#define IDV_RISK_SCORE_MAX 100
#define IDV_RISK_POLICY_CAUSES_MAX 24
#define IDV_RISK_CAUSE_NAME_SIZE 40 /* with the NUL */

typedef struct {
    char name[IDV_RISK_CAUSE_NAME_SIZE];
    int at_most; /* limit on the sum of all signals, never below the
                  * strongest */
} idv_risk_cause_t;

typedef struct {
    int points[IDV_RISK_SIGNAL_COUNT];
    idv_risk_cause_t causes[IDV_RISK_POLICY_CAUSES_MAX];
    int cause_count;
    int cause_of[IDV_RISK_SIGNAL_COUNT]; /* 1 + index into causes; 0: its own
                                          * cause */
    int shadow[IDV_RISK_SIGNAL_COUNT];   /* flags: only recorded */
    /* Flag: assess and store, but let sessions continue as if the level were
     * low. */
    int shadow_all;
    int medium, high; /* lowest scores of these levels */
    /* A signal fires if more persons than this use one identifier in the
     * window. */
    int velocity_seconds;
    int velocity_limit[IDV_RISK_KIND_COUNT];
    /* A signal fires at this many persons on one device in the window. */
    int device_days;
    int device_persons;
    /* A signal fires at this many persons with one document in the window. */
    int document_days;
    int document_persons;
    /* Failed age checks within these windows fire a signal. */
    int failed_age_ip_days;
    int failed_age_device_days;
    /* A signal fires if one VP token is used in more sessions than this in the
     * window. */
    int vp_token_days;
    int vp_token_sessions;
} idv_risk_policy_t;

/* How the operator's lists classify an identifier. */
typedef enum {
    IDV_RISK_UNLISTED,
    IDV_RISK_ALLOWED,
    IDV_RISK_BLOCKED
} idv_risk_listing_t;

/* Inputs of an assessment. A number or flag of -1 is unknown; its signal is not
 * evaluated. Countries and jurisdictions are in normal form. */
typedef struct {
    idv_method_set_t checks; /* evaluate only these checks' signals; 0: all
                              * signals */
    idv_risk_listing_t listed[IDV_RISK_KIND_COUNT];
    int ip_reserved, ip_hosting, ip_anonymizer, ip_tor; /* flags */
    int email_disposable, email_free;                   /* flags */
    int email_tagged, email_random;                     /* flags */
    const char *phone;                                  /* E.164; NULL: none */
    int automated;       /* flag, see idv_user_agent_is_automated() */
    int webdriver;       /* flag reported by the browser (W3C WebDriver, 4) */
    int virtual_camera;  /* flag reported by the widget */
    int document_reused; /* flag: another person presented the same document */
    int document_recaptured, document_pasted; /* flags: signs found in its
                                               * picture */
    const char *ip_country;
    const char *claimed;
    const char *document;
    const char *required;
    const char *jurisdiction; /* of the session */
    const char *time_zone;    /* of the browser, a tz database name */
    /* Persons seen with this identifier in the window, including the current
     * one, capped at one above the limit. For IP addresses only persons without
     * a device of their own count, because a carrier's address is shared by
     * many customers. */
    apr_int64_t seen[IDV_RISK_KIND_COUNT];
    apr_int64_t device_persons;           /* in the window, including the
                                           * current one */
    apr_int64_t document_persons;         /* in the window, including the
                                           * current one */
    int ip_failed_age, device_failed_age; /* flags: in the window */
    int vp_token_other_person;            /* flag */
    apr_int64_t vp_token_sessions;        /* like SEEN */
} idv_risk_facts_t;

typedef struct {
    int score;
    idv_risk_level_t level;
    int automation;                    /* flag: an automation signal fired */
    int is_shadow;                     /* flag: the assessment must have no
                                        * effect */
    int fired[IDV_RISK_SIGNAL_COUNT];  /* -1: not evaluated */
    int points[IDV_RISK_SIGNAL_COUNT]; /* contribution of each; the sum is the
                                        * score, capped at the maximum */
    const char *signal_details;        /* JSON */
} idv_risk_assessment_t;

/* Sets every fact to unknown. */
void idv_risk_facts_init(idv_risk_facts_t *facts);

/* "low", "medium" or "high", and the recommended action for each. */
const char *idv_risk_level_value(idv_risk_level_t level);
const char *idv_risk_recommendation(idv_risk_level_t level);

/* Risk tier of a session, least severe first. */
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

/* The level that decides how a session continues: that of ASSESSMENT, or low if
 * the assessment is in shadow mode. */
idv_risk_level_t
idv_risk_effective_level(const idv_risk_assessment_t *assessment);

/* The tier value that this assessment alone would give; clear in shadow
 * mode. */
const char *idv_risk_tier(const idv_risk_assessment_t *assessment);

/* --- single checks --- */

/* The idv_risk_signal_t with this key; -1 if there is none. */
int idv_risk_signal_parse(const char *key);

#endif
