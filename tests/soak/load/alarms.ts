// Alarms during a soak: told by a program with a key, and by a camera of its own; how many were taken is counted.
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { wait } from '@vedette/foundation/time/wait.ts';
import { ApiClient } from '../../harness/api-client.ts';
import { again, oneOf, type SoakWorld } from '../world.ts';

/** Each must be stored. */
export interface AlarmCounts {
  /** Acknowledged. */
  program: number;
  /** Begun and ended while nothing was away: a camera does not tell again what nobody fetched. */
  camera: number;
}

export const PROGRAM_ALARM = 'HumanShapeDetect';
export const CAMERA_ALARM = 'FireAlarm';
const PROGRAM_EVERY_MS = 2000;
const CAMERA_EVERY_MS = 10_000;
const CAMERA_LASTS_MS = 3000;

export async function raiseAlarms(world: SoakWorld, counts: AlarmCounts): Promise<void> {
  const program = new ApiClient(world.url);
  program.accessToken = (await world.operator.ok('event/key/add', { name: 'Soak' })).token;
  const told = again(
    world,
    'an event of a program',
    () => PROGRAM_EVERY_MS,
    () => tellEvent(world, program, counts),
  );
  const raised = again(
    world,
    'an alarm of a camera',
    () => CAMERA_EVERY_MS,
    () => raiseOnce(world, counts),
  );
  await Promise.all([told, raised]);
}

async function tellEvent({ cameras, random }: SoakWorld, program: ApiClient, counts: AlarmCounts): Promise<void> {
  const event = { ...oneOf(cameras, random), type: PROGRAM_ALARM, key: String(counts.program) } as const;
  const { alarmId } = await program.ok('event/ingest', { ...event, phase: 'pulse' });
  if (alarmId === null) throw new Error('it became no alarm');
  counts.program += 1;
}

async function raiseOnce({ roof, outages, signal }: SoakWorld, counts: AlarmCounts): Promise<void> {
  const startedMs = Date.now();
  const command = async (name: 'raise' | 'clear'): Promise<void> => {
    const body = JSON.stringify({ topic: CAMERA_ALARM, channelNo: roof.channelNo });
    // A connection that is kept may just be closed by the other side.
    const headers = { connection: 'close' };
    const url = `${roof.controlUrl}/devices/${roof.deviceSerial}/${name}`;
    const answer = await fetch(url, { method: 'POST', body, headers });
    if (!answer.ok) throw new Error(`${name} answered ${answer.status}`);
  };
  await command('raise');
  await wait(systemClock, CAMERA_LASTS_MS, signal);
  await command('clear');
  if (!signal.aborted && !outages.touch(startedMs, Date.now())) counts.camera += 1;
}
