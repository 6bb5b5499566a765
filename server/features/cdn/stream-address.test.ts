// Tests of addresses at CDN providers: signatures as their documentation computes them, and no address but our own is taken.
import { createHash } from 'node:crypto';
import { CDN_SIGNINGS } from '@vedette/contract/enumerations.ts';
import { describe, expect, it } from 'vitest';
import { type AddressSigning, playAddress, publishAddress, streamOfAddress } from './stream-address.ts';

const stream = { channelId: 'c1', quality: 1 } as const;
const EXPIRES_S = 1_800_000_000;
const provider = (
  signing: AddressSigning['signing'],
  template = 'rtmp://push.example/live/{stream}',
): AddressSigning => ({
  template,
  signing,
  key: 'secret',
});
const md5 = (text: string) => createHash('md5').update(text);

describe('addresses at a CDN', () => {
  it('are signed as each provider asks', () => {
    const of = (signing: AddressSigning['signing']) => publishAddress(provider(signing), stream, EXPIRES_S);
    const base = 'rtmp://push.example/live/c1-1';
    expect(of('none')).toBe(base);
    const aliyun = md5('/live/c1-1-1800000000-0-0-secret').digest('hex');
    expect(of('aliyun')).toBe(`${base}?auth_key=1800000000-0-0-${aliyun}`);
    expect(of('tencent')).toBe(`${base}?txSecret=${md5('secretc1-16B49D200').digest('hex')}&txTime=6B49D200`);
    const nginx = md5('1800000000/live/c1-1 secret').digest('base64url');
    expect(of('nginx')).toBe(`${base}?md5=${nginx}&expires=1800000000`);
  });

  it.each(CDN_SIGNINGS)('of %s lead back to their stream, also where the template has a query', (signing) => {
    for (const template of ['rtmp://push.example/live/{stream}', 'rtmps://push.example/a/{stream}?vhost=v']) {
      const address = publishAddress(provider(signing, template), stream, EXPIRES_S);
      expect(streamOfAddress(provider(signing, template), address, EXPIRES_S - 1)).toEqual(stream);
    }
  });

  it('are not taken when they expired, were changed, or are of somebody else', () => {
    for (const signing of ['aliyun', 'tencent', 'nginx'] as const) {
      const own = provider(signing);
      const address = publishAddress(own, stream, EXPIRES_S);
      expect(streamOfAddress(own, address, EXPIRES_S)).toBeNull();
      expect(streamOfAddress(own, address.replace('c1-1', 'c2-1'), 0)).toBeNull();
      expect(streamOfAddress({ ...own, key: 'other' }, address, 0)).toBeNull();
    }
    const open = provider('none');
    for (const address of [
      '',
      'rtmp://elsewhere.example/live/c1-1',
      'rtmp://push.example/live/c1-3',
      'rtmp://push.example/live/c1-1/more',
      'rtmp://push.example/live/c1-1?x=1',
      'rtmp://push.example/live/../c1-1',
    ])
      expect(streamOfAddress(open, address, 0), address).toBeNull();
  });

  it('are played where a template says, and nowhere without one', () => {
    expect(playAddress('https://play.example/live/{stream}.m3u8', stream)).toBe('https://play.example/live/c1-1.m3u8');
    expect(playAddress('', stream)).toBe('');
  });
});
