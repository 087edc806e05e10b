/* SPDX-License-Identifier: Apache-2.0 */
/* A notification to an address that a customer sent, about an organization
 * whose name anybody chose: lines of recipient, name and sender. Whatever they
 * are, the message has the fields that it always has and no line too many. */
#include "fuzz/fuzz.h"

#include "out/mail_message.h"
#include "out/mail_notice.h"

#define LINE_MAX_BYTES 998 /* RFC 5322, 2.1.1 */

/* The next line of *REST without its end, which is moved behind it. */
static const char *take_line(char **rest)
{
    char *line = *rest, *end = strchr(line, '\n');

    *rest = end ? end + 1 : line + strlen(line);
    if (end)
        *end = '\0';
    return line;
}

static void check_lines(const char *message)
{
    for (const char *line = message; *line;) {
        const char *end = strstr(line, "\r\n");

        promise(end && end - line <= LINE_MAX_BYTES);
        for (; line < end; line++)
            promise((unsigned char)*line >= ' ' || *line == '\t');
        line = end + 2;
    }
}

/* The fields in their order; each of their further lines begins with a blank.
 */
static void check_fields(const char *message)
{
    static const char *const fields[] = {
        "From: ",         "To: ",           "Subject: ",
        "Date: ",         "Message-ID: ",   "Auto-Submitted: ",
        "MIME-Version: ", "Content-Type: ", "\r\n"};

    for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
        promise(strncmp(message, fields[i], strlen(fields[i])) == 0);
        do {
            message = strstr(message, "\r\n");
            promise(message);
            message += 2;
        } while (*message == ' ');
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    char *rest = apr_pstrmemdup(pool, (const char *)data, size);
    const char *to = take_line(&rest), *name = take_line(&rest), *written;
    idv_mailbox_t from = {NULL, "verify@example.com"}, parsed;
    idv_trust_reuse_notice_t notice = {.look = {name, NULL},
                                       .granted_at = 1800000000 * IDV_SECOND,
                                       .link = "https://verify.example/x"};
    idv_mail_message_t message = {.to = to, .id = "mail_1", .date = 1};

    if (!idv_mailbox_parse(rest, &parsed, pool))
        from = parsed;
    message.from = from;
    idv_trust_reuse_notice_write(&notice, &message, pool);
    if (!idv_mail_message_write(&message, &written, pool)) {
        promise(!strpbrk(to, "\r\n<>, "));
        check_lines(written);
        check_fields(written);
    }
    apr_pool_destroy(pool);
    return 0;
}
