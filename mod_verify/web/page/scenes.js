// Moving pictures of what a person has to do. Each is drawn in lines; the classes of
// its parts say in widget.css how they move. Those who want less motion see the end
// of it. The text next to a picture says the same.

const SVG = 'http://www.w3.org/2000/svg';

const CARD = 'M18 8h60a5 5 0 0 1 5 5v38a5 5 0 0 1-5 5H18a5 5 0 0 1-5-5V13a5 5 0 0 1 5-5z';
const HOLDER = 'M32 29a5 5 0 1 0-.01-10 5 5 0 0 0 .01 10zM23 43c1-7 4-10 9-10s8 3 9 10z';
const DATA = 'M48 21h26M48 29h20M48 37h24';
const BARS = 'M22 26v16m4-16v16m5-16v16m3-16v16m6-16v16m3-16v16m6-16v16m4-16v16m5-16v16'
  + 'm3-16v16m6-16v16m4-16v16';
const LINES = 'M20 33h56M20 40h56M20 47h56';
const BOOK = 'M20 4h56a4 4 0 0 1 4 4v48a4 4 0 0 1-4 4H20a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4z'
  + 'M16 28h64';
const PHONE = 'M37 4h22a4 4 0 0 1 4 4v48a4 4 0 0 1-4 4H37a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4z'
  + 'M45 55h6';

// The parts of each: [classes, path].
const SCENES = {
  'back-barcode': [['turn', CARD], ['turn front', HOLDER + DATA],
    ['turn rear bars', BARS], ['turn rear', 'M22 18h52']],
  'back-lines': [['turn', CARD], ['turn front', HOLDER + DATA],
    ['turn rear', 'M22 18h30'], ['turn rear zone', LINES]],
  card: [['', CARD], ['', HOLDER + DATA], ['closing', 'M4 14V4h12M80 4h12v10M92 50v10H80'
    + 'M16 60H4V50']],
  passport: [['', BOOK], ['', 'M30 44a4 4 0 1 0-.01-8 4 4 0 0 0 .01 8zM40 36h30M40 42h22'],
    ['zone', 'M22 49h52M22 54h52'], ['closing', 'M8 14V1h12M76 1h12v13M88 50v13H76'
      + 'M20 63H8V50']],
  wallet: [['', PHONE], ['rising', 'M39 18h18v12H39zM42 26h6'], ['sign', 'm42 42 4 4 8-9']],
  chip: [['', BOOK], ['', 'M48 52a6 6 0 1 0-.01-12 6 6 0 0 0 .01 12z'],
    ['lowering solid', 'M38 12h20a3 3 0 0 1 3 3v24a3 3 0 0 1-3 3H38a3 3 0 0 1-3-3V15'
      + 'a3 3 0 0 1 3-3z'], ['sign', 'M66 38a9 9 0 0 1 0 14M71 34a15 15 0 0 1 0 22']],
  selfie: [['', 'M48 6c12 0 18 9 18 22S59 52 48 52 30 41 30 28 36 6 48 6z'],
    ['looking', 'M41 26v.01M55 26v.01M48 28v8M43 43c3 2 7 2 10 0'],
    ['closing', 'M18 16 10 28l8 12M78 16l8 12-8 12']],
};

// The picture NAME; SMALL beside much else.
export function scene(name, { small = false } = {}) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', 'scene');
  svg.setAttribute('viewBox', '0 0 96 64');
  svg.setAttribute('aria-hidden', 'true');
  for (const [classes, d] of SCENES[name]) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('class', classes);
    path.setAttribute('d', d);
    svg.append(path);
  }
  const place = document.createElement('div');
  place.className = small ? 'picture small' : 'picture';
  place.append(svg);
  return place;
}
