// From a file or a camera frame to the bytes that are sent, and to the small
// copy on which the quality is judged.

import { SAMPLE_SIZE, assess } from './quality.js';
import { withoutMetadata } from './jpeg.js';

const MAX_SIDE = 4096;                  // pixels
const MAX_BYTES = 20 * 1000 * 1000;     // the server's limit is 20 MB
const JPEG_QUALITY = 0.92;
const SENT_AS_THEY_ARE = ['image/jpeg', 'image/png', 'image/webp'];

// Decodes with the orientation that the camera noted.
async function decode(blob) {
  if (window.createImageBitmap) {
    try {
      return await createImageBitmap(blob, { imageOrientation: 'from-image' });
    } catch {
      // Older browsers know no options; an image element turns by itself.
    }
  }
  const image = new Image();
  const url = URL.createObjectURL(blob);
  try {
    await new Promise((resolve, reject) => {
      image.onload = resolve;
      image.onerror = () => reject(new Error('unsupported_image'));
      image.src = url;
    });
    return image;
  } finally {
    URL.revokeObjectURL(url);
  }
}

function sizeOf(source) {
  return {
    width: source.naturalWidth || source.videoWidth || source.width,
    height: source.naturalHeight || source.videoHeight || source.height,
  };
}

function draw(source, longest) {
  const { width, height } = sizeOf(source);
  const scale = Math.min(1, longest / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.imageSmoothingQuality = 'high';
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function toJpeg(canvas) {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob)
      : reject(new Error('unsupported_image'))), 'image/jpeg', JPEG_QUALITY);
  });
}

// The quality of what SOURCE (image, bitmap, video, canvas) shows.
export function examine(source, longest = SAMPLE_SIZE) {
  const canvas = draw(source, longest);
  const sample = canvas.getContext('2d')
    .getImageData(0, 0, canvas.width, canvas.height);
  return assess(sample, sizeOf(source));
}

// A frame of a running video as {blob, quality}.
export async function fromVideo(video) {
  const canvas = draw(video, MAX_SIDE);
  return { blob: await toJpeg(canvas), quality: examine(canvas) };
}

// A chosen file as {blob, quality}; throws Error('unsupported_image') when
// the browser cannot show it.
export async function fromFile(file) {
  let source;
  try {
    source = await decode(file);
  } catch {
    throw new Error('unsupported_image');
  }
  const { width, height } = sizeOf(source);
  if (!width || !height) throw new Error('unsupported_image');
  const quality = examine(source);
  const fits = Math.max(width, height) <= MAX_SIDE && file.size <= MAX_BYTES
    && SENT_AS_THEY_ARE.includes(file.type);
  if (!fits) return { blob: await toJpeg(draw(source, MAX_SIDE)), quality };
  if (file.type !== 'image/jpeg') return { blob: file, quality };
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { blob: new Blob([withoutMetadata(bytes)], { type: file.type }),
    quality };
}
