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
