// The clock of the system as the RTSP client takes it, for tests on real sockets.
import type { RtspClock } from './connection.ts';

export const systemTimers: RtspClock = {
  monotonicMs: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
