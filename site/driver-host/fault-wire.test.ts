// Errors that cross between the loops: kinds, names and causes arrive, words of devices are cut.
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { DeviceFault, type DeviceFaultKind, deviceError } from '@vedette/drivers/kit/device-fault.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromWire, toWire } from './fault-wire.ts';
import type { WireFault } from './wire.ts';

/** As the loops do it: by a structured clone. */
function crossed(error: unknown): Error {
  const { port1, port2 } = new MessageChannel();
  try {
    port1.postMessage(toWire(error));
    return fromWire((receiveMessageOnPort(port2) as { message: WireFault }).message);
  } finally {
    port1.close();
  }
}

const KINDS: Readonly<Record<DeviceFaultKind, true>> = {
  auth: true,
  locked: true,
  untrusted: true,
  unreachable: true,
  timeout: true,
  'name-not-found': true,
  'address-refused': true,
  'other-protocol': true,
  'no-video': true,
  'unsupported-codec': true,
  'not-found': true,
  'not-supported': true,
  'unknown-channel': true,
  interrupted: true,
  misbehaving: true,
  device: true,
};

test.each(
  Object.keys(KINDS) as DeviceFaultKind[],
)('a DeviceFault of the kind %s stays one, with the same code', (kind) => {
  for (const details of [{}, { fault: 'ter:NoProfile' }, { fault: 'HTTP 500', cause: new TypeError('inner') }]) {
    const given = new DeviceFault(kind, 'its own words', details);
    const arrived = crossed(given) as DeviceFault;
    expect(arrived).toBeInstanceOf(DeviceFault);
    expect([arrived.kind, arrived.fault, arrived.message]).toEqual([kind, given.fault, 'its own words']);
    expect(deviceError(arrived)).toEqual(deviceError(given));
    expect((arrived.cause as Error | undefined)?.message).toBe('cause' in details ? 'TypeError: inner' : undefined);
  }
});

test('errors that the caller tells apart keep their type: TypeError, TimeoutError, AbortError', () => {
  expect(crossed(new TypeError('wrong'))).toBeInstanceOf(TypeError);
  for (const name of ['TimeoutError', 'AbortError']) {
    const arrived = crossed(new DOMException('over', name));
    expect(arrived).toBeInstanceOf(DOMException);
    expect([arrived.name, arrived.message]).toEqual([name, 'over']);
  }
});

test('any other error keeps name, words and cause; what is no error becomes one', () => {
  const arrived = crossed(new RangeError('too far', { cause: new Error('why') }));
  expect([arrived.name, arrived.message, (arrived.cause as Error).message]).toEqual([
    'RangeError',
    'too far',
    'Error: why',
  ]);
  expect(crossed('just words').message).toBe('just words');
  expect(crossed(undefined).message).toBe('undefined');
});

test('property: whatever an error says, 500 characters of it cross, of its fault 100, and the beginning is kept', () => {
  const text = fc.string({ maxLength: 2000 });
  fc.assert(
    fc.property(text, text, text, (message, fault, cause) => {
      const given = new DeviceFault('device', message, { fault, cause: new Error(cause) });
      const arrived = crossed(given) as DeviceFault;
      expect(arrived.message).toBe(message.slice(0, 500));
      expect(arrived.fault).toBe(fault.slice(0, 100));
      expect((arrived.cause as Error).message).toBe(`Error: ${cause}`.slice(0, 500));
    }),
  );
});
