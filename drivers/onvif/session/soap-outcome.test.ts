// What a SOAP answer means: every generic fault of ONVIF Core 5.8.2, and that no bytes lead to anything but a DeviceFault.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getProfiles } from '@vedette/protocols/onvif/media-operations.ts';
import { decodeResponse } from '@vedette/protocols/onvif/operation.ts';
import { SchemaError } from '@vedette/protocols/onvif/schema.ts';
import { DeviceFault } from '../../kit/device-fault.ts';
import { profileXml } from '../../testing/camera-script.fake.ts';
import { soapEnvelope, soapFault } from '../../testing/scripted-device.fake.ts';
import { type SoapOutcome, soapOutcome } from './soap-outcome.ts';

function kindOf(status: number, body: string | Uint8Array): string {
  try {
    const outcome: SoapOutcome = soapOutcome({ status, headers: new Map(), body: Buffer.from(body) });
    return outcome.kind;
  } catch (error) {
    if (error instanceof DeviceFault) return error.kind;
    throw error;
  }
}

describe('generic faults', () => {
  test.each<[string, string, readonly string[], string]>([
    ['env:VersionMismatch', 'VersionMismatch', [], 'device'],
    ['env:MustUnderstand', 'MustUnderstand', [], 'must-understand'],
    ['env:DataEncodingUnknown', 'DataEncodingUnknown', [], 'device'],
    ['ill formed', 'Sender', ['ter:WellFormed'], 'device'],
    ['tag mismatch', 'Sender', ['ter:TagMismatch'], 'device'],
    ['no such tag', 'Sender', ['ter:Tag'], 'device'],
    ['no such namespace', 'Sender', ['ter:Namespace'], 'device'],
    ['missing attribute', 'Sender', ['ter:MissingAttr'], 'device'],
    ['prohibited attribute', 'Sender', ['ter:ProhibAttr'], 'device'],
    ['invalid arguments', 'Sender', ['ter:InvalidArgs'], 'device'],
    ['invalid value', 'Sender', ['ter:InvalidArgVal'], 'device'],
    ['unknown action', 'Sender', ['ter:UnknownAction'], 'not-supported'],
    ['prohibited', 'Sender', ['ter:OperationProhibited'], 'device'],
    ['not authorized', 'Sender', ['ter:NotAuthorized'], 'refused'],
    ['WS-Security', 'Sender', ['wsse:FailedAuthentication'], 'refused'],
    ['not supported', 'Receiver', ['ter:ActionNotSupported'], 'not-supported'],
    ['optional', 'Receiver', ['ter:OptionalActionNotImplemented'], 'not-supported'],
    ['action failed', 'Receiver', ['ter:Action'], 'device'],
    ['memory', 'Receiver', ['ter:OutofMemory'], 'device'],
    ['critical', 'Receiver', ['ter:CriticalError'], 'device'],
    ['no profile', 'Sender', ['ter:InvalidArgVal', 'ter:NoProfile'], 'device'],
    ['PTZ', 'Receiver', ['ter:ActionNotSupported', 'ter:PTZNotSupported'], 'not-supported'],
    ['no snapshot', 'Receiver', ['ter:Action', 'ter:SnapshotNotSupported'], 'not-supported'],
    ['locked', 'Sender', ['ter:NotAuthorized', 'ter:AccountLocked'], 'locked'],
  ])('%s', (_, code, subcodes, kind) => {
    for (const status of [200, 400, 500]) expect(kindOf(status, soapEnvelope(soapFault(code, ...subcodes)))).toBe(kind);
  });

  test('a refusal in the fault text alone is recognised', () => {
    const fault = soapFault('Sender').replace('said by the device', 'Sender not Authorized');
    expect(kindOf(400, soapEnvelope(fault))).toBe('refused');
  });

  test('a fault text holds nothing that could run in a page', () => {
    try {
      soapOutcome({
        status: 500,
        headers: new Map(),
        body: Buffer.from(soapEnvelope(soapFault('Sender', 'ter:&lt;img onerror=1&gt;'))),
      });
    } catch (error) {
      expect((error as DeviceFault).fault).toBe('ter:img onerror1');
    }
    expect.assertions(1);
  });
});

test('mutated answers lead to a DeviceFault or a SchemaError, never to another error', () => {
  const good = Buffer.from(
    soapEnvelope(`<GetProfilesResponse>${profileXml('a', 'b', '640x360').replaceAll('m:', '')}</GetProfilesResponse>`),
  );
  const edits = fc.array(fc.tuple(fc.nat(good.length - 1), fc.constantFrom(...'<>&"\0 /:=ÿ1')), { maxLength: 4 });
  const cut = fc.option(fc.nat(good.length), { freq: 4 });
  fc.assert(
    fc.property(edits, cut, fc.constantFrom(200, 400, 500), (changes, end, status) => {
      const bytes = Buffer.from(good.subarray(0, end ?? good.length));
      for (const [at, character] of changes) bytes[at] = character.charCodeAt(0);
      try {
        const outcome = soapOutcome({ status, headers: new Map(), body: bytes });
        if (outcome.kind === 'answer' && outcome.body !== null) decodeResponse(getProfiles, outcome.body);
      } catch (error) {
        if (!(error instanceof DeviceFault) && !(error instanceof SchemaError)) throw error;
      }
    }),
    { numRuns: 1500 },
  );
});
