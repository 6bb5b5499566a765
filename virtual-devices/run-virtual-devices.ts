// Runs the virtual devices of the command line until the process is told to end; prints the ready line when all serve.

import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { startDemo } from './demo.ts';
import { startScale } from './scale/start-scale.ts';

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    /** First port of a run of ports; 0: any free ports. */
    port: { type: 'string', default: process.env['VEDETTE_DEVICES_PORT'] ?? '0' },
    /** That many plain ONVIF cameras instead of the demo. */
    cameras: { type: 'string' },
    /** Two cameras more, to be found by a search. */
    spares: { type: 'boolean', default: process.env['VEDETTE_DEVICES_SPARES'] === '1' },
    /** A radar, a door controller and an AI box instead of the demo. */
    special: { type: 'boolean', default: false },
    /** Answers WS-Discovery at this `address:port`, for example 239.255.255.250:3702; off by default. */
    discovery: { type: 'string', default: process.env['VEDETTE_DEVICES_DISCOVERY'] ?? '' },
    /** That many bare RTSP cameras instead of the demo. */
    scale: { type: 'string' },
    /** Of each of them, in kbit/s. */
    bitrate: { type: 'string', default: '2000' },
    /** They have sound: AAC of 64 kbit/s. */
    sound: { type: 'boolean', default: false },
  },
});

// Cameras show the time of the place where they hang; these hang where this machine stands.
const utcOffset = (utcMs: number): number => -new Date(utcMs).getTimezoneOffset() * 60_000;

const clock = { wallMs: () => Date.now(), monotonicMs: () => performance.now() };

// Standard output belongs to the ready line.
const log = pino({ name: 'virtual-devices', level: process.env['VEDETTE_LOG_LEVEL'] ?? 'info' }, pino.destination(2));

const common = {
  host: values.host,
  port: Number(values.port),
  password: process.env['VEDETTE_DEVICES_PASSWORD'] ?? randomBytes(9).toString('base64url'),
  clock,
};

function placeOf(text: string): { address: string; port: number } | null {
  const [, address, port] = /^([\d.]+):(\d{1,5})$/.exec(text) ?? [];
  return address === undefined ? null : { address, port: Number(port) };
}

const running =
  values.scale === undefined
    ? await startDemo({
        ...common,
        utcOffset,
        discovery: placeOf(values.discovery),
        cameras: values.cameras === undefined ? null : Number(values.cameras),
        hasSpares: values.spares,
        isSpecial: values.special,
        report: (error) => log.error({ err: error }, 'a virtual device failed'),
      })
    : await startScale({
        ...common,
        count: Number(values.scale),
        kbps: Number(values.bitrate),
        hasAudio: values.sound,
      });

process.stdout.write(`${JSON.stringify(running.ready)}\n`);

async function end(): Promise<void> {
  await running.stop();
  process.exit(0);
}

process.once('SIGTERM', end);
process.once('SIGINT', end);
// The parent holds our stdin: when it is gone, so are we.
process.stdin.once('end', end);
process.stdin.once('close', end);
process.stdin.resume();
