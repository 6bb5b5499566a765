// Tests of the driver kit: the error map, the derived serial, and the order of calls to one device.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SESSION_ENDING_CODES } from '@vedette/contract/errors.ts';
import { CallQueue } from './call-queue.ts';
import { DeviceFault, type DeviceFaultKind, deviceError } from './device-fault.ts';
import { deriveDeviceSerial } from './device-serial.ts';

describe('deviceError', () => {
  test.each<[DeviceFaultKind, number, string | undefined]>([
    ['auth', 2316, 'deviceAuth'],
    ['locked', 2316, 'deviceAuth'],
    ['unreachable', 2317, 'unreachable'],
    ['timeout', 2317, 'timeout'],
    ['name-not-found', 2317, 'unreachable'],
    ['address-refused', 2316, 'refusedAddress'],
    ['other-protocol', 2316, 'wrongProtocol'],
    ['no-video', 2316, 'noVideo'],
    ['unsupported-codec', 2316, 'unsupportedCodec'],
    ['not-found', 2316, 'fault'],
    ['device', 2316, 'fault'],
    ['not-supported', 1006, undefined],
    ['unknown-channel', 1009, undefined],
  ])('%s is %i %s and never ends the session', (kind, code, reason) => {
    const error = deviceError(new DeviceFault(kind, 'words of the device', { fault: 'ter:X' }));
    expect(error.code).toBe(code);
    expect(error.data.reason).toBe(reason);
    expect(SESSION_ENDING_CODES.has(error.code)).toBe(false);
    expect(JSON.stringify(error)).not.toContain('words of the device');
  });
});

describe('deriveDeviceSerial', () => {
  const derive = (serial: string, unique = 'aa:bb') =>
    deriveDeviceSerial({ manufacturer: 'Maker', model: 'M1', serial, unique });

  test('keeps 1 to 20 letters or digits as they are', () => {
    expect([derive('A1'), derive(' 00012 '), derive('12345678901234567890')]).toEqual([
      'A1',
      '00012',
      '12345678901234567890',
    ]);
  });

  test('is always valid and differs between devices', () => {
    fc.assert(fc.property(fc.string(), (serial) => /^[A-Za-z0-9]{1,20}$/u.test(derive(serial))));
    const long = 'DS-2CD2T47G2-L20210101AAWRF12345678';
    expect(derive(`${long}1`)).not.toBe(derive(`${long}2`));
    expect(derive('', 'aa')).not.toBe(derive('', 'bb'));
    expect(derive('0000', 'aa')).not.toBe(derive('0000', 'bb'));
    expect(derive('')).toBe(derive(''));
    expect(derive('')).toMatch(/^V[0-9A-Z]{19}$/u);
  });
});

describe('CallQueue', () => {
  function setup() {
    const trace: string[] = [];
    let now = 0;
    const queue = new CallQueue({ monotonicMs: () => now, reuseMs: 1000 });
    const endpoints = new Map<string, () => void>();
    const run = (name: string) => () => {
      trace.push(`+${name}`);
      return new Promise<string>((resolve) => {
        endpoints.set(name, () => {
          trace.push(`-${name}`);
          resolve(name);
        });
      });
    };
    const settle = async (name: string) => {
      endpoints.get(name)?.();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { queue, trace, run, settle, advance: (ms: number) => (now += ms) };
  }

  test('runs two reads at a time, and a write alone', async () => {
    const { queue, trace, run, settle } = setup();
    const all = ['a', 'b', 'c'].map((key) => queue.read({ key, run: run(key) }));
    all.push(queue.write(run('w')), queue.read({ key: 'd', run: run('d') }));
    await settle('');
    for (const name of ['a', 'b', 'c', 'w', 'd']) await settle(name);
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'w', 'd']);
    expect(trace).toEqual(['+a', '+b', '-a', '+c', '-b', '-c', '+w', '-w', '+d', '-d']);
  });

  test('answers equal reads once, for a second, until a write', async () => {
    const { queue, trace, run, settle, advance } = setup();
    const read = () => queue.read({ key: 'k', run: run('k') });
    const both = [read(), read()];
    await settle('');
    await settle('k');
    expect(await Promise.all([...both, read()])).toEqual(['k', 'k', 'k']);
    expect(trace).toEqual(['+k', '-k']);
    advance(1000);
    const later = read();
    await settle('');
    await settle('k');
    await later;
    const write = queue.write(run('w'));
    await settle('');
    await settle('w');
    await write;
    const after = read();
    await settle('');
    await settle('k');
    await after;
    expect(trace.filter((step) => step === '+k')).toHaveLength(3);
  });

  test('a failed read is not kept and frees its place', async () => {
    const { queue } = setup();
    const fail = { key: 'x', run: () => Promise.reject(new Error('no')) };
    for (let count = 0; count < 4; count++) await expect(queue.read(fail)).rejects.toThrow('no');
    expect(await queue.read({ key: 'x', run: async () => 'yes' })).toBe('yes');
  });
});
