import assert from 'node:assert/strict';
import test from 'node:test';
import { isProgram } from '../../../mod_verify/web/capture/program.js';

// Functions of the engine itself, as those of a browser.
const own = { getUserMedia: Array.from, toDataURL: String.raw, toBlob: Object.keys };

function page(replaced = {}) {
  const { getUserMedia, toDataURL, toBlob } = { ...own, ...replaced };
  return { navigator: { mediaDevices: { getUserMedia } },
    HTMLCanvasElement: { prototype: { toDataURL, toBlob } },
    CanvasCaptureMediaStreamTrack: class {} };
}

test('cameras are cameras', () => {
  for (const label of ['', 'Front Camera', 'FaceTime HD Camera (05ac:8514)',
    'Integrated Webcam', 'Jobst camera', 'camera2 1, facing front',
    'Logitech BRIO', 'Virtu', 'iPhone Camera'])
    assert.equal(isProgram({ label }, page()), false, label);
});

test('programs that say what they are', () => {
  for (const label of ['OBS Virtual Camera', 'OBS-Camera', 'ManyCam Virtual Webcam',
    'XSplit VCam', 'v4l2loopback', 'Dummy video device (0x0000)', 'fake_device_0'])
    assert.equal(isProgram({ label }, page()), true, label);
});

test('a stream that the page draws', () => {
  const drawn = page();
  const track = Object.assign(new drawn.CanvasCaptureMediaStreamTrack(), { label: '' });
  assert.equal(isProgram(track, drawn), true);
  const old = { ...page(), CanvasCaptureMediaStreamTrack: undefined };
  assert.equal(isProgram({ label: '' }, old), false, 'where there is no such thing');
});

test('functions that were replaced', () => {
  for (const name of Object.keys(own)) {
    const replaced = { [name]: () => 'picture' };
    assert.equal(isProgram({ label: '' }, page(replaced)), true, name);
  }
  const told = Object.assign(() => 1, { toString: () => 'f() { [native code] }' });
  assert.equal(isProgram({ label: '' }, page({ toBlob: told })), true,
    'also one that says otherwise of itself');
  const bound = own.toBlob.bind(null);
  assert.equal(isProgram({ label: '' }, page({ toBlob: bound })), false,
    'what is bound passes: this is a hint only');
});
