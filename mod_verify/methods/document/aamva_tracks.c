/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/document/aamva_tracks.h"

#include <stdio.h>
#include <string.h>

#include <apr_strings.h>

#include "domain/value/civil_date.h"

/* Characters per field, without the separators. */
enum {
    JURISDICTION = 2,
    CITY = 13,
    NAME = 35,
    ADDRESS = 77,
    ISSUER = 6,
    NUMBER = 13,
    EXPIRY = 4,
    BIRTH = 8,
    OVERFLOW = 5,
    POSTAL_CODE = 11,
    VERSIONS = 2,
    UNUSED = 2 + 10 + 4, /* class, restrictions, endorsements */
    HEIGHT = 3,
    WEIGHT_AND_HAIR = 3 + 3,
    EYES = 3
};

/* The position of the next field in a track. */
typedef struct {
    const char *at;
    apr_pool_t *pool;
} track_t;

/* The next SIZE characters, or fewer at the end of the track. */
static const char *take(track_t *track, size_t size)
{
    size_t length = strnlen(track->at, size);
    const char *field = apr_pstrmemdup(track->pool, track->at, length);

    track->at += length;
    return field;
}

/* The next field, which ends at one of ENDS or after SIZE characters. */
static const char *take_until(track_t *track, char ends, size_t size)
{
    const char *end = strchr(track->at, ends);
    size_t length = strnlen(track->at, size);
    const char *field;

    if (end && (size_t)(end - track->at) <= size)
        length = (size_t)(end - track->at);
    field = apr_pstrmemdup(track->pool, track->at, length);
    track->at += length;
    if (*track->at == ends)
        track->at++;
    return field;
}

static void add(idv_aamva_file_t *file, const char *id, const char *value,
                apr_pool_t *pool)
{
    const idv_bytes_t bytes = {(const unsigned char *)value, strlen(value)};

    /* Shorter than the maximum. */
    (void)idv_aamva_add(file, id, bytes, pool);
}

/* The text between START and the next ?; NULL if there is none. */
static const char *find_track(const char **text, char start, apr_pool_t *pool)
{
    const char *begin = strchr(*text, start);
    const char *end = begin ? strchr(begin, '?') : NULL;

    if (!end)
        return NULL;
    *text = end + 1;
    return apr_pstrmemdup(pool, begin + 1, (apr_size_t)(end - begin - 1));
}

static int is_number(const char *text, size_t length)
{
    return strlen(text) == length && strspn(text, "0123456789") == length;
}

/* The last day of MONTH as CCYYMMDD. */
static const char *last_day(int year, int month, apr_pool_t *pool)
{
    idv_date_t next = month == 12 ? (idv_date_t){year + 1, 1, 1}
                                  : (idv_date_t){year, month + 1, 1};
    idv_date_t last = idv_date_of_days(idv_date_days(next) - 1);

    return apr_psprintf(pool, "%04d%02d%02d", last.year, last.month, last.day);
}

/* DBA for EXPIRY, YYMM, of a holder born on BIRTH, CCYYMMDD; "" if it is
 * invalid. */
static const char *expiry_of(const char *expiry, const char *birth,
                             apr_pool_t *pool)
{
    int year = 0, month = 0, birth_month = 0;

    if (sscanf(expiry, "%2d%2d", &year, &month) != 2
        || sscanf(birth + 4, "%2d", &birth_month) != 1)
        return "";
    year += 2000;
    if (month == 77)
        return "99999999";
    if (month == 99)
        return apr_psprintf(pool, "%04d%s", year, birth + 4);
    if (month == 88)
        month = birth_month;
    return month >= 1 && month <= 12 ? last_day(year, month, pool) : "";
}

static void read_track_1(const char *text, idv_aamva_file_t *file,
                         apr_pool_t *pool)
{
    track_t track = {text, pool};
    const char *address, *street_end;

    add(file, "DAJ", take(&track, JURISDICTION), pool);
    add(file, "DAI", take_until(&track, '^', CITY), pool);
    add(file, "DAA", take_until(&track, '^', NAME), pool);
    address = take_until(&track, '^', ADDRESS);
    street_end = strchr(address, '$');
    add(file, "DAG",
        street_end ? apr_pstrmemdup(pool, address,
                                    (apr_size_t)(street_end - address))
                   : address,
        pool);
}

/* Zero if it does not have that form. */
static int read_track_2(const char *text, idv_aamva_file_t *file,
                        apr_pool_t *pool)
{
    track_t track = {text, pool};
    const char *issuer = take(&track, ISSUER);
    const char *number = take_until(&track, '=', NUMBER);
    const char *expiry = take(&track, EXPIRY), *birth = take(&track, BIRTH);

    if (!is_number(issuer, ISSUER) || !is_number(expiry, EXPIRY)
        || !is_number(birth, BIRTH))
        return 0;
    memcpy(file->issuer, issuer, ISSUER);
    file->issuer[ISSUER] = '\0';
    number = apr_pstrcat(pool, number, take_until(&track, '=', OVERFLOW), NULL);
    add(file, "DAQ", number, pool);
    add(file, "DBA", expiry_of(expiry, birth, pool), pool);
    add(file, "DBB", birth, pool);
    return 1;
}

static void read_track_3(const char *text, idv_aamva_file_t *file,
                         apr_pool_t *pool)
{
    track_t track = {text, pool};

    take(&track, VERSIONS);
    add(file, "DAK", take(&track, POSTAL_CODE), pool);
    take(&track, UNUSED);
    add(file, "DBC", take(&track, 1), pool);
    add(file, "DAU", take(&track, HEIGHT), pool);
    take(&track, WEIGHT_AND_HAIR);
    add(file, "DAY", take(&track, EYES), pool);
}

int idv_aamva_tracks_read(idv_bytes_t payload, idv_aamva_file_t *file,
                          apr_pool_t *result)
{
    const char *text = apr_pstrmemdup(result, (const char *)payload.data,
                                      payload.length);
    const char *first, *second, *third;

    text += strspn(text, " \r\n\t");
    if (*text != '%')
        return 0;
    first = find_track(&text, '%', result);
    second = first ? find_track(&text, ';', result) : NULL;
    third = second ? find_track(&text, '%', result) : NULL;
    if (!third || !read_track_2(second, file, result))
        return 0;
    read_track_1(first, file, result);
    read_track_3(third, file, result);
    file->version = 1;
    memcpy(file->subfile, "DL", sizeof(file->subfile));
    return 1;
}
