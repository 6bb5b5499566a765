// Commands and limits of PTZ (LV-02, LV-03).

export const PTZ_COMMANDS = [
  'up',
  'down',
  'left',
  'right',
  'leftUp',
  'rightUp',
  'leftDown',
  'rightDown',
  'zoomIn',
  'zoomOut',
  'focusNear',
  'focusFar',
  'irisOpen',
  'irisClose',
  'light',
  'wiper',
] as const;
export type PtzCommand = (typeof PTZ_COMMANDS)[number];

export const PTZ_SPEED = { least: 1, usual: 5, most: 10 } as const;
/** A move ends after this time unless it is renewed. */
export const PTZ_MOVE_MAX_MS = 10_000;
/** A camera stops within this time after the last renewal. */
export const PTZ_LEASE_MS = 1500;
export const PRESET_INDEX_MAX = 9999;
/** Stops of one patrol, and patrols of one channel. */
export const PATROL_LIMITS = { stops: 64, patrols: 32, stayS: { least: 3, usual: 10, most: 3600 } } as const;
