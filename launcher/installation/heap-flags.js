// How far V8 lets the heaps of gateway and server grow for what lives a moment: whoever may connect must not make them large for good.

/**
 * At its own pace V8 gave the gateway a young generation of 134 MB after ten thousand sockets, let what lived through it fill the old one to
 * 75 MB of garbage, and kept all of it while nothing happened. So the young generation is small, and the old one is first marked at
 * 32 MB: from then on it follows what is alive.
 */
const firstMarking = '--initial-old-space-size=32';

/** It collects after a crowd of connections has left (gateway/listener/crowd-garbage.ts). */
export const gatewayFlags = ['--max-semi-space-size=4', firstMarking, '--expose-gc'];
/** Answers of a thousand rows live a little longer than what the gateway passes on. */
export const serverFlags = ['--max-semi-space-size=8', firstMarking];

/**
 * glibc gives each thread an arena of its own and returns little of them to the system, and its thresholds grow with the largest block that
 * was ever freed (mallopt(3)). Two arenas and fixed thresholds return what a crowd took.
 *
 * @type {Record<'server' | 'site' | 'gateway' | 'virtual-devices', Record<string, string>>}
 */
export const allocators = {
  server: { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '131072' },
  site: { MALLOC_ARENA_MAX: '2' },
  gateway: { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' },
  'virtual-devices': {},
};
