// The tabs of the add device panel, and which one was used last in this browser.

export const DOORS = ['network', 'address', 'range', 'file', 'serial'] as const;
export type Door = (typeof DOORS)[number];

const STORAGE_KEY = 'vedette.addDoor';

export function lastDoor(): Door {
  const stored = localStorage.getItem(STORAGE_KEY);
  return DOORS.find((door) => door === stored) ?? 'network';
}

export function keepDoor(door: Door): void {
  localStorage.setItem(STORAGE_KEY, door);
}
