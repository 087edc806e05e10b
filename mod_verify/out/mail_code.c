/* SPDX-License-Identifier: Apache-2.0 */
#include "out/mail_code.h"

#include <apr_escape.h>
#include <apr_strings.h>

typedef struct {
    const char *subject; /* code, organization */
    const char *greeting;
    const char *purpose; /* organization */
    const char *time;    /* minutes */
    const char *warning; /* organization */
    const char *unasked;
} texts_t;

static const texts_t all_texts[IDV_MAIL_LANGUAGE_COUNT] = {
    [IDV_MAIL_EN] = {"%s is your code for %s", "Hello,",
                     "with this code you confirm your e-mail address to %s:",
                     "It is valid for %d minutes.",
                     "Enter it only on the page where you requested it. Nobody "
                     "at %s will ever "
                     "ask you for it.",
                     "If you did not request a code, you do not have to do "
                     "anything. Without "
                     "the code, nobody can use your address."},
    [IDV_MAIL_DE] =
        {"%s ist Ihr Code f\xc3\xbcr %s", "Guten Tag,",
         "mit diesem Code best\xc3\xa4tigen Sie %s Ihre E-Mail-Adresse:",
         "Er gilt %d Minuten lang.",
         "Geben Sie ihn nur auf der Seite ein, auf der Sie ihn angefordert "
         "haben. "
         "Niemand von %s wird Sie je danach fragen.",
         "Wenn Sie keinen Code angefordert haben, m\xc3\xbcssen Sie nichts "
         "tun: Ohne "
         "ihn kann niemand Ihre Adresse verwenden."},
    [IDV_MAIL_ES] =
        {"%s es su c\xc3\xb3"
         "digo para %s",
         "Hola:",
         "con este c\xc3\xb3"
         "digo confirma su direcci\xc3\xb3n de correo electr\xc3\xb3nico. Lo"
         " pide: %s",
         "Vale %d minutos.",
         "Introd\xc3\xbazcalo solo en la p\xc3\xa1gina en la que lo pidi"
         "\xc3\xb3. Nadie de %s se lo pedir\xc3\xa1 nunca.",
         "Si no ha pedido ning\xc3\xban c\xc3\xb3"
         "digo, no tiene que hacer nada: sin \xc3\xa9l nadie puede usar su d"
         "irecci\xc3\xb3n."},
    [IDV_MAIL_FR] =
        {"%s est votre code pour %s", "Bonjour,",
         "avec ce code, vous confirmez votre adresse e-mail aupr\xc3\xa8s de"
         " %s :",
         "Il est valable %d minutes.",
         "Saisissez-le uniquement sur la page o\xc3\xb9 vous l\xe2\x80\x99"
         "avez demand\xc3\xa9. Personne de %s ne vous le demandera jamais.",
         "Si vous n\xe2\x80\x99"
         "avez pas demand\xc3\xa9 de code, il n\xe2\x80\x99y a rien \xc3\xa0"
         " faire : sans lui, personne ne peut utiliser votre adresse."},
    [IDV_MAIL_IT] =
        {"%s \xc3\xa8 il suo codice per %s", "Buongiorno,",
         "con questo codice conferma il suo indirizzo e-mail a %s:",
         "Vale %d minuti.",
         "Lo inserisca solo nella pagina in cui l\xe2\x80\x99ha richiesto. N"
         "essuno di %s glielo chieder\xc3\xa0 mai.",
         "Se non ha richiesto un codice, non deve fare nulla: senza di esso "
         "nessuno pu\xc3\xb2 usare il suo indirizzo."},
    [IDV_MAIL_NL] =
        {"%s is uw code voor %s", "Goedendag,",
         "met deze code bevestigt u uw e-mailadres aan %s:",
         "De code geldt %d minuten.",
         "Voer hem alleen in op de pagina waar u erom hebt gevraagd. Niemand"
         " van %s zal u er ooit om vragen.",
         "Als u geen code hebt aangevraagd, hoeft u niets te doen: zonder de"
         " code kan niemand uw adres gebruiken."},
    [IDV_MAIL_PL] =
        {"%s to Tw\xc3\xb3j kod. Dla: %s", "Dzie\xc5\x84 dobry,",
         "tym kodem potwierdzasz sw\xc3\xb3j adres e-mail. Prosi o to: %s",
         "Czas wa\xc5\xbcno\xc5\x9b"
         "ci w minutach: %d.",
         "Wpisz go tylko na stronie, na kt\xc3\xb3rej o niego poproszono. Ni"
         "kt Ci\xc4\x99 o niego nie zapyta, tak\xc5\xbc"
         "e %s.",
         "Je\xc5\x9bli kod nie by\xc5\x82 zamawiany, nie trzeba nic robi"
         "\xc4\x87: bez niego nikt nie u\xc5\xbcyje Twojego adresu."},
    [IDV_MAIL_PT] =
        {"%s \xc3\xa9 o seu c\xc3\xb3"
         "digo para %s",
         "Ol\xc3\xa1,",
         "com este c\xc3\xb3"
         "digo confirma o seu endere\xc3\xa7o de e-mail a %s:",
         "Vale %d minutos.",
         "Introduza-o apenas na p\xc3\xa1gina onde o pediu. Ningu\xc3\xa9m d"
         "e %s lho pedir\xc3\xa1 alguma vez.",
         "Se n\xc3\xa3o pediu um c\xc3\xb3"
         "digo, n\xc3\xa3o precisa de fazer nada: sem ele ningu\xc3\xa9m pod"
         "e usar o seu endere\xc3\xa7o."},
    [IDV_MAIL_TR] =
        {"%s kodunuz. Kimin i\xc3\xa7in: %s", "Merhaba,",
         "bu kodla e-posta adresinizi onaylars\xc4\xb1n\xc4\xb1z. \xc4\xb0st"
         "eyen: %s",
         "%d dakika ge\xc3\xa7"
         "erlidir.",
         "Kodu yaln\xc4\xb1zca istedi\xc4\x9finiz sayfaya girin. Kimse size "
         "kodu sormaz, \xc5\x9fu kurulu\xc5\x9f da: %s",
         "Kod istemediyseniz bir \xc5\x9f"
         "ey yapman\xc4\xb1z gerekmez: kod olmadan adresinizi kimse kullanam"
         "az."},
    [IDV_MAIL_UK] =
        {"%s \xe2\x80\x94 \xd0\xb2\xd0\xb0\xd1\x88 \xd0\xba\xd0\xbe\xd0\xb4."
         " \xd0\x94\xd0\xbb\xd1\x8f: %s",
         "\xd0\x94\xd0\xbe\xd0\xb1\xd1\x80\xd0\xb8\xd0\xb9 \xd0\xb4\xd0\xb5"
         "\xd0\xbd\xd1\x8c!",
         "\xd0\xa6\xd0\xb8\xd0\xbc \xd0\xba\xd0\xbe\xd0\xb4\xd0\xbe\xd0\xbc "
         "\xd0\xb2\xd0\xb8 \xd0\xbf\xd1\x96\xd0\xb4\xd1\x82\xd0\xb2\xd0\xb5"
         "\xd1\x80\xd0\xb4\xd0\xb6\xd1\x83\xd1\x94\xd1\x82\xd0\xb5 \xd0\xb0"
         "\xd0\xb4\xd1\x80\xd0\xb5\xd1\x81\xd1\x83 \xd0\xb5\xd0\xbb\xd0\xb5"
         "\xd0\xba\xd1\x82\xd1\x80\xd0\xbe\xd0\xbd\xd0\xbd\xd0\xbe\xd1\x97 "
         "\xd0\xbf\xd0\xbe\xd1\x88\xd1\x82\xd0\xb8. \xd0\x9f\xd1\x80\xd0\xbe"
         "\xd1\x81\xd0\xb8\xd1\x82\xd1\x8c: %s",
         "\xd0\x94\xd1\x96\xd1\x94 \xd1\x85\xd0\xb2\xd0\xb8\xd0\xbb\xd0\xb8"
         "\xd0\xbd: %d.",
         "\xd0\x92\xd0\xb2\xd0\xbe\xd0\xb4\xd1\x8c\xd1\x82\xd0\xb5 \xd0\xb9"
         "\xd0\xbe\xd0\xb3\xd0\xbe \xd0\xbb\xd0\xb8\xd1\x88\xd0\xb5 \xd0\xbd"
         "\xd0\xb0 \xd1\x81\xd1\x82\xd0\xbe\xd1\x80\xd1\x96\xd0\xbd\xd1\x86"
         "\xd1\x96, \xd0\xb4\xd0\xb5 \xd0\xb2\xd0\xb8 \xd0\xb9\xd0\xbe"
         "\xd0\xb3\xd0\xbe \xd0\xb7\xd0\xb0\xd0\xbc\xd0\xbe\xd0\xb2\xd0\xb8"
         "\xd0\xbb\xd0\xb8. \xd0\x9d\xd1\x96\xd1\x85\xd1\x82\xd0\xbe "
         "\xd0\xb9 \xd0\xbd\xd1\x96\xd0\xba\xd0\xbe\xd0\xbb\xd0\xb8 \xd0\xbd"
         "\xd0\xb5 \xd0\xbf\xd0\xb8\xd1\x82\xd0\xb0\xd1\x82\xd0\xb8\xd0\xbc"
         "\xd0\xb5 \xd0\xb2\xd0\xb0\xd1\x81 \xd0\xbf\xd1\x80\xd0\xbe "
         "\xd0\xbd\xd1\x8c\xd0\xbe\xd0\xb3\xd0\xbe, \xd0\xb7\xd0\xbe\xd0\xba"
         "\xd1\x80\xd0\xb5\xd0\xbc\xd0\xb0 %s.",
         "\xd0\xaf\xd0\xba\xd1\x89\xd0\xbe \xd0\xb2\xd0\xb8 \xd0\xbd\xd0\xb5"
         " \xd0\xb7\xd0\xb0\xd0\xbc\xd0\xbe\xd0\xb2\xd0\xbb\xd1\x8f\xd0\xbb"
         "\xd0\xb8 \xd0\xba\xd0\xbe\xd0\xb4\xd1\x83, \xd1\x80\xd0\xbe"
         "\xd0\xb1\xd0\xb8\xd1\x82\xd0\xb8 \xd0\xbd\xd1\x96\xd1\x87\xd0\xbe"
         "\xd0\xb3\xd0\xbe \xd0\xbd\xd0\xb5 \xd1\x82\xd1\x80\xd0\xb5\xd0\xb1"
         "\xd0\xb0: \xd0\xb1\xd0\xb5\xd0\xb7 \xd0\xbd\xd1\x8c\xd0\xbe"
         "\xd0\xb3\xd0\xbe \xd0\xbd\xd1\x96\xd1\x85\xd1\x82\xd0\xbe \xd0\xbd"
         "\xd0\xb5 \xd1\x81\xd0\xba\xd0\xbe\xd1\x80\xd0\xb8\xd1\x81\xd1\x82"
         "\xd0\xb0\xd1\x94\xd1\x82\xd1\x8c\xd1\x81\xd1\x8f \xd0\xb2\xd0\xb0"
         "\xd1\x88\xd0\xbe\xd1\x8e \xd0\xb0\xd0\xb4\xd1\x80\xd0\xb5\xd1\x81"
         "\xd0\xbe\xd1\x8e."},
    [IDV_MAIL_AR] =
        {"%s \xd9\x87\xd9\x88 \xd8\xb1\xd9\x85\xd8\xb2\xd9\x83 \xd9\x84"
         "\xd8\xaf\xd9\x89 %s",
         "\xd9\x85\xd8\xb1\xd8\xad\xd8\xa8\xd9\x8b\xd8\xa7\xd8\x8c",
         "\xd8\xa8\xd9\x87\xd8\xb0\xd8\xa7 \xd8\xa7\xd9\x84\xd8\xb1\xd9\x85"
         "\xd8\xb2 \xd8\xaa\xd8\xa4\xd9\x83\xd8\xaf \xd8\xb9\xd9\x86\xd9\x88"
         "\xd8\xa7\xd9\x86 \xd8\xa8\xd8\xb1\xd9\x8a\xd8\xaf\xd9\x83 \xd8\xa7"
         "\xd9\x84\xd8\xa5\xd9\x84\xd9\x83\xd8\xaa\xd8\xb1\xd9\x88\xd9\x86"
         "\xd9\x8a \xd9\x84\xd8\xaf\xd9\x89 %s:",
         "\xd9\x85\xd8\xaf\xd8\xa9 \xd8\xb5\xd9\x84\xd8\xa7\xd8\xad\xd9\x8a"
         "\xd8\xaa\xd9\x87 \xd8\xa8\xd8\xa7\xd9\x84\xd8\xaf\xd9\x82\xd8\xa7"
         "\xd8\xa6\xd9\x82: %d.",
         "\xd9\x84\xd8\xa7 \xd8\xaa\xd9\x8f\xd8\xaf\xd8\xae\xd9\x84\xd9\x87 "
         "\xd8\xa5\xd9\x84\xd8\xa7 \xd9\x81\xd9\x8a \xd8\xa7\xd9\x84\xd8\xb5"
         "\xd9\x81\xd8\xad\xd8\xa9 \xd8\xa7\xd9\x84\xd8\xaa\xd9\x8a \xd8\xb7"
         "\xd9\x84\xd8\xa8\xd8\xaa\xd9\x87 \xd9\x81\xd9\x8a\xd9\x87\xd8\xa7."
         " \xd9\x88\xd9\x84\xd9\x86 \xd9\x8a\xd8\xb3\xd8\xa3\xd9\x84\xd9\x83"
         " \xd8\xb9\xd9\x86\xd9\x87 \xd8\xa3\xd8\xad\xd8\xaf \xd9\x85"
         "\xd9\x86 %s \xd8\xa3\xd8\xa8\xd8\xaf\xd9\x8b\xd8\xa7.",
         "\xd8\xa5\xd9\x86 \xd9\x84\xd9\x85 \xd8\xaa\xd8\xb7\xd9\x84\xd8\xa8"
         " \xd8\xb1\xd9\x85\xd8\xb2\xd9\x8b\xd8\xa7 \xd9\x81\xd9\x84\xd8\xa7"
         " \xd8\xad\xd8\xa7\xd8\xac\xd8\xa9 \xd8\xa5\xd9\x84\xd9\x89 "
         "\xd9\x81\xd8\xb9\xd9\x84 \xd8\xb4\xd9\x8a\xd8\xa1: \xd9\x81"
         "\xd9\x85\xd9\x86 \xd8\xaf\xd9\x88\xd9\x86\xd9\x87 \xd9\x84\xd8\xa7"
         " \xd9\x8a\xd8\xb3\xd8\xaa\xd8\xb7\xd9\x8a\xd8\xb9 \xd8\xa3\xd8\xad"
         "\xd8\xaf \xd8\xa7\xd8\xb3\xd8\xaa\xd8\xae\xd8\xaf\xd8\xa7\xd9\x85 "
         "\xd8\xb9\xd9\x86\xd9\x88\xd8\xa7\xd9\x86\xd9\x83."},
};

