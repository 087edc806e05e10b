/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/value/phone_type.h"

#include <stddef.h>
#include <string.h>

/* --- the plans --- */

/* A pattern of national numbers for each type; "" where the plan has none. */
typedef struct {
    const char *code; /* none is the beginning of another one */
    const char *premium, *service, *personal, *voip, *fixed, *mobile;
} plan_t;

static const plan_t plans[] = {
#define IDV_PHONE_PLAN(code, premium, service, personal, voip, fixed, mobile)  \
    {code, premium, service, personal, voip, fixed, mobile},
#include "phone_plans.def"
#undef IDV_PHONE_PLAN
};

static const plan_t *plan_of(const char *number)
{
    for (size_t i = 0; i < sizeof(plans) / sizeof(*plans); i++)
        if (strncmp(number, plans[i].code, strlen(plans[i].code)) == 0)
            return &plans[i];
    return NULL;
}

/* --- patterns --- */

/*
 * A pattern is read while it is followed, for all ways at once: a set of
 * positions (bit N: the first N digits can have been read so far) goes in, the
 * set behind the part that was read comes out. So no pattern goes back over a
 * number, and the work is that of its length times its repetitions.
 */
typedef unsigned int positions_t;

/* A number is no longer than its positions have bits; E.164 has 15 digits. */
#define DIGITS_MAX 30

static positions_t alternatives(const char **pattern, const char *digits,
                                positions_t from);

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads a digit, or a class such as [2-46-9], into a set of digits. */
static unsigned int digit_set(const char **pattern)
{
    const char *p = *pattern;
    unsigned int set = 0;

    if (*p != '[') {
        *pattern = p + 1;
        return is_digit(*p) ? 1U << (*p - '0') : 0;
    }
    for (p++; *p && *p != ']'; p++) {
        char last = p[1] == '-' && is_digit(p[2]) ? p[2] : *p;

        for (char digit = *p; is_digit(digit) && digit <= last; digit++)
            set |= 1U << (digit - '0');
        if (last != *p)
            p += 2;
    }
    *pattern = *p ? p + 1 : p;
    return set;
}

/* A digit, a class or a group. */
static positions_t single(const char **pattern, const char *digits,
                          positions_t from)
{
    positions_t to = 0;
    unsigned int set;

    if (**pattern == '(') {
        (*pattern)++;
        to = alternatives(pattern, digits, from);
        if (**pattern == ')')
            (*pattern)++;
        return to;
    }
    set = digit_set(pattern);
    for (int i = 0; digits[i]; i++)
        if ((from >> i & 1) != 0 && (set >> (digits[i] - '0') & 1) != 0)
            to |= 1U << (i + 1);
    return to;
}

static int number_at(const char **pattern)
{
    int number = 0;

    for (; is_digit(**pattern) && number < DIGITS_MAX; (*pattern)++)
        number = number * 10 + (**pattern - '0');
    return number;
}

/* Parses a repetition: ?, {n}, {n,m} or nothing. */
static void repetitions(const char **pattern, int *least, int *most)
{
    *least = *most = 1;
    if (**pattern == '?') {
        (*pattern)++;
        *least = 0;
    } else if (**pattern == '{') {
        (*pattern)++;
        *least = *most = number_at(pattern);
        if (**pattern == ',') {
            (*pattern)++;
            *most = number_at(pattern);
        }
        if (**pattern == '}')
            (*pattern)++;
    }
}

static positions_t repeated(const char **pattern, const char *digits,
                            positions_t from)
{
    const char *start = *pattern;
    positions_t reached = single(pattern, digits, from), to = 0;
    int least, most;

    repetitions(pattern, &least, &most);
    if (least == 0)
        to = from;
    for (int times = 1; times <= most; times++) {
        const char *again = start;

        if (times > 1)
            reached = single(&again, digits, reached);
        if (times >= least)
            to |= reached;
    }
    return to;
}

static positions_t alternatives(const char **pattern, const char *digits,
                                positions_t from)
{
    positions_t to = 0;

    for (;; (*pattern)++) {
        positions_t one = from;

        while (**pattern && **pattern != '|' && **pattern != ')')
            one = repeated(pattern, digits, one);
        to |= one;
        if (**pattern != '|')
            return to;
    }
}

/* Whether all of DIGITS is what PATTERN describes. */
static int matches(const char *pattern, const char *digits)
{
    positions_t to = alternatives(&pattern, digits, 1);

    return (to >> strlen(digits) & 1) != 0;
}

/* --- types --- */

idv_phone_type_t idv_phone_type(const char *number)
{
    const plan_t *plan = plan_of(number + 1);
    const char *national;

    if (!plan)
        return IDV_PHONE_TYPE_UNKNOWN;
    national = number + 1 + strlen(plan->code);
    if (!*national || strlen(national) > DIGITS_MAX)
        return IDV_PHONE_TYPE_UNKNOWN;
    if (matches(plan->premium, national))
        return IDV_PHONE_TYPE_PREMIUM;
    if (matches(plan->service, national))
        return IDV_PHONE_TYPE_SERVICE;
    if (matches(plan->personal, national))
        return IDV_PHONE_TYPE_PERSONAL;
    if (matches(plan->voip, national))
        return IDV_PHONE_TYPE_VOIP;
    if (matches(plan->fixed, national))
        return matches(plan->mobile, national) ? IDV_PHONE_TYPE_FIXED_OR_MOBILE
                                               : IDV_PHONE_TYPE_FIXED;
    return matches(plan->mobile, national) ? IDV_PHONE_TYPE_MOBILE
                                           : IDV_PHONE_TYPE_UNKNOWN;
}

const char *idv_phone_type_value(idv_phone_type_t type)
{
    static const char *const values[] = {
#define X(name, value) value,
        IDV_PHONE_TYPES(X)
#undef X
    };

    return values[type];
}
