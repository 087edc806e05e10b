#!/usr/bin/python3
# Writes mod_verify's table of phone number types, by what libphonenumber knows of
# the numbering plans (Debian's python3-phonenumbers):
#
#   IDV_PHONE_PLAN(calling code, "pattern", ...)   a pattern of each type
#
# A pattern is digits, classes, groups, alternatives, ? and {n,m}: its notation
# (?:...) and \d is written as (...) and [0-9]. Anything else is an error here,
# as mod_verify/domain/value/phone_type.c reads no more. With --examples, for
# the unit test: IDV_PHONE_EXAMPLE(number, type) for each example of the library.
import re
import sys

try:
    import phonenumbers
    from phonenumbers import COUNTRY_CODE_TO_REGION_CODE, PhoneMetadata
    from phonenumbers import PhoneNumberType
except ImportError:
    sys.exit("phone_numbers.py: python3-phonenumbers is not installed "
             "(scripts/install-dependencies installs it)")

# In the order in which a number is asked: who is two of these is the first. The
# names are those of IDV_PHONE_TYPES in domain/value/phone_type.h.
TYPES = ["premium", "service", "personal", "voip", "fixed", "mobile"]
OF_LIBRARY = {
    "premium": ["premium_rate"],
    "service": ["toll_free", "shared_cost", "pager", "uan", "voicemail"],
    "personal": ["personal_number"],
    "voip": ["voip"],
    "fixed": ["fixed_line"],
    "mobile": ["mobile"],
}
GRAMMAR = re.compile(r"(?:[0-9]|\\d|\[[0-9-]+\]|\(\?:|\(|\)|\||\?|\{[0-9]+(?:,[0-9]+)?\})*")


def plans_of(code):
    for region in COUNTRY_CODE_TO_REGION_CODE[code]:
        if region == "001":
            plan = PhoneMetadata.metadata_for_nongeo_region(code, None)
        else:
            plan = PhoneMetadata.metadata_for_region(region, None)
        if plan is not None:
            yield plan


def patterns_of(plan, names):
    for name in names:
        description = getattr(plan, name)
        if description is None:
            continue
        pattern = description.national_number_pattern
        if not pattern or pattern == "NA":
            continue
        if not GRAMMAR.fullmatch(pattern):
            sys.exit("phone_numbers.py: +%d %s: a notation that is not read: %s"
                     % (plan.country_code, name, pattern))
        yield pattern.replace("(?:", "(").replace("\\d", "[0-9]")


def joined(code, names):
    found = []
    for plan in plans_of(code):
        for pattern in patterns_of(plan, names):
            if pattern not in found:
                found.append(pattern)
    return "|".join(found)


def quoted(text):
    # No longer than every compiler takes (ISO C11, 5.2.4.1).
    if len(text) > 4095:
        sys.exit("phone_numbers.py: a pattern of %d characters" % len(text))
    return '"%s"' % text


def print_table():
    print("/* Written by apxs/phone_numbers.py out of libphonenumber's metadata\n"
          " * (python3-phonenumbers %s, Apache-2.0). */" % phonenumbers.__version__)
    for code in sorted(COUNTRY_CODE_TO_REGION_CODE, key=str):
        patterns = [joined(code, OF_LIBRARY[name]) for name in TYPES]
        print('IDV_PHONE_PLAN("%d", %s)' % (code, ", ".join(map(quoted, patterns))))


def type_of(number):
    kind = phonenumbers.number_type(number)
    return {
        PhoneNumberType.PREMIUM_RATE: "premium",
        PhoneNumberType.TOLL_FREE: "service",
        PhoneNumberType.SHARED_COST: "service",
        PhoneNumberType.PAGER: "service",
        PhoneNumberType.UAN: "service",
        PhoneNumberType.VOICEMAIL: "service",
        PhoneNumberType.PERSONAL_NUMBER: "personal",
        PhoneNumberType.VOIP: "voip",
        PhoneNumberType.FIXED_LINE: "fixed",
        PhoneNumberType.MOBILE: "mobile",
        PhoneNumberType.FIXED_LINE_OR_MOBILE: "fixed_or_mobile",
    }.get(kind, "unknown")


def print_examples():
    for code in sorted(COUNTRY_CODE_TO_REGION_CODE, key=str):
        for plan in plans_of(code):
            for name in sum(OF_LIBRARY.values(), []):
                description = getattr(plan, name)
                example = description.example_number if description else None
                if not example:
                    continue
                text = "+%d%s" % (code, example)
                number = phonenumbers.parse(text)
                # An example that its own library reads as another one: a leading
                # zero of a subscriber, which E.164 keeps.
                if phonenumbers.format_number(
                        number, phonenumbers.PhoneNumberFormat.E164) == text:
                    print('IDV_PHONE_EXAMPLE("%s", "%s")' % (text, type_of(number)))


if __name__ == "__main__":
    print_examples() if sys.argv[1:] == ["--examples"] else print_table()
