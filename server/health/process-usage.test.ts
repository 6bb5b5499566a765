// What processes of this machine use.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { childrenOf, commandOf, machineMemory, ownMemory, postmasterOf, processUsage } from './process-usage.ts';

it('reads this process and its child, and nothing of one that has ended', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()', 'a-known-word'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const pid = child.pid ?? 0;
  const own = await processUsage(process.pid);
  expect(own?.residentBytes).toBeGreaterThan(10_000_000);
  expect(own?.cpuMs).toBeGreaterThan(0);
  expect(own?.handles).toBeGreaterThan(2);
  expect(await ownMemory(process.pid)).toBeGreaterThan(1_000_000);
  await expect.poll(() => commandOf(pid)).toContain('a-known-word');
  expect(await childrenOf(process.pid)).toContain(pid);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await processUsage(pid)).toBeNull();
  expect(await commandOf(pid)).toBe('');
});

it('knows the memory of the machine, and no database where there is none', async () => {
  const memory = await machineMemory();
  expect(memory?.freeBytes).toBeLessThan(memory?.totalBytes ?? 0);
  expect(await postmasterOf('/nowhere')).toBeNull();
});
