/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_HTTPD_ACCESS_LOGIN_PAGE_H
#define IDV_HTTPD_ACCESS_LOGIN_PAGE_H

/*
 * The page for a browser that opens the dashboard without a login, as after
 * "Cancel" in the browser's own window. It says who gives a login and has a
 * link to try again. It is in English or German, needs no script and loads
 * nothing.
 *
 * In the demonstration, the environment variable verify-login-file of the
 * request (SetEnvIf) names the file with the login, and the page shows the
 * name.
 *
 * Threads: one request, one thread. Memory: the pool of the request. Failures:
 * none.
 */
#include <httpd.h>

/* The page that answers R, an unauthorized request below /dashboard, and sets
 * its headers; NULL if a program asks, which gets the error envelope. */
const char *idv_login_page(request_rec *r);

#endif
