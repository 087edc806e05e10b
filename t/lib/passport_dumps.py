#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What an app would send of a passport, good and forged, for tests.

Prints one line of JSON, {"csca": PEM, "lists": {NAME: base64}}, then answers each
line "CASE CHALLENGE" of its input, the challenge in hexadecimal digits, with the
dump of that case as one line of JSON. The case "page" is of the passport whose
page `passport_dumps.py --page FILE` photographs. The lists are those that the
issuer would publish: "clean", "revoked" with the signer of the case "revoked" in it,
and "namesake" by another issuer of the same name. With the argument ADDRESS the
signers of the cases "published" and "revoked" name ADDRESS/clean and
ADDRESS/revoked as theirs.
"""
import base64
import copy
import datetime
import json
import secrets
import sys

import passport_chip

DAY = datetime.timedelta(days=1)
PAGE_NUMBER = 'C01X0006H'


def altered(file, place):
    return (file[:place] + bytes([file[place] ^ 1])
            + file[len(file) + place + 1 if place < 0 else place + 1:])


class Cases:
    def __init__(self, address):
        now = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)
        self.issuer = passport_chip.Issuer()
        self.namesake = passport_chip.Issuer()
        self.stranger = passport_chip.Issuer(name='another CSCA')
        self.expired = copy.copy(self.issuer)
        self.expired.renew_signer('DE', ('DE', 'CSCA'), now - DAY)
        self.published, self.revoked = (copy.copy(self.issuer),
                                        copy.copy(self.issuer))
        for one, name in ((self.published, 'clean'), (self.revoked, 'revoked')):
            one.renew_signer('DE', ('DE', 'CSCA'), now + 3000 * DAY,
                             address and f'{address}/{name}')
        self.abroad = copy.copy(self.issuer)
        self.abroad.renew_signer('FR', ('DE', 'CSCA'), now + 3000 * DAY)

    def lists(self):
        made = {'clean': self.issuer.revocation_list(),
                'revoked': self.issuer.revocation_list(
                    [self.revoked.signer.serial_number]),
                'namesake': self.namesake.revocation_list()}
        return {name: base64.b64encode(der).decode()
                for name, der in made.items()}

    def dump(self, case, challenge):
        passport = passport_chip.Passport(
            {'namesake': self.namesake, 'stranger': self.stranger,
             'signer_expired': self.expired,
             'published': self.published, 'revoked': self.revoked,
             'abroad': self.abroad}.get(case, self.issuer),
            mrz=passport_chip.zone(
                birth=(datetime.date.today() - 16 * 365 * DAY).strftime(
                    '%y%m%d') if case == 'minor' else '640812',
                expiry='200101' if case == 'document_expired' else None,
                names='MUSTER<<ERIKA<<MARIA' if case == 'deviating'
                else 'MUSTER<<ERIKA',
                number=PAGE_NUMBER if case == 'page'
            else 'C0' + secrets.token_hex(3).upper() + '7'),
            active={'rsa': 'rsa', 'passive': None}.get(case, 'ec'),
            chip=None)
        signed = secrets.token_bytes(8) if case == 'replayed' else challenge
        files = {'COM': passport.com, 'SOD': passport.sod,
                 **{f'DG{n}': file for n, file in passport.files.items()}}
        if case == 'zone_altered':
            files['DG1'] = altered(files['DG1'], 12)
        if case == 'portrait_altered':
            files['DG2'] = altered(files['DG2'], -1)
        if case == 'cloned':
            passport.active_key = passport_chip.Passport(
                self.issuer).active_key
        if case == 'key_swapped':
            other = passport_chip.Passport(self.issuer, chip=None)
            files['DG15'], passport.active_key = (other.files[15],
                                                  other.active_key)
        if case == 'without_sod':
            del files['SOD']
        if passport.active_key:
            files['AAChallenge'] = signed
            files['AASignature'] = passport.sign_challenge(signed)
        text = {name: base64.b64encode(file).decode()
                for name, file in files.items()}
        return {**text, 'reader': 'test 1.0'}


def photograph(path):
    """The page of the passport that the case "page" is of."""
    import forgeries
    zone = passport_chip.zone(number=PAGE_NUMBER)
    forgeries.lines_on_grey([zone[:44], zone[44:]]).save(path, quality=95)


def main():
    if sys.argv[1:2] == ['--page']:
        photograph(sys.argv[2])
        return
    cases = Cases(sys.argv[1] if len(sys.argv) > 1 else None)
    print(json.dumps({'csca': cases.issuer.csca_pem().decode(),
                      'lists': cases.lists()}), flush=True)
    for line in sys.stdin:
        case, challenge = line.split()
        print(json.dumps(cases.dump(case, bytes.fromhex(challenge))),
              flush=True)


if __name__ == '__main__':
    main()
