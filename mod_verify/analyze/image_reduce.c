/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/image_reduce.h"

#include <string.h>

#include "analyze/vector.h"

enum { PARTS = 16 /* of a pixel */ };

/* Reductions by only these factors average in steps of two, and round each
 * time. */
static const float halves[] = {0.5F, 0.25F, 0.125F, 0.0625F};

static const double most_factor = 0.7, least_factor = 0.02;

int idv_image_can_reduce(float across, float down)
{
    for (size_t i = 0; i < sizeof(halves) / sizeof(*halves); i++)
        if (across == halves[i] && down == halves[i])
            return 0;
    return across < most_factor && down < most_factor && across >= least_factor
        && down >= least_factor;
}

/* The pixels of one direction below one pixel of the result: FIRST to LAST.
 * Those in between count in full. */
typedef struct {
    int first, last;
    int first_share, last_share; /* parts of them */
} span_t;

/* The span of the pixel AT, if one pixel of the result is SCALE parts. */
static span_t span_at(float scale, int at)
{
    int from = (int)(scale * (float)at);
    int to = (int)((double)scale * (at + 1.0));

    return (span_t){from / PARTS, to / PARTS, PARTS - from % PARTS, to % PARTS};
}

static int parts_of(const span_t *span)
{
    return span->first_share + PARTS * (span->last - span->first - 1)
         + span->last_share;
}

/* Non-zero if SPAN would extend beyond the end of the image. */
static int is_at_end(const span_t *span, int size)
{
    return span->last > size - 2;
}

/* Adds SHARE parts of the COUNT samples of a row to SUMS. */
IDV_WIDE static void add_row(const unsigned char *restrict row, int share,
                             int count, unsigned *restrict sums)
{
    for (int i = 0; i < count; i++)
        sums[i] += (unsigned)(share * row[i]);
}

IDV_WIDE static void begin_row(const unsigned char *restrict row, int share,
                               int count, unsigned *restrict sums)
{
    for (int i = 0; i < count; i++)
        sums[i] = (unsigned)(share * row[i]);
}

static void sum_rows(const idv_image_t *image, const span_t *span,
                     unsigned *sums)
{
    begin_row(idv_image_row(image, span->first), span->first_share,
              image->stride, sums);
    for (int y = span->first + 1; y < span->last; y++)
        add_row(idv_image_row(image, y), PARTS, image->stride, sums);
    if (span->last_share > 0)
        add_row(idv_image_row(image, span->last), span->last_share,
                image->stride, sums);
}

/* One sample of the result, from SUMS, which start at its channel. */
static unsigned sum_columns(const unsigned *sums, const span_t *span,
                            int channels)
{
    const unsigned *at = sums + span->first * channels;
    unsigned sum = (unsigned)span->first_share * *at, whole = 0;

    for (int x = span->first + 1; x < span->last; x++)
        whole += *(at += channels);
    at += channels;
    return sum + PARTS * whole + (unsigned)span->last_share * *at;
}

/* Computes the row of the result above SPAN, from SUMS. */
static void reduce_row(const idv_image_t *image, const span_t *down,
                       const span_t *across, const unsigned *sums,
                       unsigned char *to, int width)
{
    const unsigned char *plain = idv_image_row(image, down->first);
    int channels = image->channels, is_last = is_at_end(down, image->height);
    unsigned height = (unsigned)parts_of(down);

    for (int x = 0; x < width; x++, to += channels) {
        const span_t *span = &across[x];
        unsigned area = height * (unsigned)parts_of(span);

        if (is_last || is_at_end(span, image->width))
            memcpy(to, plain + span->first * channels, (size_t)channels);
        else
            for (int c = 0; c < channels; c++)
                to[c] = (unsigned char)((sum_columns(sums + c, span, channels)
                                         + 128)
                                        / area);
    }
}

idv_error_t *idv_image_reduce(const idv_image_t *image, float across,
                              float down, idv_image_t **out, apr_pool_t *pool)
{
    int width = (int)(across * (float)image->width + 0.5);
    int height = (int)(down * (float)image->height + 0.5);
    span_t *spans;
    unsigned *sums;

    width = width < 1 ? 1 : width;
    height = height < 1 ? 1 : height;
    IDV_TRY(idv_image_create(width, height, image->channels, out, pool));
    spans = apr_palloc(pool, sizeof(*spans) * (apr_size_t)width);
    sums = apr_palloc(pool, sizeof(*sums) * (apr_size_t)image->stride);
    for (int x = 0; x < width; x++)
        spans[x] = span_at((float)(16. * (float)image->width / (float)width), x);
    for (int y = 0; y < height; y++) {
        span_t span =
            span_at((float)(16. * (float)image->height / (float)height), y);

        if (!is_at_end(&span, image->height))
            sum_rows(image, &span, sums);
        reduce_row(image, &span, spans, sums, idv_image_row(*out, y), width);
    }
    return NULL;
}
