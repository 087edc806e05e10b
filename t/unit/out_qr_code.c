/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include <qrencode.h>
#include <stdio.h>

#include "out/qr_code.h"

#define LINK                                                                   \
    "https://verify.example.com/verify/"                                       \
    "handoff#01hzxk3v9m8p4q2r7s6t5w0y1zAbCdEfGhIjKlMnOpQrStUv"
#define MODULES_MAX 177 /* of the largest code */

typedef struct {
    int size; /* with the quiet zone */
    unsigned char dark[MODULES_MAX + 8][MODULES_MAX + 8];
} picture_t;

/* Paints the rectangles of the second path, each of which has to be inside. */
static void paint(const char *svg, picture_t *picture)
{
    const char *path = strstr(svg, "<path d=\"");
    int x, y, width, back, length = 0;

    memset(picture, 0, sizeof(*picture));
    assert_int_equal(sscanf(strstr(svg, "viewBox"), "viewBox=\"0 0 %d",
                            &picture->size),
                     1);
    assert_in_range(picture->size, 1, MODULES_MAX + 8);
    assert_non_null(path);
    path += strlen("<path d=\"");
    for (; *path != '"'; path += length) {
        assert_int_equal(sscanf(path, "M%d %dh%dv1h-%dz%n", &x, &y, &width,
                                &back, &length),
                         4);
        assert_int_equal(width, back);
        assert_true(x >= 0 && y >= 0 && width > 0 && x + width <= picture->size
                    && y < picture->size);
        memset(&picture->dark[y][x], 1, (size_t)width);
    }
    assert_string_equal(path, "\"/></svg>");
}

static void shows_the_code(void **state)
{
    apr_pool_t *pool = *state;
    QRcode *code = QRcode_encodeString(LINK, 0, QR_ECLEVEL_M, QR_MODE_8, 1);
    picture_t *picture = apr_palloc(pool, sizeof(*picture));
    const char *svg;

    assert_null(idv_qr_code_svg(LINK, &svg, pool));
    paint(svg, picture);
    assert_int_equal(picture->size, code->width + 8);
    for (int y = 0; y < picture->size; y++)
        for (int x = 0; x < picture->size; x++) {
            int inside = x >= 4 && y >= 4 && x < picture->size - 4
                      && y < picture->size - 4;
            int dark =
                inside ? code->data[(y - 4) * code->width + x - 4] & 1 : 0;

            assert_int_equal(picture->dark[y][x], dark);
        }
    QRcode_free(code);
}

/* Text of the page cannot leave the picture, since none is in it. */
static void has_no_text(void **state)
{
    apr_pool_t *pool = *state;
    const char *svg;

    assert_null(idv_qr_code_svg("\"><script>", &svg, pool));
    assert_null(strstr(svg, "script"));
    assert_int_equal(strspn(svg + strlen("<svg "),
                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUV"
                            "WXYZ0123456789 =\"'#:/.<>-"),
                     strlen(svg) - strlen("<svg "));
}

static void refuses_what_is_too_long(void **state)
{
    apr_pool_t *pool = *state;
    char *text = apr_palloc(pool, 4001);
    idv_error_t *error;
    const char *svg;

    memset(text, 'x', 4000);
    text[4000] = '\0';
    error = idv_qr_code_svg(text, &svg, pool);
    assert_non_null(error);
    assert_int_equal(error->code, IDV_E_INTERNAL);
    assert_null(strstr(error->detail, "xx"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(shows_the_code),
        pooled_test(has_no_text),
        pooled_test(refuses_what_is_too_long),
    };

    return unit_run("out/qr_code", tests);
}
