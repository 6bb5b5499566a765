// The rooms of the tree, lower ones first; docs/architecture.md says what each holds.

/** What is shipped. */
export const rooms = [
  'foundation',
  'contract',
  'bridge',
  'rules',
  'phrases',
  'protocols',
  'drivers',
  'media',
  'site',
  'gateway',
  'server',
  'player',
  'sdk',
  'console',
  'shells',
  'virtual-devices',
  'launcher',
];
