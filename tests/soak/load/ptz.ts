// Somebody who turns a camera now and then.
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { wait } from '@vedette/foundation/time/wait.ts';
import { again, type SoakWorld } from '../world.ts';

const EVERY_MS = 7000;
const TURNING_MS = 800;

export async function turnOften(world: SoakWorld, turns: { total: number }): Promise<void> {
  const { deviceSerial, channelNo } = world.roof;
  await again(
    world,
    'a turn of a camera',
    () => EVERY_MS,
    async () => {
      const move = { deviceSerial, channelNo, command: turns.total % 2 === 0 ? 'left' : 'right' } as const;
      await world.operator.ok('ptz/start', move);
      await wait(systemClock, TURNING_MS, world.signal);
      await world.operator.ok('ptz/stop', move);
      turns.total += 1;
    },
  );
}
