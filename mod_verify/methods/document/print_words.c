/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/document/print_words.h"

#include <string.h>

#include <apr_lib.h>

#define COUNT(table) ((int)(sizeof(table) / sizeof(*(table))))

enum {
    PLAIN_MAX = 256,    /* characters of a line or value, with the NUL */
    NAME_WORDS_MAX = 4, /* adjacent words that a name may have become */
    NAME_TOLERANCE = 5, /* letters of a name per one that may differ */
    NAME_EXACT = 4,     /* up to this length, a name must match exactly */
    NUMBER_LEAST = 6, /* shortest number searched within others */
    NUMBER_TOLERANT = 9, /* length from which one character may differ */
    NUMBER_PATTERN = 7   /* shortest one that another may contradict */
};

static const double well = IDV_PRINT_CONFIDENCE_WELL;

/* --- characters --- */

/* U+00C0 to U+017F without their marks. */
static const char base_letters[] =
    "AAAAAAACEEEEIIIIDNOOOOO OUUUUYTSAAAAAAACEEEEIIIIDNOOOOO OUUUUYTY"
    "AAAAAACCCCCCCCDDDDEEEEEEEEEEGGGGGGGGHHHHIIIIIIIIIIIIJJKKK"
    "LLLLLLLLLLNNNNNNNNNOOOOOOOORRRRRRSSSSSSSSTTTTTTUUUUUUUUUUUUWWYYYZZZZZZS";

_Static_assert(sizeof(base_letters) == 0x180 - 0xc0 + 1, "a letter each");

/* The next character of *TEXT as a capital from A to Z or a digit; a space for
 * any other, 0 at the end. */
char idv_print_next_plain(const char **text)
{
    unsigned char byte = (unsigned char)*(*text)++;
    int point;

    if (!byte) {
        --*text;
        return 0;
    }
    if (byte < 0x80)
        return apr_isalnum(byte) ? (char)apr_toupper(byte) : ' ';
    if (byte < 0xc3 || byte > 0xc5 || ((unsigned char)**text & 0xc0) != 0x80)
        return ' ';
    point = (byte & 0x1f) << 6 | ((unsigned char)*(*text)++ & 0x3f);
    return base_letters[point - 0xc0];
}

/* The character that looks like C, from PAIRS; C if there is none. */
static char look_up(const char *pairs, char c)
{
    for (; *pairs; pairs += 2)
        if (pairs[0] == c)
            return pairs[1];
    return c;
}

char idv_print_as_letter(char c)
{
    return look_up("0O1I5S8B6G2Z", c);
}

char idv_print_as_digit(char c)
{
    return look_up("O0Q0D0I1L1Z2S5B8G6", c);
}

/* --- names --- */

/* Appends the letters of one word, which ends at a space or the end of *TEXT,
 * in the form used for comparison: AE, OE and UE as one vowel, SS as S, since
 * zones and readers write the one for the other. A number is not a name: "50"
 * is not SO. */
static void append_letters(const char **text, char *letters, int *length)
{
    static const char *const pairs[] = {"AE", "OE", "UE", "SS"};
    int begin = *length, is_word = 0;
    char c;

    while ((c = idv_print_next_plain(text)) != 0 && c != ' ') {
        int is_second = 0;

        is_word |= apr_isalpha(c) != 0;
        c = idv_print_as_letter(c);
        if (!apr_isalpha(c) || *length >= PLAIN_MAX - 1)
            continue;
        for (int i = 0; i < COUNT(pairs) && *length > begin; i++)
            is_second |=
                letters[*length - 1] == pairs[i][0] && c == pairs[i][1];
        if (!is_second)
            letters[(*length)++] = c;
    }
    if (!is_word)
        *length = begin;
    letters[*length] = '\0';
}

/* The letters of all words of TEXT, joined. */
static int join_letters(const char *text, char *letters, int length)
{
    while (*text)
        append_letters(&text, letters, &length);
    letters[length] = '\0';
    return length;
}

/* The edit distance of A and B; MOST + 1 if it is more than MOST. */
static int distance(const char *a, const char *b, int most)
{
    int la = (int)strlen(a), lb = (int)strlen(b);
    int row[PLAIN_MAX];

    if (la - lb > most || lb - la > most)
        return most + 1;
    for (int k = 0; k <= lb; k++)
        row[k] = k;
    for (int i = 1; i <= la; i++) {
        int diagonal = row[0];

        row[0] = i;
        for (int k = 1; k <= lb; k++) {
            int changed = diagonal + (a[i - 1] != b[k - 1]);
            int other = (row[k] < row[k - 1] ? row[k] : row[k - 1]) + 1;

            diagonal = row[k];
            row[k] = changed < other ? changed : other;
        }
    }
    return row[lb] < most ? row[lb] : row[lb] == most ? most : most + 1;
}

