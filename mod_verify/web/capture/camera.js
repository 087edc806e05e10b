// The cameras: opening one, its light, the others, and letting go of it.

import { button } from '../widget.js';
import { isProgram } from './program.js';

export function isAvailable() {
  return Boolean(navigator.mediaDevices && navigator.mediaDevices.getUserMedia);
}

let virtual = null; // whether a program stood in for a camera; null: none was opened

// What a submission says about the camera.
export const cameraFacts = () => (virtual === null ? {}
  : { virtual_camera: virtual });

// Starts a camera in VIDEO: the one with the id DEVICE, else one that looks
// FACING ("environment", "user"). Rejects with an Error whose message is
// "denied", "absent" or "busy".
async function openCamera(video,
  { device = null, facing = 'environment' } = {}) {
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: {
        ...(device ? { deviceId: { exact: device } }
          : { facingMode: { ideal: facing } }),
        width: { ideal: 3840 },
        height: { ideal: 2160 },
      },
    });
  } catch (error) {
    throw new Error(reasonOf(error));
  }
  const [track] = stream.getVideoTracks();
  virtual = virtual || isProgram(track);
  video.srcObject = stream;
  video.muted = true;
  video.setAttribute('playsinline', '');
  try {
    await video.play();
  } catch {
    close(stream, video);
    throw new Error('busy');
  }
  return {
    id: (track.getSettings && track.getSettings().deviceId) || null,
    cameras: await listCameras(),
    hasLight: hasLight(track),
    setLight: (on) => track.applyConstraints({ advanced: [{ torch: on }] }),
    onEnded: (listener) => track.addEventListener('ended', listener),
    close: () => close(stream, video),
  };
}

const chosen = {}; // which way a camera looks -> the one that the person chose

// The camera in VIDEO, let go of with the screen of WIDGET; null when that was
// left meanwhile, or another one says what is wrong, by fail(problem).
export async function startCamera(widget, video,
  { facing = 'environment', fail }) {
  let device = null, left = false;
  widget.onLeave(() => {
    left = true;
    if (device) device.close();
  });
  try {
    device = await openCamera(video, { device: chosen[facing], facing });
  } catch (error) {
    if (!left) fail(`camera_${error.message}`);
    return null;
  }
  if (left) {
    device.close();
    return null;
  }
  device.onEnded(() => fail('camera_busy'));
  return device;
}

// The choice between several cameras, of which DEVICE (a promise) is one; the
// screen begins anew with another one.
export function cameraChoice(widget, device, facing = 'environment') {
  const other = button(widget.t('camera.other'), async () => {
    const { id, cameras } = await device;
    const at = cameras.findIndex((camera) => camera.id === id);
    chosen[facing] = cameras[(at + 1) % cameras.length].id;
    widget.show(widget.current.name, widget.current.props, { replace: true });
  }, { kind: 'tool', symbol: 'turn', id: 'other-camera' });
  other.hidden = true;
  device.then((found) => {
    other.hidden = !(found && found.cameras.length > 1);
  });
  return other;
}

// The cameras as [{id, label}], as far as the browser tells.
async function listCameras() {
  const devices = await navigator.mediaDevices.enumerateDevices()
    .catch(() => []);
  return devices.filter(({ kind, deviceId }) => kind === 'videoinput'
    && deviceId).map(({ deviceId, label }) => ({ id: deviceId, label }));
}

function reasonOf(error) {
  const reasons = {
    NotAllowedError: 'denied', SecurityError: 'denied',
    NotFoundError: 'absent', OverconstrainedError: 'absent',
  };
  return reasons[error.name] || 'busy';
}

function hasLight(track) {
  return Boolean(track.getCapabilities && track.getCapabilities().torch);
}

function close(stream, video) {
  for (const track of stream.getTracks()) track.stop();
  video.srcObject = null;
}
