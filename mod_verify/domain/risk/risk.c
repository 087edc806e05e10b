/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/risk/risk.h"

#include <ctype.h>
#include <string.h>

#include <apr_strings.h>

#include "core/json_writer.h"
#include "domain/value/jurisdiction.h"
#include "domain/value/phone_type.h"
#include "domain/value/time_zone.h"

/* Lengths of texts that are enough for most. */
#define METADATA_EXPECTED 200
#define DETAILS_EXPECTED 3000
#define ASSESSMENT_EXPECTED 4000

static const struct {
    const char *key;
    const char *reason;
    idv_method_t check;
    idv_risk_kind_t subject;
} signals[] = {
#define X(name, key, points, check, subject, reason)                           \
    {key, reason, IDV_METHOD_##check, IDV_RISK_KIND_##subject},
    IDV_RISK_SIGNALS(X)
#undef X
};

static const struct {
    const char *level, *recommendation;
    idv_risk_tier_t tier;
} levels[] = {
    [IDV_RISK_LOW] = {"low", "allow", IDV_RISK_TIER_CLEAR},
    [IDV_RISK_MEDIUM] = {"medium", "review", IDV_RISK_TIER_REVIEW},
    [IDV_RISK_HIGH] = {"high", "block", IDV_RISK_TIER_BLOCK},
};

static const char *const tiers[] = {
#define X(name, value) value,
    IDV_RISK_TIERS(X)
#undef X
};

const char *idv_risk_level_value(idv_risk_level_t level)
{
    return levels[level].level;
}

const char *idv_risk_recommendation(idv_risk_level_t level)
{
    return levels[level].recommendation;
}

idv_risk_level_t
idv_risk_effective_level(const idv_risk_assessment_t *assessment)
{
    return assessment->is_shadow ? IDV_RISK_LOW : assessment->level;
}

const char *idv_risk_tier(const idv_risk_assessment_t *assessment)
{
    if (assessment->is_shadow)
        return tiers[IDV_RISK_TIER_CLEAR];
    return tiers[assessment->automation ? IDV_RISK_TIER_BOT
                                        : levels[assessment->level].tier];
}

int idv_risk_signal_parse(const char *key)
{
    for (int i = 0; i < IDV_RISK_SIGNAL_COUNT; i++)
        if (strcmp(signals[i].key, key) == 0)
            return i;
    return -1;
}

/* --- user agents --- */

/* Lower-case parts by which programs, and browsers led by programs, are known.
 * A word boundary before them is not asked for: "HeadlessChrome". */
static const char *const automata[] = {
    "headless",       "phantomjs",   "selenium",       "webdriver",
    "puppeteer",      "playwright",  "cypress",        "curl/",
    "wget/",          "aiohttp",     "python-requests", "python-urllib",
    "httpx/",         "scrapy",      "go-http-client", "libwww-perl",
    "http-tiny",      "node-fetch",  "axios/",         "undici",
    "guzzlehttp",     "insomnia/",   "postmanruntime", "restsharp",
    "bot/",           "bot;",        "crawler",        "spider/",
};

/* Default names of the HTTP libraries of native apps. */
static const char *const app_libraries[] = {
    "okhttp",
    "java/",
    "apache-httpclient",
};

static int names_one_of(const char *user_agent, const char *const *names,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(names[i]);

        for (const char *c = user_agent; *c; c++)
            if (strncasecmp(c, names[i], length) == 0)
                return 1;
    }
    return 0;
}
#define NAMES_ONE_OF(user_agent, names)                                        \
    names_one_of(user_agent, names, sizeof(names) / sizeof(*(names)))

int idv_user_agent_is_automated(const char *user_agent)
{
    return idv_app_user_agent_is_automated(user_agent)
        || NAMES_ONE_OF(user_agent, app_libraries);
}

int idv_app_user_agent_is_automated(const char *user_agent)
{
    return NAMES_ONE_OF(user_agent, automata);
}

/* --- phone numbers --- */

/* A numbering plan; several countries can share a calling code. */
typedef struct {
    const char *code;
    const char *countries; /* alpha-2, separated by spaces */
    int shortest, longest; /* digits of the national number */
} calling_code_t;

static const calling_code_t calling_codes[] = {
#define IDV_CALLING_CODE(code, countries, shortest, longest)                   \
    {code, countries, shortest, longest},
#include "domain/value/calling_codes.def"
#undef IDV_CALLING_CODE
};