/* Non-zero if the letters of NAME are found in adjacent words. */
static int has_letters(const idv_print_words_t *words, const char *name)
{
    int length = (int)strlen(name);
    int most = length <= NAME_EXACT ? 0 : length / NAME_TOLERANCE;

    for (int i = 0; i < words->count; i++) {
        char found[PLAIN_MAX] = "";
        int end = 0;

        for (int k = i;
             k < words->count && k < i + NAME_WORDS_MAX
             && words->at[k].line == words->at[i].line && end <= length + most;
             k++) {
            end = join_letters(words->at[k].text, found, end);
            if (distance(name, found, most) <= most)
                return 1;
        }
    }
    return 0;
}

/* Non-zero if each word of NAME, or only the first, is found by itself. */
static int has_words(const idv_print_words_t *words, const char *name,
                     int only_first)
{
    int found = 0;

    while (*name) {
        char letters[PLAIN_MAX] = "";
        int length = 0;

        append_letters(&name, letters, &length);
        if (length < 2)
            continue;
        if (!has_letters(words, letters))
            return 0;
        found = 1;
        if (only_first)
            break;
    }
    return found;
}

int idv_print_has_name(const idv_print_words_t *words, const char *name,
                       int only_first)
{
    char letters[PLAIN_MAX] = "";

    return name && join_letters(name, letters, 0) >= 2
        && (has_letters(words, letters) || has_words(words, name, only_first));
}

/* --- numbers --- */

/* Appends letters and digits. With IS_FOLDED, characters that look alike become
 * the same. */
static int join_number(const char *text, int is_folded, char *number,
                       int length)
{
    char c;

    while ((c = idv_print_next_plain(&text)) != 0 && length < PLAIN_MAX - 1)
        if (c != ' ')
            number[length++] = is_folded ? idv_print_as_digit(c) : c;
    number[length] = '\0';
    return length;
}

/* The number of different characters; at least MOST + 1 if it is more than
 * MOST. */
static int count_differing(const char *a, const char *b, int length, int most)
{
    int count = 0;

    for (int i = 0; i < length && count <= most; i++)
        count += a[i] != b[i];
    return count;
}

/* Non-zero if NUMBER is among the words from FIRST on, which are a line. */
static int line_has_number(const idv_print_words_t *words, int first,
                           const char *number)
{
    int line = words->at[first].line, sought = (int)strlen(number), length = 0;
    char joined[PLAIN_MAX] = "";
    double least = 1;
    int most;

    for (int i = first; i < words->count && words->at[i].line == line; i++) {
        const idv_print_word_t *word = &words->at[i];
        int before = length;

        length = join_number(word->text, 1, joined, length);
        if (length - before == sought && strcmp(joined + before, number) == 0)
            return 1;
        least = word->confidence < least ? word->confidence : least;
    }
    if (sought < NUMBER_LEAST)
        return 0;
    most = sought >= NUMBER_TOLERANT && least < well;
    for (int i = 0; i + sought <= length; i++)
        if (count_differing(joined + i, number, sought, most) <= most)
            return 1;
    return 0;
}

/* Non-zero if WORD has the pattern of NUMBER, a letter for each letter and a
 * digit for each digit, but differs from it. */
static int is_other_number(const idv_print_word_t *word, const char *number)
{
    char other[PLAIN_MAX];
    int length = join_number(word->text, 0, other, 0), letters = 0, digits = 0;

    if (word->confidence < well || length < NUMBER_PATTERN
        || length != (int)strlen(number))
        return 0;
    for (int i = 0; i < length; i++) {
        if (!apr_isdigit(other[i]) != !apr_isdigit(number[i]))
            return 0;
        letters += !apr_isdigit(number[i]);
        digits += apr_isdigit(number[i]) != 0;
    }
    return letters > 0 && digits > letters && strcmp(other, number) != 0;
}

int idv_print_seek_number(const idv_print_words_t *words, const char *number,
                          idv_print_span_t *against)
{
    char plain[PLAIN_MAX], folded[PLAIN_MAX];

    if (!number || join_number(number, 1, folded, 0) < 4)
        return 0;
    join_number(number, 0, plain, 0);
    for (int i = 0; i < words->count; i++)
        if ((i == 0 || words->at[i].line != words->at[i - 1].line)
            && line_has_number(words, i, folded))
            return 1;
    for (int i = 0; i < words->count; i++)
        if (is_other_number(&words->at[i], plain)) {
            *against = (idv_print_span_t){i, 1};
            return -1;
        }
    return 0;
}
