// From a file or a camera's frame to the bytes that are sent.

import { withoutMetadata } from './jpeg.js';

export const MAX_SIDE = 4096;           // pixels
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

// Of an image, a bitmap, a video or a canvas.
export function sizeOf(source) {
  return {
    width: source.naturalWidth || source.videoWidth || source.width,
    height: source.naturalHeight || source.videoHeight || source.height,
  };
}

// The part AREA ({x, y, width, height}; all by default) of SOURCE as a canvas of
// at most LONGEST pixels a side; CANVAS is used again where it is given.
export function draw(source, longest, area = null,
  canvas = document.createElement('canvas')) {
  const part = area || { x: 0, y: 0, ...sizeOf(source) };
  const scale = Math.min(1, longest / Math.max(part.width, part.height));
  canvas.width = Math.max(1, Math.round(part.width * scale));
  canvas.height = Math.max(1, Math.round(part.height * scale));
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.imageSmoothingQuality = 'high';
  context.drawImage(source, part.x, part.y, part.width, part.height, 0, 0,
    canvas.width, canvas.height);
  return canvas;
}

// The pixels of a canvas: {data, width, height} in RGBA.
export function pixelsOf(canvas) {
  return canvas.getContext('2d', { willReadFrequently: true })
    .getImageData(0, 0, canvas.width, canvas.height);
}

export function toJpeg(canvas) {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob)
      : reject(new Error('unsupported_image'))), 'image/jpeg', JPEG_QUALITY);
  });
}

// A chosen file as {blob, source}: the bytes to send and what can be drawn.
// Throws Error('unsupported_image') when the browser cannot show it.
export async function fromFile(file) {
  let source;
  try {
    source = await decode(file);
  } catch {
    throw new Error('unsupported_image');
  }
  const { width, height } = sizeOf(source);
  if (!width || !height) throw new Error('unsupported_image');
  const fits = Math.max(width, height) <= MAX_SIDE && file.size <= MAX_BYTES
    && SENT_AS_THEY_ARE.includes(file.type);
  if (!fits) return { blob: await toJpeg(draw(source, MAX_SIDE)), source };
  if (file.type !== 'image/jpeg') return { blob: file, source };
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { source,
    blob: new Blob([withoutMetadata(bytes)], { type: file.type }) };
}
