// Crops an image file to a small square and encodes it as a data URL, as the profile takes it.

/** Pixels of a side: sharp where it is shown largest, twice over. */
const SIDE = 160;
const QUALITY = 0.86;

/** Rejects where the browser can't read the file as a picture. */
export async function squareImage(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file);
  const side = Math.min(picture.width, picture.height);
  const canvas = document.createElement('canvas');
  canvas.width = SIDE;
  canvas.height = SIDE;
  const left = (picture.width - side) / 2;
  const top = (picture.height - side) / 2;
  canvas.getContext('2d')?.drawImage(picture, left, top, side, side, 0, 0, SIDE, SIDE);
  picture.close();
  return canvas.toDataURL('image/jpeg', QUALITY);
}
