// Our side of the ingest bench: pulls every address from standard input, builds fragments, keeps the GOP cache.
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { openRtspSource } from '@vedette/media/source/rtsp-source.ts';
import { SignInLimiter } from '@vedette/media/source/sign-in-limiter.ts';
import { StreamHub } from '@vedette/media/stream/hub.ts';
import { dialDirect } from '@vedette/protocols/rtsp/dial.ts';
import { inputLines } from './measure/json-line-process.ts';

const urls = await inputLines();
const hub = new StreamHub({
  clock: systemClock,
  onConsumerFailure: (key, error) => process.stderr.write(`${key}: ${String(error)}\n`),
});
const signInLimiter = new SignInLimiter(systemClock);
const leases = urls.map((url) =>
  hub.acquire(createHash('sha256').update(url).digest('hex'), (consumer) =>
    openRtspSource({
      url,
      credentials: null,
      dial: dialDirect,
      clock: systemClock,
      random: () => randomInt(1 << 30) / (1 << 30),
      clientNonce: () => randomBytes(8).toString('hex'),
      signInLimiter,
      consumer,
    }),
  ),
);

// One line whenever asked for by a signal: bytes of fragments built so far, and how many streams play.
process.on('SIGUSR2', () => {
  const playing = leases.filter((lease) => lease.stream.currentState.state === 'playing').length;
  const bytes = leases.reduce((sum, lease) => sum + lease.stream.counters().fragmentBytes, 0);
  process.stdout.write(`${JSON.stringify({ playing, bytes })}\n`);
});
process.stdout.write('{"event":"ready"}\n');
