// Tests of addresses of SRT servers.
import { describe, expect, it } from 'vitest';
import { parseSrtAddress } from './srt-address.ts';

describe('an address of SRT', () => {
  it('names host, port and what the server is told', () => {
    const usual = { host: 'live.example', port: 9000, streamId: '', latencyMs: null, keyBytes: 16 };
    expect(parseSrtAddress('srt://live.example:9000')).toEqual(usual);
    expect(parseSrtAddress('srt://live.example:9000?mode=caller&streamid=publish:gate')).toEqual({
      ...usual,
      streamId: 'publish:gate',
    });
    expect(parseSrtAddress('srt://[2001:db8::1]:9000/?latency=400&pbkeylen=32')).toEqual({
      ...usual,
      host: '[2001:db8::1]',
      latencyMs: 400,
      keyBytes: 32,
    });
  });

  it('takes the access control syntax of stream ids as people write it, and escaped', () => {
    const streamId = '#!::r=live/gate,m=publish';
    expect(parseSrtAddress(`srt://live.example:9000?streamid=${streamId}`)?.streamId).toBe(streamId);
    const escaped = encodeURIComponent(streamId);
    expect(parseSrtAddress(`srt://live.example:9000?streamid=${escaped}`)?.streamId).toBe(streamId);
  });

  it.each([
    'rtmp://live.example:9000',
    'srt://live.example',
    'srt://live.example:0',
    'srt://live.example:70000',
    'srt://user:word@live.example:9000',
    'srt://live.example:9000/path',
    'srt://live.example:9000?mode=listener',
    'srt://live.example:9000?passphrase=secretsecret',
    'srt://live.example:9000?streamid=a&streamid=b',
    'srt://live.example:9000?streamid=a%0apassphrase=b',
    'srt://live.example:9000?streamid=%ff',
    `srt://live.example:9000?streamid=${'a'.repeat(513)}`,
    'srt://live.example:9000?latency=-1',
    'srt://live.example:9000?latency=20000',
    'srt://live.example:9000?pbkeylen=20',
    'srt://live.example:9000?streamid',
    '',
  ])('is not %s', (address) => {
    expect(parseSrtAddress(address)).toBeNull();
  });
});