/* The plan that E.164 NUMBER belongs to; NULL: no such calling code. */
static const calling_code_t *calling_code_of(const char *number)
{
    /* No code is the beginning of another one. */
    for (size_t i = 0; i < sizeof(calling_codes) / sizeof(*calling_codes); i++)
        if (strncmp(number + 1, calling_codes[i].code,
                    strlen(calling_codes[i].code))
            == 0)
            return &calling_codes[i];
    return NULL;
}

/* North American area and exchange codes begin with 2 to 9 (NANP). */
static int fits_north_america(const char *national)
{
    return national[0] >= '2' && national[3] >= '2';
}

static int phone_is_plausible(const char *phone)
{
    const calling_code_t *plan = calling_code_of(phone);
    const char *national;
    int length;

    if (!plan)
        return 0;
    national = phone + 1 + strlen(plan->code);
    length = (int)strlen(national);
    if (length < plan->shortest || length > plan->longest)
        return 0;
    return strcmp(plan->code, "1") != 0 || fits_north_america(national);
}

/* --- signals --- */

/* The facts being assessed, and the details that a signal shows. */
typedef struct {
    const idv_risk_policy_t *policy;
    const idv_risk_facts_t *facts;
    idv_json_writer_t metadata; /* of the signal at hand */
} view_t;

/* -1: takes no part, 0: did not fire, 1: fired. */
typedef int signal_t(view_t *view);

static int country_length(const char *jurisdiction)
{
    return (int)strcspn(jurisdiction, "-");
}

/* Whether COUNTRIES, alpha-2 codes between spaces, hold that of JURISDICTION.
 */
static int names_country(const char *countries, const char *jurisdiction)
{
    int length = country_length(jurisdiction);

    for (const char *code = countries; *code; code += strspn(code, " ")) {
        size_t of_code = strcspn(code, " ");

        if ((int)of_code == length && strncmp(code, jurisdiction, of_code) == 0)
            return 1;
        code += of_code;
    }
    return 0;
}

static void show(view_t *view, const char *name, const char *value)
{
    idv_json_put_text(&view->metadata, name, value);
}

static void show_number(view_t *view, const char *name, apr_int64_t value)
{
    idv_json_put_integer(&view->metadata, name, value);
}

static int compare(view_t *view, const char *a, const char *b)
{
    if (!a || !b)
        return -1;
    show(view, "first", a);
    show(view, "second", b);
    return idv_jurisdiction_disagree(a, b) != 0;
}

static int is_frequent(view_t *view, idv_risk_kind_t kind)
{
    apr_int64_t count = view->facts->seen[kind];

    if (count < 0)
        return -1;
    show_number(view, "persons", count);
    show_number(view, "limit", view->policy->velocity_limit[kind]);
    show_number(view, "window_seconds", view->policy->velocity_seconds);
    return count > view->policy->velocity_limit[kind];
}

/* Only a blocked identifier is a signal: that it is not listed means nothing. */
static int is_blocked(const view_t *view, idv_risk_kind_t kind)
{
    return view->facts->listed[kind] == IDV_RISK_BLOCKED ? 1 : -1;
}

static int ip_blocked(view_t *view)
{
    return is_blocked(view, IDV_RISK_KIND_IP);
}

static int email_blocked(view_t *view)
{
    return is_blocked(view, IDV_RISK_KIND_EMAIL);
}

static int phone_blocked(view_t *view)
{
    return is_blocked(view, IDV_RISK_KIND_PHONE);
}

static int device_blocked(view_t *view)
{
    return is_blocked(view, IDV_RISK_KIND_DEVICE);
}

static int ip_reserved(view_t *view)
{
    return view->facts->ip_reserved;
}

static int ip_hosting(view_t *view)
{
    return view->facts->ip_hosting;
}

static int ip_anonymizer(view_t *view)
{
    return view->facts->ip_anonymizer;
}

static int ip_tor(view_t *view)
{
    return view->facts->ip_tor;
}

static int ip_velocity(view_t *view)
{
    return is_frequent(view, IDV_RISK_KIND_IP);
}

static int is_failed_age(view_t *view, int failed, int days)
{
    if (failed >= 0)
        show_number(view, "window_days", days);
    return failed;
}

