// Removes what a camera writes beside the picture (place, time, device) from
// JPEG bytes, without touching the picture. The orientation stays.

const SOI = 0xd8, SOS = 0xda, APP0 = 0xe0, APP1 = 0xe1, APP2 = 0xe2,
  APP14 = 0xee, APP15 = 0xef, COMMENT = 0xfe;

export function isJpeg(bytes) {
  return bytes.length > 3 && bytes[0] === 0xff && bytes[1] === SOI;
}

// The header segments as {marker, start, end}, and where the picture begins;
// null when they do not add up.
function segments(bytes) {
  const found = [];
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1];
    if (marker === 0xff) {
      at++;
      continue;
    }
    const length = bytes[at + 2] << 8 | bytes[at + 3];
    if (length < 2 || at + 2 + length > bytes.length) return null;
    if (marker === SOS) return { found, picture: at };
    found.push({ marker, start: at, end: at + 2 + length });
    at += 2 + length;
  }
  return null;
}

// The Exif orientation, 1 to 8; 1 when there is none.
export function orientation(bytes) {
  const parts = isJpeg(bytes) && segments(bytes);
  if (!parts) return 1;
  for (const { marker, start, end } of parts.found) {
    const view = new DataView(bytes.buffer, bytes.byteOffset + start,
      end - start);
    if (marker === APP1 && view.byteLength > 18
        && view.getUint32(4) === 0x45786966)
      return orientationOf(view, 10);
  }
  return 1;
}

function orientationOf(view, tiff) {
  const little = view.getUint16(tiff) === 0x4949;
  const directory = tiff + view.getUint32(tiff + 4, little);
  if (directory + 2 > view.byteLength) return 1;
  const count = view.getUint16(directory, little);
  for (let i = 0; i < count; i++) {
    const entry = directory + 2 + 12 * i;
    if (entry + 12 > view.byteLength) return 1;
    if (view.getUint16(entry, little) !== 0x0112) continue;
    const value = view.getUint16(entry + 8, little);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

// An APP1 segment that says the orientation and nothing else.
function orientationSegment(value) {
  return new Uint8Array([0xff, APP1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0,
    0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1,
    0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0, 0, 0, 0, 0]);
}

function isPersonal(marker) {
  return marker === COMMENT || (marker >= APP1 && marker <= APP15
    && marker !== APP2 && marker !== APP14);
}

// A copy without metadata; the bytes themselves when they are no JPEG that
// this understands.
export function withoutMetadata(bytes) {
  const parts = isJpeg(bytes) && segments(bytes);
  if (!parts) return bytes;
  const turn = orientation(bytes);
  const kept = parts.found.filter(({ marker }) => !isPersonal(marker))
    .map(({ start, end }) => bytes.subarray(start, end));
  const first = kept.length && kept[0][1] === APP0 ? 1 : 0;
  if (turn !== 1) kept.splice(first, 0, orientationSegment(turn));
  const pieces = [bytes.subarray(0, 2), ...kept,
    bytes.subarray(parts.picture)];
  const clean = new Uint8Array(pieces.reduce((sum, p) => sum + p.length, 0));
  let at = 0;
  for (const piece of pieces) {
    clean.set(piece, at);
    at += piece.length;
  }
  return clean;
}