/* Format strings that are chosen at run time are the constants above. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static const char *filled(const char *format, const char *text,
                          apr_pool_t *pool)
{
    return apr_psprintf(pool, format, text);
}

/* Text, without the secret, that is markup if NAME is. */
static const char *advice(const idv_mail_code_t *mail, const texts_t *texts,
                          const char *name, apr_pool_t *pool)
{
    return apr_pstrcat(pool, apr_psprintf(pool, texts->time, mail->minutes),
                       " ", filled(texts->warning, name, pool), NULL);
}

static const char *subject_of(const idv_mail_code_t *mail, const texts_t *texts,
                              const char *name, apr_pool_t *pool)
{
    return idv_mail_wiped(apr_psprintf(pool, texts->subject, mail->code, name),
                          pool);
}

#pragma GCC diagnostic pop

static const char *html_of(const idv_mail_code_t *mail,
                           idv_mail_language_t language, const char *name,
                           apr_pool_t *pool)
{
    const texts_t *texts = &all_texts[language];
    const char *escaped = apr_pescape_entity(pool, name, 0);
    char *content = apr_pstrcat(
        pool, "<p>", texts->greeting, "</p>\n<p>",
        filled(texts->purpose, escaped, pool),
        /* On the side where the text begins, but never reversed. */
        "</p>\n<p style=\"margin:24px 0;font-size:32px;font-weight:bold;"
        "letter-spacing:0.1em\"><span dir=\"ltr\">",
        mail->code, "</span></p>\n<p>", advice(mail, texts, escaped, pool),
        "</p>\n<p>", texts->unasked,
        "</p>\n<p class=\"small\" dir=\"ltr\" style=\"margin:24px 0 0;"
        "font-size:14px;color:#4d5b6c\">@",
        mail->host, " #", mail->code, "</p>\n", NULL);

    return idv_mail_page(&mail->look, language, idv_mail_wiped(content, pool),
                         pool);
}

void idv_mail_code_write(const idv_mail_code_t *mail,
                         idv_mail_message_t *message, apr_pool_t *pool)
{
    idv_mail_language_t language = idv_mail_language(mail->wishes);
    const texts_t *texts = &all_texts[language];
    const char *name = idv_mail_name(&mail->look, pool);

    message->subject = subject_of(mail, texts, name, pool);
    message->text = idv_mail_wiped(
        apr_pstrcat(pool, texts->greeting, "\n\n",
                    filled(texts->purpose, name, pool), "\n\n    ", mail->code,
                    "\n\n", advice(mail, texts, name, pool), "\n\n",
                    texts->unasked, "\n\n@", mail->host, " #", mail->code, "\n",
                    NULL),
        pool);
    message->html = html_of(mail, language, name, pool);
}