static int ip_failed_age(view_t *view)
{
    return is_failed_age(view, view->facts->ip_failed_age,
                         view->policy->failed_age_ip_days);
}

static int device_failed_age(view_t *view)
{
    return is_failed_age(view, view->facts->device_failed_age,
                         view->policy->failed_age_device_days);
}

static int email_tagged(view_t *view)
{
    return view->facts->email_tagged;
}

static int email_random(view_t *view)
{
    return view->facts->email_random;
}

static int email_disposable(view_t *view)
{
    return view->facts->email_disposable;
}

static int email_free(view_t *view)
{
    return view->facts->email_free;
}

static int email_velocity(view_t *view)
{
    return is_frequent(view, IDV_RISK_KIND_EMAIL);
}

static int phone_implausible(view_t *view)
{
    const char *phone = view->facts->phone;
    const calling_code_t *plan;

    if (!phone)
        return -1;
    plan = calling_code_of(phone);
    if (plan)
        show(view, "calling_code", plan->code);
    return !phone_is_plausible(phone);
}

static int phone_country_mismatch(view_t *view)
{
    const idv_risk_facts_t *facts = view->facts;
    const char *country = facts->claimed ? facts->claimed : facts->document;
    const calling_code_t *plan =
        facts->phone ? calling_code_of(facts->phone) : NULL;

    if (!plan || !country || !*plan->countries)
        return -1;
    show(view, "phone_countries", plan->countries);
    show(view, "country", country);
    return !names_country(plan->countries, country);
}

/* -1: no number, or its type is in no plan. */
static int phone_type_of(view_t *view, idv_phone_type_t *type)
{
    if (!view->facts->phone)
        return -1;
    *type = idv_phone_type(view->facts->phone);
    if (*type == IDV_PHONE_TYPE_UNKNOWN)
        return -1;
    show(view, "phone_type", idv_phone_type_value(*type));
    return 0;
}

static int phone_voip(view_t *view)
{
    idv_phone_type_t type;

    if (phone_type_of(view, &type) < 0)
        return -1;
    return type == IDV_PHONE_TYPE_VOIP;
}

static int phone_service(view_t *view)
{
    idv_phone_type_t type;

    if (phone_type_of(view, &type) < 0)
        return -1;
    return type == IDV_PHONE_TYPE_PREMIUM || type == IDV_PHONE_TYPE_SERVICE;
}

static int phone_velocity(view_t *view)
{
    return is_frequent(view, IDV_RISK_KIND_PHONE);
}

static int device_velocity(view_t *view)
{
    return is_frequent(view, IDV_RISK_KIND_DEVICE);
}

/* PERSONS who shared one thing in a window of DAYS, of whom LIMIT are several.
 */
static int is_shared(view_t *view, apr_int64_t persons, int limit, int days)
{
    if (persons < 0)
        return -1;
    show_number(view, "persons", persons);
    show_number(view, "limit", limit);
    show_number(view, "window_days", days);
    return persons >= limit;
}

static int device_shared(view_t *view)
{
    return is_shared(view, view->facts->device_persons,
                     view->policy->device_persons, view->policy->device_days);
}

static int document_shared(view_t *view)
{
    return is_shared(view, view->facts->document_persons,
                     view->policy->document_persons,
                     view->policy->document_days);
}

static int automation(view_t *view)
{
    return view->facts->automated;
}

static int webdriver(view_t *view)
{
    return view->facts->webdriver;
}

static int document_reused(view_t *view)
{
    return view->facts->document_reused;
}

static int document_recaptured(view_t *view)
{
    return view->facts->document_recaptured;
}

static int document_pasted(view_t *view)
{
    return view->facts->document_pasted;
}

static int claimed_ip_mismatch(view_t *view)
{
    return compare(view, view->facts->claimed, view->facts->ip_country);
}

static int document_ip_mismatch(view_t *view)
{
    return compare(view, view->facts->document, view->facts->ip_country);
}

static int document_claim_mismatch(view_t *view)
{
    return compare(view, view->facts->document, view->facts->claimed);
}

/* Where the person is said or seen to be, the best source first. */
static int jurisdiction_mismatch(view_t *view)
{
    const idv_risk_facts_t *facts = view->facts;
    const char *place = facts->ip_country ? facts->ip_country
                      : facts->claimed    ? facts->claimed
                                          : facts->document;

    return compare(view, facts->required, place);
}

