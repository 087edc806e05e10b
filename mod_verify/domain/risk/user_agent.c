/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/risk/user_agent.h"

#include <string.h>
#include <strings.h>

/* Lower-case parts by which programs, and browsers led by programs, are known.
 * A word boundary before them is not asked for: "HeadlessChrome". */
static const char *const automata[] = {
    "headless",   "phantomjs",  "selenium",        "webdriver",
    "puppeteer",  "playwright", "cypress",         "curl/",
    "wget/",      "aiohttp",    "python-requests", "python-urllib",
    "httpx/",     "scrapy",     "go-http-client",  "libwww-perl",
    "http-tiny",  "node-fetch", "axios/",          "undici",
    "guzzlehttp", "insomnia/",  "postmanruntime",  "restsharp",
    "bot/",       "bot;",       "crawler",         "spider/",
};

/* Default names of the HTTP libraries of native apps. */
static const char *const app_libraries[] = {
    "okhttp",
    "java/",
    "apache-httpclient",
};

/* In this order: most name those that they resemble as well. */
static const struct {
    const char *part, *family;
} browsers[] = {
    {"Edg/", "edge"},
    {"EdgA/", "edge"},
    {"EdgiOS/", "edge"},
    {"SamsungBrowser/", "samsung_internet"},
    {"OPR/", "opera"},
    {"OPT/", "opera"},
    {"FxiOS/", "firefox"},
    {"Firefox/", "firefox"},
    {"CriOS/", "chrome"},
    {"Chrome/", "chrome"},
    {"Safari/", "safari"},
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

const char *idv_user_agent_browser(const char *user_agent)
{
    if (!user_agent)
        return NULL;
    for (size_t i = 0; i < sizeof(browsers) / sizeof(*browsers); i++)
        if (strstr(user_agent, browsers[i].part))
            return browsers[i].family;
    return "other";
}
