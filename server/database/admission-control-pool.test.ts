// Admission control: calls are refused at once while others wait long, and end at their deadline.
import { expect, test } from 'vitest';
import { DatabaseBusy, withRequestDeadline } from './request-deadline.ts';
import { AdmissionControlPool } from './admission-control-pool.ts';

function poolOf() {
  let now = 0;
  const asked: ((client: never) => void)[] = [];
  const inner = {
    connect: () => new Promise<never>((resolve) => asked.push(resolve)),
    end: () => Promise.resolve(),
    options: {},
  };
  const pool = new AdmissionControlPool(inner, () => now);
  return {
    pool,
    pass: (ms: number) => {
      now += ms;
    },
    give: () => asked.shift()?.({ release: () => undefined } as never),
  };
}

test('[FT-24] refuses a call at once while another has waited long; background work is not refused', async () => {
  const { pool, pass, give } = poolOf();
  const first = withRequestDeadline(() => pool.connect());
  pass(1000);
  const second = withRequestDeadline(() => pool.connect());
  pass(600);
  await expect(withRequestDeadline(() => pool.connect())).rejects.toThrow(DatabaseBusy);
  const own = pool.connect();
  for (const _ of [1, 2, 3]) give();
  await Promise.all([first, second, own]);
  const later = withRequestDeadline(() => pool.connect());
  give();
  await expect(later, 'nobody waits any more').resolves.toBeDefined();
});

test('[FT-24] a call without time left starts nothing more, and does not affect other calls', async () => {
  const { pool, pass, give } = poolOf();
  await withRequestDeadline(async () => {
    const waiting = pool.connect();
    give();
    const client = await waiting;
    pass(4001);
    client.release();
    await expect(pool.connect()).rejects.toThrow(DatabaseBusy);
  });
  const other = withRequestDeadline(() => pool.connect());
  give();
  await expect(other).resolves.toBeDefined();
});