/* A clock that is set to no country (UTC) says nothing. */
static int time_zone_mismatch(view_t *view)
{
    const idv_risk_facts_t *facts = view->facts;
    const char *countries =
        facts->time_zone ? idv_time_zone_countries(facts->time_zone) : NULL;

    if (!countries || !facts->ip_country)
        return -1;
    show(view, "time_zone_countries", countries);
    show(view, "country", facts->ip_country);
    return !names_country(countries, facts->ip_country);
}

static int outside_jurisdiction(view_t *view)
{
    return compare(view, view->facts->jurisdiction, view->facts->ip_country);
}

static int vp_token_other_person(view_t *view)
{
    return view->facts->vp_token_other_person;
}

static int vp_token_velocity(view_t *view)
{
    apr_int64_t sessions = view->facts->vp_token_sessions;

    if (sessions < 0)
        return -1;
    show_number(view, "sessions", sessions);
    show_number(view, "limit", view->policy->vp_token_sessions);
    show_number(view, "window_days", view->policy->vp_token_days);
    return sessions > view->policy->vp_token_sessions;
}

static signal_t *const judges[IDV_RISK_SIGNAL_COUNT] = {
    [IDV_RISK_SIGNAL_IP_BLOCKED] = ip_blocked,
    [IDV_RISK_SIGNAL_IP_RESERVED] = ip_reserved,
    [IDV_RISK_SIGNAL_IP_HOSTING] = ip_hosting,
    [IDV_RISK_SIGNAL_IP_ANONYMIZER] = ip_anonymizer,
    [IDV_RISK_SIGNAL_IP_TOR] = ip_tor,
    [IDV_RISK_SIGNAL_IP_VELOCITY] = ip_velocity,
    [IDV_RISK_SIGNAL_IP_FAILED_AGE] = ip_failed_age,
    [IDV_RISK_SIGNAL_EMAIL_BLOCKED] = email_blocked,
    [IDV_RISK_SIGNAL_EMAIL_DISPOSABLE] = email_disposable,
    [IDV_RISK_SIGNAL_EMAIL_FREE] = email_free,
    [IDV_RISK_SIGNAL_EMAIL_TAGGED] = email_tagged,
    [IDV_RISK_SIGNAL_EMAIL_RANDOM] = email_random,
    [IDV_RISK_SIGNAL_EMAIL_VELOCITY] = email_velocity,
    [IDV_RISK_SIGNAL_PHONE_BLOCKED] = phone_blocked,
    [IDV_RISK_SIGNAL_PHONE_IMPLAUSIBLE] = phone_implausible,
    [IDV_RISK_SIGNAL_PHONE_COUNTRY_MISMATCH] = phone_country_mismatch,
    [IDV_RISK_SIGNAL_PHONE_VOIP] = phone_voip,
    [IDV_RISK_SIGNAL_PHONE_SERVICE] = phone_service,
    [IDV_RISK_SIGNAL_PHONE_VELOCITY] = phone_velocity,
    [IDV_RISK_SIGNAL_DEVICE_BLOCKED] = device_blocked,
    [IDV_RISK_SIGNAL_DEVICE_VELOCITY] = device_velocity,
    [IDV_RISK_SIGNAL_DEVICE_SHARED] = device_shared,
    [IDV_RISK_SIGNAL_DEVICE_FAILED_AGE] = device_failed_age,
    [IDV_RISK_SIGNAL_AUTOMATION] = automation,
    [IDV_RISK_SIGNAL_WEBDRIVER] = webdriver,
    [IDV_RISK_SIGNAL_CLAIMED_IP_MISMATCH] = claimed_ip_mismatch,
    [IDV_RISK_SIGNAL_DOCUMENT_IP_MISMATCH] = document_ip_mismatch,
    [IDV_RISK_SIGNAL_DOCUMENT_CLAIM_MISMATCH] = document_claim_mismatch,
    [IDV_RISK_SIGNAL_JURISDICTION_MISMATCH] = jurisdiction_mismatch,
    [IDV_RISK_SIGNAL_TIME_ZONE_MISMATCH] = time_zone_mismatch,
    [IDV_RISK_SIGNAL_OUTSIDE_JURISDICTION] = outside_jurisdiction,
    [IDV_RISK_SIGNAL_VP_TOKEN_OTHER_PERSON] = vp_token_other_person,
    [IDV_RISK_SIGNAL_VP_TOKEN_VELOCITY] = vp_token_velocity,
    [IDV_RISK_SIGNAL_DOCUMENT_REUSED] = document_reused,
    [IDV_RISK_SIGNAL_DOCUMENT_SHARED] = document_shared,
    [IDV_RISK_SIGNAL_DOCUMENT_RECAPTURED] = document_recaptured,
    [IDV_RISK_SIGNAL_DOCUMENT_PASTED] = document_pasted,
};

