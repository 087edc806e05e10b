#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A passport's chip behind a virtual reader: basic access control, PACE with
generic mapping (ECDH, AES), secure messaging, active and chip authentication
(ICAO Doc 9303-11, 4 to 6 and 9.8).

    simulated_chip.py --port PORT [--access bac|pace] [--chip aes|3des|none]
                      [--active ec|rsa|none] [--clone] [--portrait FILE]
                      --trust FILE --zone FILE
    simulated_chip.py --check

Serves vpcd (vsmartcard) at PORT of this machine until it closes the connection.
The certificate of the issuer goes to --trust, the list of what it has revoked
(nothing) to the same name with ".crl" and, once the reader knows of the chip, the
zone to --zone. A clone has the files of another chip, and none of its keys. --check compares the
cryptography with the worked examples of 9303-11, appendices D and G.1.
"""
import argparse
import hashlib
import secrets
import socket
import sys

from cryptography.hazmat.primitives import cmac
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

import passport_chip
from passport_chip import integer, oid, sequence, set_of, tlv

AES, DES3 = 'aes', '3des'


# --- elliptic curves, as PACE maps their generators ---

class Curve:
    def __init__(self, number, prime, a, b, x, y, order):
        self.number, self.p, self.a, self.b = number, prime, a, b
        self.generator, self.n = (x, y), order
        self.size = (prime.bit_length() + 7) // 8

    def add(self, one, two):
        if one is None or two is None:
            return one or two
        if one[0] == two[0]:
            if (one[1] + two[1]) % self.p == 0:
                return None
            slope = (3 * one[0] ** 2 + self.a) * pow(2 * one[1], -1, self.p)
        else:
            slope = (two[1] - one[1]) * pow(two[0] - one[0], -1, self.p)
        x = (slope ** 2 - one[0] - two[0]) % self.p
        return x, (slope * (one[0] - x) - one[1]) % self.p

    def multiply(self, factor, point):
        total = None
        while factor:
            if factor & 1:
                total = self.add(total, point)
            point = self.add(point, point)
            factor >>= 1
        return total

    def encode(self, point):
        return b'\4' + b''.join(part.to_bytes(self.size, 'big')
                                for part in point)

    def decode(self, text):
        x, y = (int.from_bytes(text[1 + i * self.size:][:self.size], 'big')
                for i in (0, 1))
        if (text[0] != 4 or len(text) != 1 + 2 * self.size
                or (y * y - x ** 3 - self.a * x - self.b) % self.p):
            raise Refused(0x6A80)
        return x, y


P256 = Curve(
    12, 2**256 - 2**224 + 2**192 + 2**96 - 1, -3,
    0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b,
    0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296,
    0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5,
    0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551)
BRAINPOOL256 = Curve(
    13, 0xa9fb57dba1eea9bc3e660a909d838d726e3bf623d52620282013481d1f6e5377,
    0x7d5a0975fc2c3057eef67530417affe7fb8055c126dc5c6ce94a4b44f330b5d9,
    0x26dc5c6ce94a4b44f330b5d9bbd77cbf958416295cf7e1ce6bccdc18ff8c07b6,
    0x8bd2aeb9cb7e57cb2c4b482ffc81b7afb9de27e1e3bd23c23a4453bd9ace3262,
    0x547ef835c3dac4fd97f8461a14611dc9c27745132ded8e545c1d54c72f046997,
    0xa9fb57dba1eea9bc3e660a909d838d718c397aa3b561a6f7901e0e82974856a7)
CURVES = {curve.number: curve for curve in (P256, BRAINPOOL256)}


# --- ciphers ---

def cbc(algorithm, key, text, encrypting, iv=None):
    kind = algorithms.AES if algorithm == AES else algorithms.TripleDES
    cipher = Cipher(kind(key), modes.CBC(iv or bytes(kind.block_size // 8)))
    worker = cipher.encryptor() if encrypting else cipher.decryptor()
    return worker.update(text) + worker.finalize()


def pad(text, block):
    return text + b'\x80' + bytes(-(len(text) + 1) % block)


def unpad(text):
    bare = text.rstrip(b'\0')
    if bare[-1:] != b'\x80':
        raise Refused(0x6988)
    return bare[:-1]


def mac(algorithm, key, padded):
    """The first eight bytes; of 3DES, the retail MAC."""
    if algorithm == AES:
        worker = cmac.CMAC(algorithms.AES(key))
        worker.update(padded)
        return worker.finalize()[:8]
    last = bytes(8)
    single = key[:8]
    for i in range(0, len(padded), 8):
        block = bytes(a ^ b for a, b in zip(last, padded[i:i + 8]))
        last = cbc(DES3, single, block, True)
    return cbc(DES3, single, cbc(DES3, key[8:16], last, False), True)


def derive(algorithm, secret, number):
    key = hashlib.sha1(secret + number.to_bytes(4, 'big')).digest()[:16]
    if algorithm == DES3:  # odd parity
        key = bytes(b & 0xfe | (bin(b & 0xfe).count('1') + 1) & 1 for b in key)
    return key


class Refused(Exception):
    """The status word that a command ends with."""


def elements(text):
    """The elements of BER text: a list of (tag, content, whole)."""
    found = []
    while text:
        at = 1
        if text[0] & 0x1f == 0x1f:
            at = 2
        tag = int.from_bytes(text[:at], 'big')
        length = text[at]
        at += 1
        if length > 0x80:
            size = length - 0x80
            length = int.from_bytes(text[at:at + size], 'big')
            at += size
        found.append((tag, text[at:at + length], text[:at + length]))
        text = text[at + length:]
    return found


def element(text, tag):
    return next((content for one, content, _ in elements(text) if one == tag),
                None)


class Channel:
    """Secure messaging, the chip's side (9303-11, 9.8)."""

    def __init__(self, algorithm, secret, counter=None):
        self.algorithm = algorithm
        self.block = 16 if algorithm == AES else 8
        self.encryption = derive(algorithm, secret, 1)
        self.authentication = derive(algorithm, secret, 2)
        self.counter = int.from_bytes(counter, 'big') if counter else 0

    def _iv(self):
        if self.algorithm == DES3:
            return bytes(8)
        return cbc(AES, self.encryption, self.counter.to_bytes(16, 'big'),
                   True)

    def _mac(self, text):
        counter = self.counter.to_bytes(self.block, 'big')
        return mac(self.algorithm, self.authentication,
                   pad(counter + text, self.block))

    def open(self, header, body):
        """The data and the expected length of a protected command."""
        self.counter += 1
        parts = elements(body)
        covered = b''.join(whole for tag, _, whole in parts if tag != 0x8E)
        text = pad(header, self.block) + covered
        if element(body, 0x8E) != self._mac(text):
            raise Refused(0x6988)
        data = b''
        sealed = element(body, 0x87)
        if sealed is not None:
            data = unpad(cbc(self.algorithm, self.encryption, sealed[1:],
                             False, self._iv()))
        odd = element(body, 0x85)
        if odd is not None:
            data = unpad(cbc(self.algorithm, self.encryption, odd, False,
                             self._iv()))
        expected = element(body, 0x97)
        return data, (None if expected is None else
                      int.from_bytes(expected, 'big') or 256)

    def seal(self, data, status, is_odd=False):
        self.counter += 1
        body = b''
        if data:
            sealed = cbc(self.algorithm, self.encryption,
                         pad(data, self.block), True, self._iv())
            body = tlv(0x85, sealed) if is_odd else tlv(0x87, b'\1' + sealed)
        body += tlv(0x99, status.to_bytes(2, 'big'))
        return body + tlv(0x8E, self._mac(body)) + b'\x90\0'


