// Proves sign-in answers against the RFC's own examples, and the lenient reading of header fields and URLs.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseChallenge, RtspAuthorizer } from './authentication.ts';
import { parsePublic, parseRtpInfo, parseSession, parseTransport } from './header-fields.ts';
import { controlUrl, parseRtspUrl, presentationBase } from './request-url.ts';

describe('sign-in', () => {
  const credentials = { user: 'Mufasa', password: 'Circle of Life' };
  const offer = (algorithm: string): string =>
    `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, ` +
    'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"';
  const answer = (algorithm: string): string => {
    const challenge = chooseChallenge([offer(algorithm)]);
    if (!challenge) throw new Error('no challenge');
    const cnonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ';
    return new RtspAuthorizer(challenge, credentials, cnonce).authorization('GET', '/dir/index.html');
  };

  test('the examples of RFC 7616 3.9.1', () => {
    expect(answer('MD5')).toContain('response="8ca523f5e9506fed4657c9700eebdbec"');
    expect(answer('SHA-256')).toContain('response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"');
    expect(answer('SHA-256')).toContain('qop=auth, nc=00000001');
  });

  test('the example of RFC 2617 3.5 without qop is plain MD5', () => {
    const challenge = chooseChallenge(['Digest realm="r", nonce="n"']);
    expect(challenge).toMatchObject({ algorithm: 'MD5', qop: null, opaque: null });
    const value =
      challenge &&
      new RtspAuthorizer(challenge, { user: 'u', password: 'p' }, 'c').authorization('OPTIONS', 'rtsp://a/');
    expect(value).not.toContain('qop');
    expect(value).not.toContain('algorithm');
  });

  test('of several challenges the strongest is taken, in one line or in several', () => {
    const lines = [
      'Basic realm="cam"',
      'Digest realm="cam", nonce="1", algorithm="MD5"',
      'Digest realm="cam", nonce="2", algorithm=SHA-256',
    ];
    expect(chooseChallenge(lines)).toMatchObject({ nonce: '2', algorithm: 'SHA-256' });
    expect(chooseChallenge([lines.join(', ')])).toMatchObject({ nonce: '2' });
    expect(chooseChallenge(['Digest realm="cam", nonce="1"', 'Basic realm="cam"'])).toMatchObject({ scheme: 'digest' });
    expect(chooseChallenge(['Digest realm="a, b", nonce="x", stale=TRUE'])).toMatchObject({
      realm: 'a, b',
      isStale: true,
    });
    expect(chooseChallenge(['Digest realm="c", nonce="1", algorithm=SHA-512'])).toBeNull();
    expect(chooseChallenge(['Negotiate abc'])).toBeNull();
  });

  test('any challenge text at all does not throw', () => {
    fc.assert(fc.property(fc.array(fc.string(), { maxLength: 4 }), (values) => void chooseChallenge(values)));
    fc.assert(fc.property(fc.string(), (rest) => void chooseChallenge([`Digest ${rest}`])));
  });
});

