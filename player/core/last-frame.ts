// Keeps the last frame of a tile on its canvas while nothing newer comes.

/** Copies the frame that the element shows; false when it shows none. */
export function paintLastFrame(video: HTMLVideoElement, canvas: HTMLCanvasElement): boolean {
  // HAVE_CURRENT_DATA
  if (video.readyState < 2 || video.videoWidth === 0) return false;
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  return true;
}

export function clearLastFrame(canvas: HTMLCanvasElement): void {
  canvas.width = 0;
  canvas.height = 0;
}

/** The picture as a file; null when there is none. */
export async function lastFrameBlob(canvas: HTMLCanvasElement): Promise<Blob | null> {
  if (canvas.width === 0) return null;
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.92));
}
