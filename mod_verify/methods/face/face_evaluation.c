/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/face/face_evaluation.h"

#include <math.h>

#include <apr_strings.h>


enum {
    HALVINGS = 60, /* of the interval in which a bound is searched */
    STEPS = 100,   /* of a curve */
    WIDTH = 640,   /* of the picture, in its units */
    HEIGHT = 400,
    MARGIN = 50,
};

/* --- rates --- */

/* The probability of at most MOST errors in COUNT tries, each with chance P. */
static double at_most(int most, int count, double p)
{
    double sum = 0;

    if (p <= 0 || most >= count)
        return 1;
    if (p >= 1)
        return 0;
    for (int k = 0; k <= most; k++)
        sum += exp(lgamma(count + 1.0) - lgamma(k + 1.0)
                   - lgamma(count - k + 1.0) + k * log(p)
                   + (count - k) * log1p(-p));
    return fmin(sum, 1);
}

/* The error rate at which at most MOST errors have the probability TAIL. The
 * probability falls as the rate rises. */
static double chance_of(int most, int count, double tail)
{
    double low = 0, high = 1;

    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;

        if (at_most(most, count, middle) > tail)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

idv_rate_t idv_rate_of(int errors, int count)
{
    double tail = (1 - IDV_RATE_CONFIDENCE) / 2;
    idv_rate_t rate = {.errors = errors, .count = count, .high = 1};

    if (count <= 0)
        return rate;
    rate.rate = (double)errors / count;
    if (errors > 0)
        rate.low = chance_of(errors - 1, count, 1 - tail);
    if (errors < count)
        rate.high = chance_of(errors, count, tail);
    return rate;
}

double idv_scores_share(const idv_scores_t *scores, double threshold)
{
    int reached = 0;

    for (int i = 0; i < scores->count; i++)
        reached += scores->values[i] >= threshold;
    return scores->count > 0 ? (double)reached / scores->count : 0;
}

/* --- the picture --- */

static double place_x(const idv_evaluation_plot_t *plot, double threshold)
{
    return MARGIN
         + (threshold - plot->least) / (plot->most - plot->least)
               * (WIDTH - 2 * MARGIN);
}

static double place_y(double share)
{
    return HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN);
}

/* The points of one error over all thresholds. */
static const char *curve_of(const idv_evaluation_plot_t *plot, int is_refusal,
                            apr_pool_t *pool)
{
    const char *points = "";

    for (int i = 0; i <= STEPS; i++) {
        double threshold =
            plot->least + (plot->most - plot->least) * i / STEPS;
        double share =
            is_refusal ? 1 - idv_scores_share(&plot->genuine, threshold)
                       : idv_scores_share(&plot->others, threshold);

        points = apr_psprintf(pool, "%s%.1f,%.1f ", points,
                              place_x(plot, threshold), place_y(share));
    }
    return points;
}

static const char *line_of(const idv_evaluation_plot_t *plot, int is_refusal,
                           apr_pool_t *pool)
{
    const char *colour = is_refusal ? "#1f5fbf" : "#b3261e";
    int at = is_refusal ? MARGIN + 40 : MARGIN + 20;

    return apr_psprintf(
        pool,
        "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" "
        "points=\"%s\"/>\n<text x=\"%d\" y=\"%d\" fill=\"%s\">%s, n = %d"
        "</text>\n",
        colour, curve_of(plot, is_refusal, pool), WIDTH - MARGIN - 160, at,
        colour, is_refusal ? plot->refused : plot->accepted,
        is_refusal ? plot->genuine.count : plot->others.count);
}

static const char *axes_of(const idv_evaluation_plot_t *plot, apr_pool_t *pool)
{
    const char *text = apr_psprintf(
        pool,
        "<path d=\"M%d %d V%d H%d\" fill=\"none\" stroke=\"#444\"/>\n"
        "<text x=\"%d\" y=\"%d\">%s</text>\n"
        "<path d=\"M%.1f %d V%d\" stroke=\"#444\" stroke-dasharray=\"4\"/>\n",
        MARGIN, MARGIN, HEIGHT - MARGIN, WIDTH - MARGIN, MARGIN, HEIGHT - 12,
        plot->axis, place_x(plot, plot->used), MARGIN, HEIGHT - MARGIN);

    for (int i = 0; i <= 4; i++)
        text = apr_psprintf(
            pool,
            "%s<text x=\"8\" y=\"%.1f\">%d %%</text>\n"
            "<text x=\"%.1f\" y=\"%d\">%.2f</text>\n",
            text, place_y(i / 4.0) + 4, 25 * i,
            place_x(plot, plot->least + (plot->most - plot->least) * i / 4) - 12,
            HEIGHT - MARGIN + 16,
            plot->least + (plot->most - plot->least) * i / 4);
    return text;
}

const char *idv_evaluation_plot(const idv_evaluation_plot_t *plot,
                                apr_pool_t *pool)
{
    return apr_psprintf(
        pool,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n"
        "<title>%s</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n"
        "<text x=\"%d\" y=\"28\" font-size=\"15\">%s</text>\n%s%s%s</svg>\n",
        WIDTH, HEIGHT, plot->title, WIDTH, HEIGHT, MARGIN, plot->title,
        axes_of(plot, pool), line_of(plot, 0, pool), line_of(plot, 1, pool));
}
