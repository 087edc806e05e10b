// Whether a program replaces the camera. A page cannot know this for certain, and
// whoever means to deceive can hide it: it is a hint for the risk, and proves nothing.

// Names under which such programs appear among the cameras.
const NAMES = /virtual|^obs\b|manycam|xsplit|vcam|loopback|dummy|fake_device/i;

// The functions of the browser that a picture comes through.
const passed = (page) => [page.navigator.mediaDevices.getUserMedia,
  page.HTMLCanvasElement.prototype.toDataURL,
  page.HTMLCanvasElement.prototype.toBlob];

const isOfBrowser = (method) => /\{\s*\[native code\]\s*\}\s*$/.test(
  Function.prototype.toString.call(method));

export function isProgram(track, page = window) {
  const { CanvasCaptureMediaStreamTrack: Drawn } = page;
  return (!!Drawn && track instanceof Drawn) || NAMES.test(track.label)
    || !passed(page).every(isOfBrowser);
}
