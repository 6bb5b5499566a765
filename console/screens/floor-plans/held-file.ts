// What a chosen file is to a floor plan: a picture, or an exported plan with its cameras.
import type { FloorPlanCamera, FloorPlanPicture } from '@vedette/contract/calls/floor-plan.ts';
import { encodePicture, pictureBlob } from '../../features/floor-plan/encode-picture.ts';
import { readPlanFile } from '../../features/floor-plan/plan-file.ts';

export interface HeldFile {
  readonly fileName: string;
  /** For the plan, unless the user gives it another. */
  readonly name: string;
  readonly picture: FloorPlanPicture;
  /** Of an exported plan; null where the file is a picture. */
  readonly cameras: readonly FloorPlanCamera[] | null;
}

/** Of an exported plan: a picture that fits into a call, and its cameras. */
const PLAN_FILE_BYTES = 2_000_000;

/** Rejects for what is neither. Whatever comes from a file is decoded and encoded anew before it is sent. */
export async function readHeldFile(file: File, allowsPlan: boolean): Promise<HeldFile> {
  const fileName = file.name;
  if (allowsPlan && /\.json$/i.test(fileName)) return await readExported(file);
  const name = fileName.replace(/\.\w{1,5}$/, '').replaceAll(/[<>]/g, '');
  return { fileName, name, picture: await encodePicture(file), cameras: null };
}

async function readExported(file: File): Promise<HeldFile> {
  if (file.size > PLAN_FILE_BYTES) throw new Error('the file is larger than any plan');
  const read = readPlanFile(await file.text());
  if (read === null) throw new Error('no exported floor plan');
  const { name, picture, cameraList } = read;
  return { fileName: file.name, name, picture: await encodePicture(pictureBlob(picture)), cameras: cameraList };
}
