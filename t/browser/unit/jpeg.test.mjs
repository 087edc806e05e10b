import assert from 'node:assert/strict';
import test from 'node:test';
import { isJpeg, orientation, withoutMetadata }
  from '../../../mod_verify/web/capture/jpeg.js';

const bytes = (...parts) => Uint8Array.from(parts.flat());
const text = (string) => [...Buffer.from(string, 'latin1')];
const segment = (marker, data) => [0xff, marker, (data.length + 2) >> 8,
  (data.length + 2) & 255, ...data];

const jfif = segment(0xe0, text('JFIF\0\x01\x02\0\0\x01\0\x01\0\0'));
const icc = segment(0xe2, text('ICC_PROFILE\0......'));
const adobe = segment(0xee, text('Adobe......'));
const xmp = segment(0xe1, text('http://ns.adobe.com/xap/1.0/\0<x/>'));
const comment = segment(0xfe, text('made at home'));
const table = segment(0xdb, [1, 2, 3]);
const picture = [...segment(0xda, [1, 2, 3]), 0x12, 0xff, 0, 0x34, 0xff, 0xd9];

// Exif with a GPS pointer and an orientation, in either byte order.
function exif(value, little) {
  const u16 = (n) => (little ? [n & 255, n >> 8] : [n >> 8, n & 255]);
  const u32 = (n) => (little ? [n, 0, 0, 0] : [0, 0, 0, n]);
  return segment(0xe1, [...text('Exif\0\0'), ...text(little ? 'II' : 'MM'),
    ...u16(42), ...u32(8), ...u16(2),
    ...u16(0x8825), ...u16(4), ...u32(1), ...u32(99),
    ...u16(0x0112), ...u16(3), ...u32(1), ...u16(value), 0, 0, ...u32(0)]);
}

test('metadata goes, the picture and its colours stay', () => {
  const full = bytes([0xff, 0xd8], jfif, exif(1, false), xmp, icc, adobe,
    comment, table, picture);
  assert.deepEqual(withoutMetadata(full),
    bytes([0xff, 0xd8], jfif, icc, adobe, table, picture));
});

for (const little of [false, true])
  test(`the orientation stays (${little ? 'II' : 'MM'})`, () => {
    for (let value = 2; value <= 8; value++) {
      const full = bytes([0xff, 0xd8], jfif, exif(value, little), picture);
      assert.equal(orientation(full), value);
      const clean = withoutMetadata(full);
      assert.equal(orientation(clean), value);
      assert.deepEqual(clean.subarray(2, 2 + jfif.length), bytes(jfif));
      assert.equal(clean.length, 2 + jfif.length + 36 + picture.length);
    }
  });

test('what it does not understand stays as it is', () => {
  const whole = bytes([0xff, 0xd8], jfif, exif(6, true), picture);
  for (let length = 0; length < whole.length - picture.length; length++) {
    const cut = whole.subarray(0, length);
    assert.equal(withoutMetadata(cut), cut);
    orientation(cut);
  }
  const png = bytes(0x89, text('PNG'));
  assert.equal(isJpeg(png), false);
  assert.equal(withoutMetadata(png), png);
  const lying = bytes([0xff, 0xd8], [0xff, 0xe1, 0xff, 0xff], picture);
  assert.equal(withoutMetadata(lying), lying);
});

test('a directory that points outside is no orientation', () => {
  const wrong = exif(6, false);
  wrong[4 + 6 + 7] = 200;
  assert.equal(orientation(bytes([0xff, 0xd8], wrong, picture)), 1);
});
