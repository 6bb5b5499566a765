// Signals call every listener, wait for all, and report a failure without keeping the others from their call.
import { expect, test } from 'vitest';
import { Signal } from './signal.ts';

test('calls every listener with the value, and waits for the slowest', async () => {
  const signal = new Signal<number>();
  const seen: string[] = [];
  let finish: (() => void) | undefined;
  signal.subscribe((value) => void seen.push(`sync ${value}`));
  signal.subscribe(async (value) => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    seen.push(`async ${value}`);
  });
  const emitted = signal.emit(7);
  expect(seen).toEqual(['sync 7']);
  finish?.();
  await emitted;
  expect(seen).toEqual(['sync 7', 'async 7']);
});

test('rejects with the failure of a listener after calling the others', async () => {
  const signal = new Signal<string>();
  const seen: string[] = [];
  signal.subscribe(() => {
    throw new Error('broken');
  });
  signal.subscribe((value) => void seen.push(value));
  await expect(signal.emit('a')).rejects.toThrow('broken');
  expect(seen).toEqual(['a']);
});

test('without a listener resolves', async () => {
  await expect(new Signal<null>().emit(null)).resolves.toBeUndefined();
});