void idv_risk_facts_init(idv_risk_facts_t *facts)
{
    memset(facts, 0, sizeof(*facts));
    facts->ip_reserved = facts->ip_hosting = -1;
    facts->ip_anonymizer = facts->ip_tor = -1;
    facts->email_disposable = facts->email_free = -1;
    facts->email_tagged = facts->email_random = -1;
    facts->ip_failed_age = facts->device_failed_age = -1;
    facts->automated = facts->webdriver = facts->document_reused = -1;
    facts->document_recaptured = facts->document_pasted = -1;
    facts->device_persons = facts->document_persons = -1;
    facts->vp_token_other_person = -1;
    facts->vp_token_sessions = -1;
    for (int i = 0; i < IDV_RISK_KIND_COUNT; i++)
        facts->seen[i] = -1;
}

static int takes_part(const idv_risk_facts_t *facts, int i)
{
    idv_method_t check = signals[i].check;

    return !facts->checks
        || (check != IDV_METHOD_NONE
            && (facts->checks & IDV_METHOD_BIT(check)) != 0);
}

/* Evaluates signal I; its metadata are then in the view, with their object
 * open. */
static int judge(view_t *view, int i)
{
    idv_json_writer_clear(&view->metadata);
    idv_json_open_object(&view->metadata, NULL);
    return judges[i](view);
}

/* Why signal I, which fired, is merely recorded; NULL: it counts. */
static const char *why_recorded(const view_t *view, int i)
{
    idv_risk_kind_t subject = signals[i].subject;

    if (view->policy->shadow[i])
        return "shadow";
    return subject != IDV_RISK_KIND_NONE
                && view->facts->listed[subject] == IDV_RISK_ALLOWED
             ? "allowed"
             : NULL;
}

static int stronger(int a, int b)
{
    return a > b ? a : b;
}

/* The points of the signals with the cause of index C, by what each has alone:
 * the strongest has all of its own, the others share what the cause leaves. */
static void share_points(const idv_risk_policy_t *policy, int c,
                         idv_risk_assessment_t *assessment)
{
    int *points = assessment->points;
    int strongest = -1, left;

    for (int i = 0; i < IDV_RISK_SIGNAL_COUNT; i++)
        if (policy->cause_of[i] == c + 1 && points[i]
            && (strongest < 0 || points[i] > points[strongest]))
            strongest = i;
    if (strongest < 0)
        return;
    left = stronger(policy->causes[c].at_most - points[strongest], 0);
    for (int i = 0; i < IDV_RISK_SIGNAL_COUNT; i++) {
        if (policy->cause_of[i] != c + 1 || i == strongest)
            continue;
        points[i] = points[i] < left ? points[i] : left;
        left -= points[i];
    }
}

void idv_risk_add_up(const idv_risk_policy_t *policy,
                     idv_risk_assessment_t *assessment)
{
    assessment->is_shadow = policy->shadow_all;
    for (int c = 0; c < policy->cause_count; c++)
        share_points(policy, c, assessment);
    for (int i = 0; i < IDV_RISK_SIGNAL_COUNT; i++)
        assessment->score += assessment->points[i];
    if (assessment->score > IDV_RISK_SCORE_MAX)
        assessment->score = IDV_RISK_SCORE_MAX;
    assessment->level = assessment->score >= policy->high   ? IDV_RISK_HIGH
                      : assessment->score >= policy->medium ? IDV_RISK_MEDIUM
                                                            : IDV_RISK_LOW;
}