# --- the chip ---

PACE_ECDH_GM_AES128 = '0.4.0.127.0.7.2.2.4.2.2'
APPLICATION = bytes.fromhex('A0000002471001')


class Chip:
    def __init__(self, passport, access='pace', curve=BRAINPOOL256,
                 clone_of=None):
        self.passport, self.access, self.curve = passport, access, curve
        shown = clone_of or passport
        self.files = {0x0100 + number: file
                      for number, file in shown.files.items()}
        self.files[0x011E], self.files[0x011D] = shown.com, shown.sod
        self.card_access = set_of(sequence(
            oid(PACE_ECDH_GM_AES128), integer(2), integer(curve.number)))
        mrz = shown.mrz[44:]
        self.secret = hashlib.sha1(
            (mrz[0:10] + mrz[13:20] + mrz[21:28]).encode()).digest()
        self.reset()

    def reset(self):
        self.channel = self.next_channel = self.file = self.nonce = None
        self.chain = b''
        self.in_application = False
        self.pace = None
        self.is_agreeing = False

    def answer(self, command):
        """The response to a command, with its status."""
        header, body, expected = self._parse(command)
        protected = header[0] & 0x0C == 0x0C
        try:
            if protected:
                if not self.channel:
                    raise Refused(0x6882)
                body, expected = self.channel.open(header, body)
            elif self.channel:
                self.channel = None  # who speaks plainly ends the session
            data, status = self._serve(header, body, expected), 0x9000
        except Refused as refusal:
            data, status = b'', refusal.args[0]
            if status == 0x6988:
                self.channel = None
                protected = False
        if protected and self.channel:
            response = self.channel.seal(data, status, header[1] & 1)
        else:
            response = data + status.to_bytes(2, 'big')
        if self.next_channel and status == 0x9000:
            self.channel, self.next_channel = self.next_channel, None
        return response

    @staticmethod
    def _parse(command):
        header, rest = command[:4], command[4:]
        if not rest:
            return header, b'', None
        if len(rest) == 1:
            return header, b'', rest[0] or 256
        if rest[0] == 0 and len(rest) > 2:
            length, at = int.from_bytes(rest[1:3], 'big'), 3
        else:
            length, at = rest[0], 1
        body, tail = rest[at:at + length], rest[at + length:]
        return header, body, (int.from_bytes(tail, 'big') or 256
                              if tail else None)

    def _serve(self, header, body, expected):
        serve = {0xA4: self._select, 0xB0: self._read, 0xB1: self._read_far,
                 0x84: self._challenge,
                 0x82: self._authenticate, 0x22: self._set, 0x86: self._agree,
                 0x88: self._sign}.get(header[1])
        if not serve:
            raise Refused(0x6D00)
        return serve(header, body, expected)

    def _select(self, header, body, _):
        if header[2] == 4:
            if body != APPLICATION:
                raise Refused(0x6A82)
            self.in_application, self.file = True, None
            return b''
        if header[2] == 0 and body in (b'', b'\x3F\0'):
            self.in_application, self.file = False, None
            return b''
        self.file = self._find(int.from_bytes(body, 'big'))
        return b''

    def _find(self, number):
        if number == 0x011C and not self.in_application:
            if self.access != 'pace':
                raise Refused(0x6A82)
            return self.card_access
        if not self.in_application or number not in self.files:
            raise Refused(0x6A82)
        if not self.channel:
            raise Refused(0x6982)
        return self.files[number]

    def _read(self, header, body, expected):
        offset = header[2] << 8 | header[3]
        if header[2] & 0x80:
            self.file = self._find(0x0100 | header[2] & 0x1F)
            offset = header[3]
        if self.file is None:
            raise Refused(0x6986)
        if offset >= len(self.file):
            raise Refused(0x6B00)
        return self.file[offset:offset + min(expected or 256, 231)]

    def _read_far(self, header, body, expected):
        """The odd instruction: of the current file, from the offset in 54."""
        offset = element(body, 0x54)
        if header[2:] != b'\0\0' or self.file is None or offset is None:
            raise Refused(0x6A80)
        offset = int.from_bytes(offset, 'big')
        if offset >= len(self.file):
            raise Refused(0x6B00)
        room = min(expected, 231)
        room -= 2 if room < 0x80 + 2 else 3
        return tlv(0x53, self.file[offset:offset + room])

    def _challenge(self, *_):
        self.nonce = secrets.token_bytes(8)
        return self.nonce

    def _authenticate(self, header, body, _):
        """Basic access control (4.3)."""
        if self.access != 'bac' or not self.nonce or not self.in_application:
            raise Refused(0x6985)
        encryption = derive(DES3, self.secret[:16], 1)
        authentication = derive(DES3, self.secret[:16], 2)
        sealed, tag = body[:32], body[32:]
        if mac(DES3, authentication, pad(sealed, 8)) != tag:
            raise Refused(0x6300)
        plain = cbc(DES3, encryption, sealed, False)
        if plain[8:16] != self.nonce:
            raise Refused(0x6300)
        ours = secrets.token_bytes(16)
        sealed = cbc(DES3, encryption, self.nonce + plain[:8] + ours, True)
        secret = bytes(a ^ b for a, b in zip(plain[16:], ours))
        self.next_channel = Channel(DES3, secret,
                                    self.nonce[4:] + plain[4:8])
        self.nonce = None
        return sealed + mac(DES3, authentication, pad(sealed, 8))

    def _set(self, header, body, _):
        if header[2:] == b'\xC1\xA4':
            if (self.access != 'pace' or element(body, 0x83) != b'\1'
                    or element(body, 0x80) != oid(PACE_ECDH_GM_AES128)[2:]):
                raise Refused(0x6A80)
            self.pace = {}
            return b''
        if header[2:] == b'\x41\xA4':
            wanted = self.passport.chip_protocol
            if (wanted != passport_chip.CA_ECDH_AES128
                    or element(body, 0x80) != oid(wanted)[2:]):
                raise Refused(0x6A80)
            self.is_agreeing = True
            return b''
        if header[2:] == b'\x41\xA6':
            if self.passport.chip_protocol != passport_chip.CA_ECDH_3DES:
                raise Refused(0x6A80)
            self._renew(DES3, element(body, 0x91))
            return b''
        raise Refused(0x6A80)

    def _renew(self, algorithm, theirs):
        """Chip authentication (6.2): new keys for the next command."""
        point = P256.decode(theirs)
        key = self.passport.chip_key.private_numbers().private_value
        shared = P256.multiply(key, point)
        self.next_channel = Channel(algorithm,
                                    shared[0].to_bytes(P256.size, 'big'))

    def _agree(self, header, body, _):
        self.chain += body
        if header[0] & 0x10 and self.pace is None:
            return b''
        body, self.chain = self.chain, b''
        data = element(body, 0x7C)
        if data is None:
            raise Refused(0x6A80)
        if self.is_agreeing:
            self.is_agreeing = False
            self._renew(AES, element(data, 0x80))
            return tlv(0x7C)
        if self.pace is None:
            raise Refused(0x6985)
        return tlv(0x7C, self._pace(data))

    def _pace(self, data):
        """PACE with generic mapping (4.4)."""
        curve, state = self.curve, self.pace
        if not data:
            state['nonce'] = secrets.token_bytes(16)
            key = derive(AES, self.secret, 3)
            return tlv(0x80, cbc(AES, key, state['nonce'], True))
        if (theirs := element(data, 0x81)) is not None:
            key = 1 + secrets.randbelow(curve.n - 1)
            shared = curve.multiply(key, curve.decode(theirs))
            mapped = curve.multiply(int.from_bytes(state['nonce'], 'big'),
                                    curve.generator)
            state['generator'] = curve.add(mapped, shared)
            return tlv(0x82, curve.encode(curve.multiply(key,
                                                         curve.generator)))
        if (theirs := element(data, 0x83)) is not None:
            key = 1 + secrets.randbelow(curve.n - 1)
            state['theirs'] = theirs
            state['ours'] = curve.encode(
                curve.multiply(key, state['generator']))
            state['shared'] = curve.multiply(
                key, curve.decode(theirs))[0].to_bytes(curve.size, 'big')
            return tlv(0x84, state['ours'])
        token = element(data, 0x85)
        key = derive(AES, state['shared'], 2)
        if token != pace_token(key, state['ours']):
            self.pace = None
            raise Refused(0x6300)
        self.next_channel = Channel(AES, state['shared'])
        self.pace = None
        return tlv(0x86, pace_token(key, state['theirs']))

    def _sign(self, header, body, _):
        if not self.channel or not self.passport.active_key:
            raise Refused(0x6985)
        return self.passport.sign_challenge(body)


