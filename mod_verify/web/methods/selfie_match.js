// selfie_match: the comparison with the portrait of the document.

export { match as default } from './selfie.js';
