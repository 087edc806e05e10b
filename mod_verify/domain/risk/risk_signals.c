/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/risk/risk_signals.h"

#include <string.h>

#include <apr_strings.h>

#include "domain/value/jurisdiction.h"
#include "domain/value/phone_type.h"
#include "domain/value/time_zone.h"

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

typedef int signal_t(idv_risk_view_t *view);

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

static void show(idv_risk_view_t *view, const char *name, const char *value)
{
    idv_json_put_text(&view->metadata, name, value);
}

static void show_number(idv_risk_view_t *view, const char *name,
                        apr_int64_t value)
{
    idv_json_put_integer(&view->metadata, name, value);
}

static int compare(idv_risk_view_t *view, const char *a, const char *b)
{
    if (!a || !b)
        return -1;
    show(view, "first", a);
    show(view, "second", b);
    return idv_jurisdiction_disagree(a, b) != 0;
}

static int is_frequent(idv_risk_view_t *view, idv_risk_kind_t kind)
{
    apr_int64_t count = view->facts->seen[kind];

    if (count < 0)
        return -1;
    show_number(view, "persons", count);
    show_number(view, "limit", view->policy->velocity_limit[kind]);
    show_number(view, "window_seconds", view->policy->velocity_seconds);
    return count > view->policy->velocity_limit[kind];
}

/* Only a blocked identifier is a signal: that it is not listed means nothing.
 */
static int is_blocked(const idv_risk_view_t *view, idv_risk_kind_t kind)
{
    return view->facts->listed[kind] == IDV_RISK_BLOCKED ? 1 : -1;
}

static int ip_blocked(idv_risk_view_t *view)
{
    return is_blocked(view, IDV_RISK_KIND_IP);
}

static int email_blocked(idv_risk_view_t *view)
{
    return is_blocked(view, IDV_RISK_KIND_EMAIL);
}

static int phone_blocked(idv_risk_view_t *view)
{
    return is_blocked(view, IDV_RISK_KIND_PHONE);
}

static int device_blocked(idv_risk_view_t *view)
{
    return is_blocked(view, IDV_RISK_KIND_DEVICE);
}

static int ip_reserved(idv_risk_view_t *view)
{
    return view->facts->ip_reserved;
}

static int ip_hosting(idv_risk_view_t *view)
{
    return view->facts->ip_hosting;
}

static int ip_anonymizer(idv_risk_view_t *view)
{
    return view->facts->ip_anonymizer;
}

static int ip_tor(idv_risk_view_t *view)
{
    return view->facts->ip_tor;
}

static int ip_velocity(idv_risk_view_t *view)
{
    return is_frequent(view, IDV_RISK_KIND_IP);
}

static int is_failed_age(idv_risk_view_t *view, int failed, int days)
{
    if (failed >= 0)
        show_number(view, "window_days", days);
    return failed;
}

static int ip_failed_age(idv_risk_view_t *view)
{
    return is_failed_age(view, view->facts->ip_failed_age,
                         view->policy->failed_age_ip_days);
}

static int device_failed_age(idv_risk_view_t *view)
{
    return is_failed_age(view, view->facts->device_failed_age,
                         view->policy->failed_age_device_days);
}

static int email_tagged(idv_risk_view_t *view)
{
    return view->facts->email_tagged;
}

static int email_random(idv_risk_view_t *view)
{
    return view->facts->email_random;
}

static int email_disposable(idv_risk_view_t *view)
{
    return view->facts->email_disposable;
}

static int email_free(idv_risk_view_t *view)
{
    return view->facts->email_free;
}

static int email_velocity(idv_risk_view_t *view)
{
    return is_frequent(view, IDV_RISK_KIND_EMAIL);
}

static int phone_implausible(idv_risk_view_t *view)
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

