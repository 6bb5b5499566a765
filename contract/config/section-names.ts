// Names of the configuration sections, in the order of the console's tabs; free of zod for the console's first load.

export const SECTION_NAMES = [
  'image',
  'osd',
  'video',
  'audio',
  'motion',
  'humanShape',
  'tracking',
  'mask',
  'time',
  'storage',
  'io',
] as const;
export type SectionName = (typeof SECTION_NAMES)[number];