describe('header fields', () => {
  test('Session with odd spaces and short timeouts', () => {
    expect(parseSession('       708345999;timeout=60')).toEqual({ id: '708345999', timeoutSeconds: 60 });
    expect(parseSession('9a90de54; timeout=15')).toEqual({ id: '9a90de54', timeoutSeconds: 15 });
    expect(parseSession('231970')).toEqual({ id: '231970', timeoutSeconds: 60 });
    expect(parseSession('x;timeout=0').timeoutSeconds).toBe(60);
  });

  test('Transport with a space ahead of the ssrc, with none, and over UDP', () => {
    expect(parseTransport('RTP/AVP/TCP;unicast;interleaved=0-1;ssrc= d6d6627')).toEqual({
      isInterleaved: true,
      channel: 0,
      serverPort: null,
      clientPort: null,
      ssrc: 0xd6d6627,
    });
    expect(parseTransport('RTP/AVP/TCP;ssrc=22345684;interleaved=2-3')).toMatchObject({ channel: 2 });
    expect(parseTransport('RTP/AVP/TCP;interleaved=0-1;ssrc=not a number')).toMatchObject({ ssrc: null });
    expect(parseTransport('RTP/AVP;unicast;client_port=1-2;server_port=6970-6971;ssrc=1')).toEqual({
      isInterleaved: false,
      channel: null,
      serverPort: 6970,
      clientPort: 1,
      ssrc: 1,
    });
  });

  test('RTP-Info with an impossible rtptime and with URLs of any kind', () => {
    expect(
      parseRtpInfo('url=trackID=1;seq=1;rtptime=-1,url=rtsp://h/a,b;c/trackID=2;seq=7;rtptime=4294967295;ssrc=ff'),
    ).toEqual([
      { url: 'trackID=1', sequence: 1, rtpTime: null },
      { url: 'rtsp://h/a,b;c/trackID=2', sequence: 7, rtpTime: 4294967295 },
    ]);
    fc.assert(fc.property(fc.string(), (text) => void parseRtpInfo(`url=${text}`)));
  });

  test('Transport that quotes its mode, and one that names no protocol below RTP', () => {
    const granted = 'RTP/AVP/TCP;unicast;interleaved=0-1;ssrc=4cacc3d1;mode="play"';
    expect(parseTransport(granted)).toMatchObject({ isInterleaved: true, channel: 0, ssrc: 0x4cacc3d1 });
    const named = 'RTP/AVP;unicast;mode=PLAY;source=192.0.2.9;client_port=18714-18715;server_port=40004-40005;ssrc=0';
    expect(parseTransport(named)).toMatchObject({ isInterleaved: false, serverPort: 40_004, clientPort: 18_714 });
    expect(parseTransport('RTP/AVP;ssrc=22345685;unicast;client_port=54060-54061;server_port=49152-49153')).toEqual({
      isInterleaved: false,
      channel: null,
      serverPort: 49_152,
      clientPort: 54_060,
      ssrc: 0x22345685,
    });
  });

  test('RTP-Info with a query in its URL, and with nothing behind its last mark', () => {
    const asked = 'url=rtsp://h/101/trackID=1?transportmode=unicast&profile=Profile_1;seq=24104;rtptime=1270711678';
    expect(parseRtpInfo(asked)).toEqual([
      {
        url: 'rtsp://h/101/trackID=1?transportmode=unicast&profile=Profile_1',
        sequence: 24_104,
        rtpTime: 1_270_711_678,
      },
    ]);
    expect(parseRtpInfo('url=rtsp://h/0/main/trackID=0;seq=0;rtptime=0;')).toEqual([
      { url: 'rtsp://h/0/main/trackID=0', sequence: 0, rtpTime: 0 },
    ]);
  });

  test('Public', () => {
    expect(parsePublic(['OPTIONS, describe', 'PLAY']).has('DESCRIBE')).toBe(true);
  });
});

describe('URLs', () => {
  test('what an operator types', () => {
    expect(parseRtspUrl('rtsp://admin:p%40ss%zz@10.0.0.2/live?x=1&y=%20')).toEqual({
      host: '10.0.0.2',
      port: 554,
      isSecure: false,
      url: 'rtsp://10.0.0.2/live?x=1&y=%20',
      credentials: { user: 'admin', password: 'p@ss%zz' },
      transport: null,
    });
    expect(parseRtspUrl('rtsp://a/my camera/live 1')?.url).toBe('rtsp://a/my%20camera/live%201');
    expect(parseRtspUrl('rtsp://a b/live')).toBeNull();
    expect(controlUrl('rtsp://a/x', 'track 1')).toBe('rtsp://a/x/track%201');
    expect(parseRtspUrl('rtsp://a/live#transport=udp')).toMatchObject({ url: 'rtsp://a/live', transport: 'udp' });
    expect(parseRtspUrl('rtsps://a/live#transport=http')).toMatchObject({ url: 'rtsps://a/live', port: 443 });
    expect(parseRtspUrl('rtsp://a/live#transport=smoke')).toBeNull();
    expect(parseRtspUrl('RTSPS://[fe80::1]:8322/a')).toMatchObject({ host: 'fe80::1', port: 8322, isSecure: true });
    for (const bad of ['http://a/', 'rtsp://', 'rtsp://a:99999/', 'rtsp://a b/', 'rtsp://a/\r\nX: y', 'rtsp://a:0/']) {
      expect(parseRtspUrl(bad)).toBeNull();
    }
  });

  test('control URLs and odd bases', () => {
    expect(presentationBase('rtsp://a/s', '192.168.1.10:554/stream0/', undefined)).toBe('rtsp://a/s');
    expect(presentationBase('rtsp://a/s', undefined, 'rtsp://b/s/')).toBe('rtsp://b/s/');
    expect(controlUrl('rtsp://a/s?x=1', 'trackID=1')).toBe('rtsp://a/s?x=1/trackID=1');
    expect(controlUrl('rtsp://a/s/', 'trackID=1')).toBe('rtsp://a/s/trackID=1');
    expect(controlUrl('rtsp://a/s', '*')).toBe('rtsp://a/s');
    expect(controlUrl('rtsp://a/s', 'rtsp://b/t')).toBe('rtsp://b/t');
    expect(controlUrl('rtsp://a:1/s', '/t')).toBe('rtsp://a:1/t');
  });
});
