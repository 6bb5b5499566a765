// Which response headers of a remote site reach viewers under the address of the console.
import { describe, expect, it } from 'vitest';
import { relayedResponseHeaders } from './relayed-headers.ts';

const PATH = '/media/whep/far-word';

function passed(statusCode: number, headers: Record<string, string | string[]>, url = PATH, origin?: string) {
  return relayedResponseHeaders({ statusCode, headers }, { url, headers: origin === undefined ? {} : { origin } });
}

describe('[SE-82] a response of a remote site', () => {
  it('is readable to the page that asked, where the site names it, and to no other', () => {
    const page = 'https://portal.example';
    const readableBy = (allowed: string, origin?: string) =>
      passed(200, { 'access-control-allow-origin': allowed }, PATH, origin)?.['access-control-allow-origin'];
    expect(readableBy(page, page)).toBe(page);
    for (const [allowed, origin] of [
      ['*', page],
      [page, 'https://other.example'],
      [page, undefined],
      ['*', undefined],
    ] as const)
      expect(readableBy(allowed, origin)).toBeUndefined();
  });

  it('sets no cookie, changes no policy and redirects nowhere', () => {
    const headers = passed(200, {
      'content-type': 'video/mp4',
      'set-cookie': ['session=stolen'],
      'content-security-policy': "script-src 'unsafe-inline'",
      'access-control-allow-origin': '*',
      'strict-transport-security': 'max-age=0',
      'service-worker-allowed': '/',
      'clear-site-data': '"*"',
      'cache-control': 'public, max-age=31536000',
      refresh: '0;url=https://elsewhere.example',
      link: '<https://elsewhere.example>; rel=preload',
      location: 'https://elsewhere.example',
    });
    expect(Object.keys(headers ?? {}).toSorted()).toEqual([
      'cache-control',
      'content-security-policy',
      'content-type',
      'cross-origin-resource-policy',
      'referrer-policy',
      'x-content-type-options',
      'x-frame-options',
    ]);
    expect(headers).toMatchObject({
      'cache-control': 'no-store, private',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
  });

  it('is cached for a minute at most, and read by pages of others, of CDN live alone', () => {
    const path = '/media/cdn/far-word/camera1-0/live.m3u8';
    const cached = (caching: string) => passed(200, { 'cache-control': caching }, path)?.['cache-control'];
    expect(cached('public, max-age=1, stale-while-revalidate=4')).toBe('public, max-age=1, stale-while-revalidate=4');
    for (const caching of ['public, max-age=31536000', 'public, max-age=60, immutable', 'no-store'])
      expect(cached(caching)).toBe('no-store, private');
    const headers = passed(200, { 'set-cookie': ['a=b'], 'access-control-allow-credentials': 'true' }, path);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    });
    expect(Object.keys(headers ?? {})).not.toContain('set-cookie');
    expect(Object.keys(headers ?? {})).not.toContain('access-control-allow-credentials');
  });

  it.each([
    'text/html',
    'TEXT/HTML; charset=utf-8',
    'image/svg+xml',
    'text/javascript',
    'application/xhtml+xml',
    ' video/mp4x',
  ])('is never a page or script: %s becomes a download', (type) =>
    expect(passed(200, { 'content-type': type })?.['content-type']).toBe('application/octet-stream'));

  it.each([100, 101, 301, 302, 303, 307, 308, 0, 600])('with status %d is refused', (status) => {
    expect(passed(status, { 'content-type': 'video/mp4', location: 'https://elsewhere.example' })).toBeNull();
  });

  it('keeps what players need: ranges, names of downloads, where a window begins', () => {
    const own = {
      'content-type': 'multipart/x-mixed-replace; boundary=frame',
      'content-length': '7',
      'content-range': 'bytes 0-6/9',
      'content-disposition': 'attachment; filename="Gate.mp4"',
      'accept-ranges': 'bytes',
      etag: '"a1"',
      'x-vedette-start': '1700000000000',
      'x-vedette-at': '1700000000040',
    };
    expect(passed(206, own)).toMatchObject(own);
    expect(passed(404, { 'content-type': 'application/json' })?.['content-type']).toBe('application/json');
  });

  it('to a WHEP offer gets the path of the offer as its Location', () => {
    const headers = passed(201, { 'content-type': 'application/sdp', location: 'https://elsewhere.example' });
    expect(headers).toMatchObject({ 'content-type': 'application/sdp', location: PATH });
  });
});
