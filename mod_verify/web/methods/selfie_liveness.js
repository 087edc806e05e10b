// selfie_liveness: the challenge before the camera.

export { liveness as default } from './selfie.js';
