/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/risk.h"

#include <ctype.h>
#include <string.h>

#include <apr_strings.h>

#include "core/json_writer.h"

/* Lengths of texts that are enough for most. */
#define METADATA_EXPECTED 200
#define DETAILS_EXPECTED 3000
#define ASSESSMENT_EXPECTED 4000

static const struct {
    const char *key;
    const char *reason;
    idv_method_t check;
} signals[] = {
#define X(name, key, points, check, reason) {key, reason, IDV_METHOD_##check},
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

const char *idv_risk_tier(const idv_risk_assessment_t *assessment)
{
    return tiers[assessment->automation ? IDV_RISK_TIER_BOT
                                        : levels[assessment->level].tier];
}

/* --- user agents --- */

/* Lower-case parts by which programs, and browsers led by programs, are known.
 * A word boundary before them is not asked for: "HeadlessChrome". */
static const char *const automata[] = {
    "headless",       "phantomjs",
    "selenium",       "webdriver",
    "puppeteer",      "playwright",
    "cypress",        "curl/",
    "wget/",          "python-requests",
    "python-urllib",  "aiohttp",
    "httpx/",         "scrapy",
    "go-http-client", "okhttp",
    "java/",          "apache-httpclient",
    "libwww-perl",    "http-tiny",
    "node-fetch",     "axios/",
    "undici",         "guzzlehttp",
    "postmanruntime", "insomnia/",
    "restsharp",      "bot/",
    "bot;",           "crawler",
    "spider/",
};

int idv_user_agent_is_automated(const char *user_agent)
{
    for (size_t i = 0; i < sizeof(automata) / sizeof(*automata); i++) {
        size_t length = strlen(automata[i]);

        for (const char *c = user_agent; *c; c++)
            if (strncasecmp(c, automata[i], length) == 0)
                return 1;
    }
    return 0;
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
#include "domain/calling_codes.def"
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

/* What is judged, and what a signal wants to show. */
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
    show_number(view, "count", count);
    show_number(view, "limit", view->policy->velocity_limit[kind]);
    show_number(view, "window_seconds", view->policy->velocity_seconds);
    return count > view->policy->velocity_limit[kind];
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
    for (const char *code = plan->countries; *code; code += strspn(code, " ")) {
        size_t length = strcspn(code, " ");

        if ((int)length == country_length(country)
            && strncmp(code, country, length) == 0)
            return 0;
        code += length;
    }
    return 1;
}

static int phone_velocity(view_t *view)
{
    return is_frequent(view, IDV_RISK_KIND_PHONE);
}

static int device_velocity(view_t *view)
{
    return is_frequent(view, IDV_RISK_KIND_DEVICE);
}

static int device_shared(view_t *view)
{
    apr_int64_t persons = view->facts->device_persons;

    if (persons < 0)
        return -1;
    show_number(view, "persons", persons);
    show_number(view, "limit", view->policy->device_persons);
    show_number(view, "window_days", view->policy->device_days);
    return persons >= view->policy->device_persons;
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
    [IDV_RISK_SIGNAL_IP_RESERVED] = ip_reserved,
    [IDV_RISK_SIGNAL_IP_HOSTING] = ip_hosting,
    [IDV_RISK_SIGNAL_IP_ANONYMIZER] = ip_anonymizer,
    [IDV_RISK_SIGNAL_IP_TOR] = ip_tor,
    [IDV_RISK_SIGNAL_IP_VELOCITY] = ip_velocity,
    [IDV_RISK_SIGNAL_EMAIL_DISPOSABLE] = email_disposable,
    [IDV_RISK_SIGNAL_EMAIL_FREE] = email_free,
    [IDV_RISK_SIGNAL_EMAIL_VELOCITY] = email_velocity,
    [IDV_RISK_SIGNAL_PHONE_IMPLAUSIBLE] = phone_implausible,
    [IDV_RISK_SIGNAL_PHONE_COUNTRY_MISMATCH] = phone_country_mismatch,
    [IDV_RISK_SIGNAL_PHONE_VELOCITY] = phone_velocity,
    [IDV_RISK_SIGNAL_DEVICE_VELOCITY] = device_velocity,
    [IDV_RISK_SIGNAL_DEVICE_SHARED] = device_shared,
    [IDV_RISK_SIGNAL_AUTOMATION] = automation,
    [IDV_RISK_SIGNAL_WEBDRIVER] = webdriver,
    [IDV_RISK_SIGNAL_CLAIMED_IP_MISMATCH] = claimed_ip_mismatch,
    [IDV_RISK_SIGNAL_DOCUMENT_IP_MISMATCH] = document_ip_mismatch,
    [IDV_RISK_SIGNAL_DOCUMENT_CLAIM_MISMATCH] = document_claim_mismatch,
    [IDV_RISK_SIGNAL_JURISDICTION_MISMATCH] = jurisdiction_mismatch,
    [IDV_RISK_SIGNAL_OUTSIDE_JURISDICTION] = outside_jurisdiction,
    [IDV_RISK_SIGNAL_VP_TOKEN_OTHER_PERSON] = vp_token_other_person,
    [IDV_RISK_SIGNAL_VP_TOKEN_VELOCITY] = vp_token_velocity,
    [IDV_RISK_SIGNAL_DOCUMENT_REUSED] = document_reused,
};

void idv_risk_facts_init(idv_risk_facts_t *facts)
{
    memset(facts, 0, sizeof(*facts));
    facts->ip_reserved = facts->ip_hosting = -1;
    facts->ip_anonymizer = facts->ip_tor = -1;
    facts->email_disposable = facts->email_free = -1;
    facts->automated = facts->webdriver = facts->document_reused = -1;
    facts->device_persons = -1;
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

static void write_signal(idv_json_writer_t *details, view_t *view, int i,
                         int fired)
{
    idv_json_open_object(details, NULL);
    idv_json_put_text(details, "name", signals[i].key);
    idv_json_put_boolean(details, "triggered", fired);
    idv_json_put_integer(details, "points",
                         fired ? view->policy->points[i] : 0);
    idv_json_put_text(details, "reason",
                      fired ? signals[i].reason : "Nothing unusual.");
    idv_json_put_raw(details, "metadata",
                     idv_json_writer_text(&view->metadata, NULL));
    idv_json_close_object(details);
}

/* What signal I says of the facts; its metadata are in the view then. */
static int judge(view_t *view, int i)
{
    int fired;

    idv_json_writer_clear(&view->metadata);
    idv_json_open_object(&view->metadata, NULL);
    fired = judges[i](view);
    idv_json_close_object(&view->metadata);
    return fired;
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
    idv_json_open_array(&details, NULL);
    for (int i = 0; i < IDV_RISK_SIGNAL_COUNT; i++) {
        int fired = takes_part(facts, i) ? judge(&view, i) : -1;

        assessment->fired[i] = fired;
        if (fired < 0)
            continue;
        write_signal(&details, &view, i, fired);
        if (fired)
            assessment->score += policy->points[i];
    }
    idv_json_close_array(&details);
    assessment->signal_details = idv_json_writer_text(&details, NULL);
    if (assessment->score > IDV_RISK_SCORE_MAX)
        assessment->score = IDV_RISK_SCORE_MAX;
    assessment->level = assessment->score >= policy->high   ? IDV_RISK_HIGH
                      : assessment->score >= policy->medium ? IDV_RISK_MEDIUM
                                                            : IDV_RISK_LOW;
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
