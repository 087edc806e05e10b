// Whether the camera's picture has the large barcode of a licence in it, as far as
// the browser itself can tell: a sign for the person, nothing that is sent or
// decides. Where the browser has no such detector, nothing is said.

const FORMAT = 'pdf417';
const LASTS_MS = 1500; // a code that was seen is believed to be there for so long

// {look(source), isSeen()}, or null where this browser cannot look for such codes.
export async function createCodeSight(Detector = globalThis.BarcodeDetector,
  now = () => performance.now()) {
  let detector;
  try {
    if (!(await Detector.getSupportedFormats()).includes(FORMAT)) return null;
    detector = new Detector({ formats: [FORMAT] });
  } catch {
    return null;
  }
  let isBusy = false, seenAt = -Infinity;
  return {
    // Begins to look at SOURCE, unless the last look is still under way.
    async look(source) {
      if (isBusy) return;
      isBusy = true;
      try {
        if ((await detector.detect(source)).length) seenAt = now();
      } catch {
        // A frame that cannot be looked at: the next one may.
      }
      isBusy = false;
    },
    isSeen: () => now() - seenAt < LASTS_MS,
  };
}