def pace_token(key, point):
    return mac(AES, key, tlv(0x7F49, oid(PACE_ECDH_GM_AES128),
                             tlv(0x86, point)))


# --- the worked examples ---

def check():
    """9303-11, appendices D.1 to D.4 and G.1."""
    h = bytes.fromhex
    seed = hashlib.sha1(b'L898902C<369080619406236').digest()[:16]
    assert seed == h('239AB9CB282DAF66231DC5A4DF6BFBAE')
    encryption, authentication = derive(DES3, seed, 1), derive(DES3, seed, 2)
    assert encryption == h('AB94FDECF2674FDFB9B391F85D7F76F2')
    assert authentication == h('7962D9ECE03D1ACD4C76089DCE131543')
    sealed = cbc(DES3, encryption, h('781723860C06C2264608F91988702212'
                                     '0B795240CB7049B01C19B33E32804F0B'), True)
    assert sealed == h('72C29C2371CC9BDB65B779B8E8D37B29'
                       'ECC154AA56A8799FAE2F498F76ED92F2')
    assert mac(DES3, authentication, pad(sealed, 8)) == h('5F1448EEA8AD90A7')
    secret = bytes(a ^ b for a, b in zip(
        h('0B795240CB7049B01C19B33E32804F0B'),
        h('0B4F80323EB3191CB04970CB4052790B')))
    channel = Channel(DES3, secret, h('887022120C06C226'))
    assert channel.encryption == h('979EC13B1CBFE9DCD01AB0FED307EAE5')
    assert channel.authentication == h('F1CB1F1FB5ADF208806B89DC579DC1F8')
    data, _ = channel.open(h('0CA4020C'), h('8709016375432908C044F6'
                                            '8E08BF8B92D635FF24F8'))
    assert data == h('011E')
    assert channel.seal(b'', 0x9000) == h('990290008E08FA855A5D4C50A8ED9000')
    secret = hashlib.sha1(b'T22000129364081251010318').digest()
    key = derive(AES, secret, 3)
    assert key == h('89DED1B26624EC1E634C1989302849DD')
    nonce = cbc(AES, key, h('95A3A016522EE98D01E76CB6B98B42C3'), False)
    assert nonce == h('3F00C4D39D153F2B2A214A078D899B22')
    print('as the worked examples')


