// The pictures of what to photograph, for scene() (page/scenes.js).

const CARD = 'M18 8h60a5 5 0 0 1 5 5v38a5 5 0 0 1-5 5H18a5 5 0 0 1-5-5V13a5 5 0 0 1 5-5z';
const HOLDER = 'M32 29a5 5 0 1 0-.01-10 5 5 0 0 0 .01 10zM23 43c1-7 4-10 9-10s8 3 9 10z';
const DATA = 'M48 21h26M48 29h20M48 37h24';
const BARS = 'M22 26v16m4-16v16m5-16v16m3-16v16m6-16v16m3-16v16m6-16v16m4-16v16m5-16v16'
  + 'm3-16v16m6-16v16m4-16v16';
const LINES = 'M20 33h56M20 40h56M20 47h56';
const BOOK = 'M20 4h56a4 4 0 0 1 4 4v48a4 4 0 0 1-4 4H20a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4z'
  + 'M16 28h64';

export const SCENES = {
  'back-barcode': [['turn', CARD], ['turn front', HOLDER + DATA],
    ['turn rear bars', BARS], ['turn rear', 'M22 18h52']],
  'back-lines': [['turn', CARD], ['turn front', HOLDER + DATA],
    ['turn rear', 'M22 18h30'], ['turn rear zone', LINES]],
  card: [['', CARD], ['', HOLDER + DATA], ['closing', 'M4 14V4h12M80 4h12v10M92 50v10H80'
    + 'M16 60H4V50']],
  passport: [['', BOOK], ['', 'M30 44a4 4 0 1 0-.01-8 4 4 0 0 0 .01 8zM40 36h30M40 42h22'],
    ['zone', 'M22 49h52M22 54h52'], ['closing', 'M8 14V1h12M76 1h12v13M88 50v13H76'
      + 'M20 63H8V50']],
};
