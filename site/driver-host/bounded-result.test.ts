// What is too large to cross to the recorder's loop is refused at its limits, and everything below them crosses unchanged.
import { DeviceFault } from '@vedette/drivers/kit/device-fault.ts';
import type { DeviceDescription } from '@vedette/drivers/kit/driver.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bounded, boundedDescription } from './bounded-result.ts';

const refused = (value: unknown): boolean => {
  try {
    expect(bounded(value)).toBe(value);
    return false;
  } catch (error) {
    expect(error).toBeInstanceOf(DeviceFault);
    expect(error).toMatchObject({ kind: 'device', fault: 'answer too large' });
    return true;
  }
};

/** So many objects within each other. */
function nested(depth: number): unknown {
  return depth === 0 ? 'end' : { in: nested(depth - 1) };
}

test.each([
  ['a text of 64,000 characters', (over: number) => 'x'.repeat(64_000 + over)],
  ['the name of a member of 64,000 characters', (over: number) => ({ ['x'.repeat(64_000 + over)]: 1 })],
  ['a key of a map of 64,000 characters', (over: number) => new Map([['x'.repeat(64_000 + over), 1]])],
  ['a million characters in all', (over: number) => [...Array<string>(20).fill('x'.repeat(50_000)), 'x'.repeat(over)]],
  ['50,000 values, their list counted', (over: number) => Array<number>(49_999 + over).fill(1)],
  ['50,000 values in a set', (over: number) => new Set(Array.from({ length: 49_999 + over }, (_none, at) => at))],
  ['sixteen levels', (over: number) => nested(16 + over)],
])('[SE-82] %s cross, one more is refused', (_name, make) => {
  expect(refused(make(0))).toBe(false);
  expect(refused(make(1))).toBe(true);
});

test('[SE-82] an answer that contains itself is refused', () => {
  const own: Record<string, unknown> = {};
  own['own'] = own;
  expect(refused(own)).toBe(true);
});

test('bytes cross as they are: only their owner bounds them', () => {
  expect(refused({ data: new Uint8Array(4_000_000) })).toBe(false);
});

test('of a description with more than 1,024 channels or warnings the first ones cross', () => {
  const channels = Array.from({ length: 1500 }, (_none, at) => ({ channelNo: at + 1 }));
  const warnings = Array.from({ length: 1500 }, (_none, at) => `warning ${at}`);
  const given = { model: 'Recorder', channels, warnings } as unknown as DeviceDescription;
  const crossed = boundedDescription(given);
  expect(crossed.channels).toEqual(channels.slice(0, 1024));
  expect(crossed.warnings).toEqual(warnings.slice(0, 1024));
  expect(crossed).toMatchObject({ model: 'Recorder' });
  expect(given.channels, 'the description itself is not changed').toHaveLength(1500);
});

test('property: whatever is below every limit crosses as the same value', () => {
  fc.assert(
    fc.property(fc.anything({ maxDepth: 5, withMap: true, withSet: true, withTypedArray: true }), (value) => {
      expect(refused(value)).toBe(false);
    }),
  );
});
