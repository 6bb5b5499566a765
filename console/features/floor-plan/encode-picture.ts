// Makes the picture of a floor plan from a file: decoded by the browser, made smaller until it fits into a call, and encoded anew.
// What a file holds beside its picture, such as where a photo was taken, does not go with it.
import type { FloorPlanPicture } from '@vedette/contract/calls/floor-plan.ts';
import { FLOOR_PLAN_LIMITS } from '@vedette/contract/limits.ts';

/** Pixels of the longer side, the first that fits: letters on a drawing stay legible at the largest. */
const SIDES = [4096, 3072, 2048, 1536, 1024] as const;
/** A browser that cannot encode WebP answers with PNG, which may be too large, and then JPEG is tried. */
const ENCODINGS = [
  ['image/webp', 0.9],
  ['image/jpeg', 0.85],
] as const;

/** Rejects where the browser can't read the file as a picture. */
export async function encodePicture(file: Blob): Promise<FloorPlanPicture> {
  const picture = await createImageBitmap(file);
  try {
    for (const side of SIDES) {
      const encoded = encodeSmallEnough(drawn(picture, side));
      if (encoded !== null) return encoded;
    }
    throw new Error('the picture does not become small enough');
  } finally {
    picture.close();
  }
}

/** Null where no encoding fits into a call. */
function encodeSmallEnough(canvas: HTMLCanvasElement): FloorPlanPicture | null {
  for (const [type, quality] of ENCODINGS) {
    const [head = '', data = ''] = canvas.toDataURL(type, quality).split(',');
    const contentType = /^data:(image\/(?:png|jpeg|webp));/.exec(head)?.[1] as FloorPlanPicture['contentType'];
    if (data !== '' && data.length <= FLOOR_PLAN_LIMITS.pictureLength) return { contentType, data };
  }
  return null;
}

function drawn(picture: ImageBitmap, side: number): HTMLCanvasElement {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('the browser draws no canvas of this size');
  // Drawings are often transparent: their lines are made for paper.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** The bytes of a picture that a file of an exported plan holds. */
export function pictureBlob({ contentType, data }: FloorPlanPicture): Blob {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.codePointAt(0) ?? 0);
  return new Blob([bytes], { type: contentType });
}