static int phone_country_mismatch(idv_risk_view_t *view)
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
static int phone_type_of(idv_risk_view_t *view, idv_phone_type_t *type)
{
    if (!view->facts->phone)
        return -1;
    *type = idv_phone_type(view->facts->phone);
    if (*type == IDV_PHONE_TYPE_UNKNOWN)
        return -1;
    show(view, "phone_type", idv_phone_type_value(*type));
    return 0;
}

static int phone_voip(idv_risk_view_t *view)
{
    idv_phone_type_t type;

    if (phone_type_of(view, &type) < 0)
        return -1;
    return type == IDV_PHONE_TYPE_VOIP;
}

static int phone_service(idv_risk_view_t *view)
{
    idv_phone_type_t type;

    if (phone_type_of(view, &type) < 0)
        return -1;
    return type == IDV_PHONE_TYPE_PREMIUM || type == IDV_PHONE_TYPE_SERVICE;
}

static int phone_velocity(idv_risk_view_t *view)
{
    return is_frequent(view, IDV_RISK_KIND_PHONE);
}

static int device_velocity(idv_risk_view_t *view)
{
    return is_frequent(view, IDV_RISK_KIND_DEVICE);
}

/* PERSONS who shared one thing in a window of DAYS, of whom LIMIT are several.
 */
static int is_shared(idv_risk_view_t *view, apr_int64_t persons, int limit,
                     int days)
{
    if (persons < 0)
        return -1;
    show_number(view, "persons", persons);
    show_number(view, "limit", limit);
    show_number(view, "window_days", days);
    return persons >= limit;
}

static int device_shared(idv_risk_view_t *view)
{
    return is_shared(view, view->facts->device_persons,
                     view->policy->device_persons, view->policy->device_days);
}

static int document_shared(idv_risk_view_t *view)
{
    return is_shared(view, view->facts->document_persons,
                     view->policy->document_persons,
                     view->policy->document_days);
}

static int automation(idv_risk_view_t *view)
{
    return view->facts->automated;
}

static int webdriver(idv_risk_view_t *view)
{
    return view->facts->webdriver;
}

static int virtual_camera(idv_risk_view_t *view)
{
    return view->facts->virtual_camera;
}

static int document_reused(idv_risk_view_t *view)
{
    return view->facts->document_reused;
}

static int document_recaptured(idv_risk_view_t *view)
{
    return view->facts->document_recaptured;
}

static int document_pasted(idv_risk_view_t *view)
{
    return view->facts->document_pasted;
}

static int claimed_ip_mismatch(idv_risk_view_t *view)
{
    return compare(view, view->facts->claimed, view->facts->ip_country);
}

static int document_ip_mismatch(idv_risk_view_t *view)
{
    return compare(view, view->facts->document, view->facts->ip_country);
}

static int document_claim_mismatch(idv_risk_view_t *view)
{
    return compare(view, view->facts->document, view->facts->claimed);
}

/* Where the person is said or seen to be, the best source first. */
static int jurisdiction_mismatch(idv_risk_view_t *view)
{
    const idv_risk_facts_t *facts = view->facts;
    const char *place = facts->ip_country ? facts->ip_country
                      : facts->claimed    ? facts->claimed
                                          : facts->document;

    return compare(view, facts->required, place);
}

/* A clock that is set to no country (UTC) says nothing. */
static int time_zone_mismatch(idv_risk_view_t *view)
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

static int outside_jurisdiction(idv_risk_view_t *view)
{
    return compare(view, view->facts->jurisdiction, view->facts->ip_country);
}

static int vp_token_other_person(idv_risk_view_t *view)
{
    return view->facts->vp_token_other_person;
}

static int vp_token_velocity(idv_risk_view_t *view)
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
    [IDV_RISK_SIGNAL_VIRTUAL_CAMERA] = virtual_camera,
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

int idv_risk_judge(idv_risk_view_t *view, int i)
{
    idv_json_writer_clear(&view->metadata);
    idv_json_open_object(&view->metadata, NULL);
    return judges[i](view);
}
