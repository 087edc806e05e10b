// The rear camera: opening it, its light, and letting go of it.

export function isAvailable() {
  return Boolean(navigator.mediaDevices && navigator.mediaDevices.getUserMedia);
}

// Starts the camera in VIDEO. Rejects with an Error whose message is "denied",
// "absent" or "busy".
export async function openCamera(video) {
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: {
        facingMode: { ideal: 'environment' },
        width: { ideal: 3840 },
        height: { ideal: 2160 },
      },
    });
  } catch (error) {
    throw new Error(reasonOf(error));
  }
  const [track] = stream.getVideoTracks();
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
    hasLight: hasLight(track),
    setLight: (on) => track.applyConstraints({ advanced: [{ torch: on }] }),
    onEnded: (listener) => track.addEventListener('ended', listener),
    close: () => close(stream, video),
  };
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
