# SPDX-License-Identifier: Apache-2.0
"""A passport and its issuer, made anew: keys, certificates, files, and what the
chip computes with its keys (ICAO Doc 9303, parts 10 to 12). Written from the
documents, and not from the service that it is read by; t/lib/simulated_chip.py
puts it behind a reader, t/lib/passport_dumps.py writes what an app would send.
"""
import datetime
import hashlib

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils
from cryptography.x509.oid import NameOID

UTC = datetime.timezone.utc


# --- DER ---

def tlv(tag, *parts):
    body = b''.join(parts)
    head = tag.to_bytes((tag.bit_length() + 7) // 8 or 1, 'big')
    if len(body) < 128:
        return head + bytes([len(body)]) + body
    size = len(body).to_bytes((len(body).bit_length() + 7) // 8, 'big')
    return head + bytes([0x80 | len(size)]) + size + body


def integer(number):
    return tlv(2, number.to_bytes(number.bit_length() // 8 + 1, 'big'))


def oid(text):
    numbers = [int(part) for part in text.split('.')]
    body = b''
    for number in [40 * numbers[0] + numbers[1]] + numbers[2:]:
        digits = [number & 0x7f]
        while number := number >> 7:
            digits.insert(0, 0x80 | number & 0x7f)
        body += bytes(digits)
    return tlv(6, body)


def sequence(*parts):
    return tlv(0x30, *parts)


def set_of(*parts):
    return tlv(0x31, *sorted(parts))


def subject_public_key(key):
    return key.public_key().public_bytes(
        serialization.Encoding.DER,
        serialization.PublicFormat.SubjectPublicKeyInfo)


# --- the issuer ---

class Issuer:
    """A state: its CSCA and a document signer."""

    def __init__(self, country='DE', name='CSCA', curve=ec.SECP256R1()):
        now = datetime.datetime.now(UTC).replace(microsecond=0, tzinfo=None)
        self.curve = curve
        self.begin = now - datetime.timedelta(days=700)
        self.csca_key = ec.generate_private_key(curve)
        self.csca = self._certify((country, name), self.csca_key,
                                  (country, name),
                                  now + datetime.timedelta(days=4000), True)
        self.renew_signer(country, (country, name),
                          now + datetime.timedelta(days=3900))

    def renew_signer(self, country, authority, end, lists=None):
        """Another document signer, of COUNTRY, by AUTHORITY (country, name);
        LISTS is the address at which its revocation would be told."""
        self.signer_key = ec.generate_private_key(self.curve)
        self.signer = self._certify((country, 'document signer'),
                                    self.signer_key, authority, end, False,
                                    lists)

    def revocation_list(self, revoked=()):
        """A list of what the CSCA has revoked, by serial numbers, in DER."""
        now = datetime.datetime.now(UTC).replace(microsecond=0, tzinfo=None)
        builder = x509.CertificateRevocationListBuilder().issuer_name(
            self.csca.subject).last_update(
            now - datetime.timedelta(hours=1)).next_update(
            now + datetime.timedelta(days=30)).add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(
                self.csca_key.public_key()), critical=False).add_extension(
            x509.CRLNumber(1), critical=False)
        for serial in revoked:
            builder = builder.add_revoked_certificate(
                x509.RevokedCertificateBuilder().serial_number(
                    serial).revocation_date(now).build())
        return builder.sign(self.csca_key, hashes.SHA256()).public_bytes(
            serialization.Encoding.DER)

    def _certify(self, subject, key, issuer, end, is_authority, lists=None):
        def named(country, name):
            return x509.Name([
                x509.NameAttribute(NameOID.COUNTRY_NAME, country),
                x509.NameAttribute(NameOID.COMMON_NAME, name)])
        builder = x509.CertificateBuilder().subject_name(
            named(*subject)).issuer_name(named(*issuer)).public_key(
            key.public_key()).serial_number(
            x509.random_serial_number()).not_valid_before(
            self.begin).not_valid_after(end)
        builder = builder.add_extension(x509.KeyUsage(
            not is_authority, False, False, False, False, is_authority,
            is_authority, False, False), critical=True)
        builder = builder.add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(
                self.csca_key.public_key()), critical=False)
        if is_authority:
            builder = builder.add_extension(
                x509.BasicConstraints(True, 0), critical=True)
            builder = builder.add_extension(
                x509.SubjectKeyIdentifier.from_public_key(key.public_key()),
                critical=False)
        if lists:
            builder = builder.add_extension(x509.CRLDistributionPoints([
                x509.DistributionPoint(
                    [x509.UniformResourceIdentifier(lists)], None, None,
                    None)]), critical=False)
        return builder.sign(self.csca_key, hashes.SHA256())

    def csca_pem(self):
        return self.csca.public_bytes(serialization.Encoding.PEM)

    def security_object(self, groups):
        """EF.SOD over {number: file}."""
        sha256 = sequence(oid('2.16.840.1.101.3.4.2.1'))
        content = sequence(
            integer(0), sha256,
            sequence(*(sequence(integer(number),
                                tlv(4, hashlib.sha256(file).digest()))
                       for number, file in sorted(groups.items()))))
        kind = oid('2.23.136.1.1.1')
        attributes = [
            sequence(oid('1.2.840.113549.1.9.3'), set_of(kind)),
            sequence(oid('1.2.840.113549.1.9.4'),
                     set_of(tlv(4, hashlib.sha256(content).digest())))]
        signature = self.signer_key.sign(set_of(*attributes),
                                         ec.ECDSA(hashes.SHA256()))
        signer = sequence(
            integer(1),
            sequence(self.signer.issuer.public_bytes(),
                     integer(self.signer.serial_number)),
            sha256,
            tlv(0xA0, *sorted(attributes)),
            sequence(oid('1.2.840.10045.4.3.2')),
            tlv(4, signature))
        signed = sequence(
            integer(3), set_of(sha256),
            sequence(kind, tlv(0xA0, tlv(4, content))),
            tlv(0xA0, self.signer.public_bytes(serialization.Encoding.DER)),
            set_of(signer))
        return tlv(0x77, sequence(oid('1.2.840.113549.1.7.2'),
                                  tlv(0xA0, signed)))


# --- the passport ---

def check_digit(text):
    values = {**{str(i): i for i in range(10)}, '<': 0,
              **{chr(65 + i): 10 + i for i in range(26)}}
    return str(sum(values[c] * (7, 3, 1)[i % 3]
                   for i, c in enumerate(text)) % 10)


def zone(number='C01X00T47', birth='640812', expiry=None, sex='F',
         state='D<<', names='MUSTER<<ERIKA'):
    """The two lines of a passport's machine-readable zone."""
    if expiry is None:
        expiry = (datetime.date.today()
                  + datetime.timedelta(days=800)).strftime('%y%m%d')
    number = number.ljust(9, '<')
    first = ('P<' + state + names).ljust(44, '<')
    optional = '<' * 14
    second = (number + check_digit(number) + state + birth
              + check_digit(birth) + sex + expiry + check_digit(expiry)
              + optional + '<')
    second += check_digit(second[0:10] + second[13:20] + second[21:43])
    return first + second


# The smallest JPEG that says a size: 3 by 2 pixels, gray.
PICTURE = bytes.fromhex(
    'ffd8ffe000104a46494600010100000100010000'
    'ffdb004300' + '01' * 64
    + 'ffc0000b080002000301011100'
    'ffc4001f0000010501010101010100000000000000000102030405060708090a0b'
    'ffc40014100100000000000000000000000000000000'
    'ffda0008010100003f00d2cf20ffd9')


def portrait_file(picture=PICTURE):
    record = (bytes(4) + bytes([0, 0]) + bytes(14))  # facial information: 20
    image = bytes([1, 0]) + bytes([0, 3, 0, 2]) + bytes(6)
    length = 20 + 12 + len(picture)
    record = length.to_bytes(4, 'big') + bytes(16)
    block = (b'FAC\0' + b'010\0' + (14 + length).to_bytes(4, 'big')
             + b'\0\1' + record + image + picture)
    header = tlv(0xA1, tlv(0x80, b'\1\1'), tlv(0x81, b'\2'),
                 tlv(0x87, b'\1\1'), tlv(0x88, b'\0\x08'))
    return tlv(0x75, tlv(0x7F61, tlv(2, b'\1'),
                         tlv(0x7F60, header, tlv(0x5F2E, block))))


CA_ECDH_AES128 = '0.4.0.127.0.7.2.2.3.2.2'
CA_ECDH_3DES = '0.4.0.127.0.7.2.2.3.2.1'


class Passport:
    """The files of a chip, signed by an issuer, and the chip's two keys."""

    def __init__(self, issuer, mrz=None, active='ec', chip=CA_ECDH_AES128,
                 picture=PICTURE):
        self.mrz = mrz or zone()
        self.active_key = {
            'ec': lambda: ec.generate_private_key(ec.SECP256R1()),
            'rsa': lambda: rsa.generate_private_key(65537, 2048),
            None: lambda: None}[active]()
        self.chip_key = ec.generate_private_key(ec.SECP256R1())
        self.chip_protocol = chip
        self.files = {1: tlv(0x61, tlv(0x5F1F, self.mrz.encode())),
                      2: portrait_file(picture)}
        infos = []
        if chip:
            infos.append(sequence(oid('0.4.0.127.0.7.2.2.1.2'),
                                  subject_public_key(self.chip_key)))
            infos.append(sequence(oid(chip), integer(1)))
        if active == 'ec':
            infos.append(sequence(oid('2.23.136.1.1.5'), integer(1),
                                  oid('0.4.0.127.0.7.1.1.4.1.3')))
        if infos:
            self.files[14] = tlv(0x6E, set_of(*infos))
        if active:
            self.files[15] = tlv(0x6F, subject_public_key(self.active_key))
        self.sign(issuer)

    def sign(self, issuer):
        tags = {1: 0x61, 2: 0x75, 11: 0x6B, 12: 0x6C, 14: 0x6E, 15: 0x6F,
                16: 0x70}
        self.com = tlv(0x60, tlv(0x5F01, b'0107'), tlv(0x5F36, b'040000'),
                       tlv(0x5C, bytes(tags[i] for i in sorted(self.files))))
        self.sod = issuer.security_object(self.files)

    def sign_challenge(self, challenge):
        """INTERNAL AUTHENTICATE (9303-11, 6.1)."""
        if isinstance(self.active_key, ec.EllipticCurvePrivateKey):
            r, s = utils.decode_dss_signature(
                self.active_key.sign(challenge, ec.ECDSA(hashes.SHA256())))
            return r.to_bytes(32, 'big') + s.to_bytes(32, 'big')
        # ISO/IEC 9796-2, scheme 1, partial recovery, SHA-256: trailer 34CC.
        numbers = self.active_key.private_numbers()
        n = numbers.public_numbers.n
        size = (n.bit_length() + 7) // 8
        recovered = hashlib.shake_128(challenge).digest(size - 32 - 3)
        block = (b'\x6A' + recovered
                 + hashlib.sha256(recovered + challenge).digest()
                 + b'\x34\xCC')
        return pow(int.from_bytes(block, 'big'), numbers.d,
                   n).to_bytes(size, 'big')
