// A floor plan as one file: written with its picture and cameras, and read again, here or in another installation.
import { type FloorPlan, FloorPlanFile, type FloorPlanPicture } from '@vedette/contract/calls/floor-plan.ts';

const ENDING = '.floor-plan.json';
export const PLAN_FILE_TYPES = `${ENDING},.json,application/json`;

export function planFileName(name: string): string {
  return `${name.replaceAll(/[^\p{L}\p{N} _-]/gu, '').trim() || 'plan'}${ENDING}`;
}

export function planFileText({ name, cameraList }: FloorPlan, picture: FloorPlanPicture): string {
  const file: FloorPlanFile = { format: 'vedette-floor-plan', version: 1, name, picture, cameraList };
  return JSON.stringify(file);
}

/** Null for what is no exported plan. */
export function readPlanFile(text: string): FloorPlanFile | null {
  try {
    return FloorPlanFile.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