/* Asks all signals and sets what each has fired and adds. */
static void judge_all(view_t *view, idv_risk_assessment_t *assessment)
{
    const idv_risk_policy_t *policy = view->policy;

    for (int i = 0; i < IDV_RISK_SIGNAL_COUNT; i++) {
        int fired = takes_part(view->facts, i) ? judge(view, i) : -1;

        assessment->fired[i] = fired;
        assessment->points[i] =
            fired > 0 && !why_recorded(view, i) ? policy->points[i] : 0;
    }
    idv_risk_add_up(policy, assessment);
}

/* Says in the metadata of signal I, which fired, why it adds less than alone.
 */
static void explain(view_t *view, int i,
                    const idv_risk_assessment_t *assessment)
{
    const idv_risk_policy_t *policy = view->policy;
    const char *recorded = why_recorded(view, i);

    if (assessment->points[i] == policy->points[i])
        return;
    show_number(view, "points_alone", policy->points[i]);
    if (recorded)
        idv_json_put_boolean(&view->metadata, recorded, 1);
    else
        show(view, "cause", policy->causes[policy->cause_of[i] - 1].name);
}

/* Writes signal I, which was evaluated. A signal that is only recorded has its
 * reason, as if it had fired, but is not triggered. */
static void write_signal(idv_json_writer_t *details, view_t *view, int i,
                         idv_risk_assessment_t *assessment)
{
    int fired = judge(view, i);

    if (fired)
        explain(view, i, assessment);
    idv_json_close_object(&view->metadata);
    if (fired && why_recorded(view, i))
        assessment->fired[i] = 0;
    idv_json_open_object(details, NULL);
    idv_json_put_text(details, "name", signals[i].key);
    idv_json_put_boolean(details, "triggered", assessment->fired[i]);
    idv_json_put_integer(details, "points", assessment->points[i]);
    idv_json_put_text(details, "reason",
                      fired ? signals[i].reason : "Nothing unusual.");
    idv_json_put_raw(details, "metadata",
                     idv_json_writer_text(&view->metadata, NULL));
    idv_json_close_object(details);
}

void idv_risk_assess(const idv_risk_policy_t *policy,
                     const idv_risk_facts_t *facts,
                     idv_risk_assessment_t *assessment, apr_pool_t *pool)
{
    view_t view = {.policy = policy, .facts = facts};
    idv_json_writer_t details;

    memset(assessment, 0, sizeof(*assessment));
    idv_json_writer_init(&view.metadata, METADATA_EXPECTED, pool);
    idv_json_writer_init(&details, DETAILS_EXPECTED, pool);
    judge_all(&view, assessment);
    idv_json_open_array(&details, NULL);
    for (int i = 0; i < IDV_RISK_SIGNAL_COUNT; i++)
        if (assessment->fired[i] >= 0)
            write_signal(&details, &view, i, assessment);
    idv_json_close_array(&details);
    assessment->signal_details = idv_json_writer_text(&details, NULL);
    assessment->automation = assessment->fired[IDV_RISK_SIGNAL_AUTOMATION] > 0
                          || assessment->fired[IDV_RISK_SIGNAL_WEBDRIVER] > 0;
}

const char *idv_risk_assessment_text(const char *id, idv_time_t created,
                                     const idv_risk_assessment_t *assessment,
                                     apr_pool_t *pool)
{
    idv_json_writer_t object;

    idv_json_writer_init(&object, ASSESSMENT_EXPECTED, pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "id", id);
    idv_json_put_text(&object, "object", "risk_assessment");
    idv_json_put_integer(&object, "risk_score", assessment->score);
    idv_json_put_text(&object, "risk_level",
                      idv_risk_level_value(assessment->level));
    idv_json_put_text(&object, "recommendation",
                      idv_risk_recommendation(assessment->level));
    idv_json_open_array(&object, "triggered_signals");
    for (int i = 0; i < IDV_RISK_SIGNAL_COUNT; i++)
        if (assessment->fired[i] > 0)
            idv_json_put_text(&object, NULL, signals[i].key);
    idv_json_close_array(&object);
    idv_json_open_array(&object, "reasons");
    for (int i = 0; i < IDV_RISK_SIGNAL_COUNT; i++)
        if (assessment->fired[i] > 0)
            idv_json_put_text(&object, NULL, signals[i].reason);
    idv_json_close_array(&object);
    idv_json_put_raw(&object, "signal_details", assessment->signal_details);
    idv_json_put_integer(&object, "created", idv_time_seconds(created));
    idv_json_close_object(&object);
    return idv_json_writer_text(&object, NULL);
}
