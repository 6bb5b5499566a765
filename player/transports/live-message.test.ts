// What the engine sends is read, and what can't be read is refused without an error.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLiveMedia, readLiveNotice } from './live-message.ts';
import { liveMessage } from './live-socket.fake.ts';

describe('media of the live wire', () => {
  test('header fields and payload', () => {
    const header = { kind: 'videoFragment', id: 513, isKey: true, wallMs: 1_700_000_000_123.5 } as const;
    const media = readLiveMedia(liveMessage({ ...header, payload: new Uint8Array([7, 8]) }));
    expect(media).toMatchObject(header);
    expect([...(media?.payload ?? [])]).toEqual([7, 8]);
  });

  test('a kind of a newer engine is left out', () => {
    const bytes = new Uint8Array(12);
    bytes[0] = 99;
    expect(readLiveMedia(bytes.buffer)).toBeNull();
  });

  test('any bytes are parsed or refused without an exception', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        readLiveMedia(new Uint8Array(bytes).buffer);
      }),
    );
  });
});

describe('notices of the live wire', () => {
  test('a known type', () => {
    expect(readLiveNotice('{"type":"end","id":3,"code":1017}')).toEqual({ type: 'end', id: 3, code: 1017 });
  });

  test.each(['', '{', 'null', '[]', '{"type":5}', '{"type":"other"}'])('%s is refused', (text) => {
    expect(readLiveNotice(text)).toBeNull();
  });
});