# --- the reader ---

def receive(connection, length):
    text = b''
    while len(text) < length:
        # The reader sends a length and a message apart, and waits between them
        # until the first has been acknowledged.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
        part = connection.recv(length - len(text))
        if not part:
            return None
        text += part
    return text


def serve(chip, port, on_present):
    """Answers the reader at PORT; tells once when that knows of the chip."""
    is_known = False
    connection = socket.create_connection(('127.0.0.1', port), 10)
    connection.settimeout(None)
    while (head := receive(connection, 2)) is not None:
        message = receive(connection, int.from_bytes(head, 'big'))
        if len(message) > 1:
            response = chip.answer(message)
        elif message == b'\4':
            response = bytes.fromhex('3B80800101')
            if not is_known:
                is_known = True
                on_present()
        else:
            chip.reset()
            continue
        connection.sendall(len(response).to_bytes(2, 'big') + response)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--port', type=int)
    parser.add_argument('--access', choices=('bac', 'pace'), default='pace')
    parser.add_argument('--chip', choices=('aes', '3des', 'none'),
                        default='aes')
    parser.add_argument('--active', choices=('ec', 'rsa', 'none'),
                        default='ec')
    parser.add_argument('--clone', action='store_true')
    parser.add_argument('--portrait')
    parser.add_argument('--further', action='store_true',
                        help='with DG12 and DG16')
    parser.add_argument('--trust')
    parser.add_argument('--zone')
    parser.add_argument('--check', action='store_true')
    options = parser.parse_args()
    if options.check:
        return check()
    issuer = passport_chip.Issuer()
    protocol = {'aes': passport_chip.CA_ECDH_AES128,
                '3des': passport_chip.CA_ECDH_3DES,
                'none': None}[options.chip]
    active = None if options.active == 'none' else options.active
    picture = passport_chip.PICTURE
    if options.portrait:
        with open(options.portrait, 'rb') as file:
            picture = file.read()
    passport = passport_chip.Passport(issuer, active=active, chip=protocol,
                                      picture=picture)
    if options.further:
        passport.files[12] = bytes.fromhex('6C045F190158')
        passport.files[16] = bytes.fromhex('7003020100')
        passport.sign(issuer)
    copy = None
    if options.clone:
        copy = passport_chip.Passport(issuer, active=active, chip=protocol)
    with open(options.trust, 'wb') as out:
        out.write(issuer.csca_pem())
    with open(options.trust + '.crl', 'wb') as out:
        out.write(issuer.revocation_list())

    def write_zone():
        with open(options.zone, 'w', encoding='ascii') as out:
            out.write(passport.mrz)

    serve(Chip(passport, options.access, clone_of=copy), options.port,
          write_zone)
    return None


if __name__ == '__main__':
    sys.exit(main())
