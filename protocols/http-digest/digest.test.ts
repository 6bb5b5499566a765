// Tests of digest and basic credentials against the examples of RFC 7616, RFC 2069 and RFC 7617, and against odd challenges.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Authenticator } from './authenticator.ts';
import { type DigestChallenge, parseChallenges } from './challenge.ts';
import {
  basicAuthorization,
  digestAuthorization,
  isDigestValid,
  parseAuthorization,
  writeDigestChallenge,
} from './digest.ts';

const secret = { user: 'Mufasa', password: 'Circle of Life' };
const request = { method: 'GET', uri: '/dir/index.html' };
const use = { nonceCount: 1, clientNonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ' };

function digestOf(value: string): DigestChallenge {
  const challenge = parseChallenges([value]).find((c) => c.scheme === 'digest');
  if (challenge === undefined) throw new Error('no digest challenge');
  return challenge;
}

describe('digest', () => {
  const rest =
    'qop="auth, auth-int", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"';

  test.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('answers the example of RFC 7616 3.9.1 with %s', (algorithm, response) => {
    const challenge = digestOf(`Digest realm="http-auth@example.org", ${rest}, algorithm=${algorithm}`);
    expect(digestAuthorization(challenge, secret, request, use)).toContain(`response="${response}"`);
  });

  test('without qop follows RFC 2069', () => {
    const challenge = digestOf('Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"');
    const value = digestAuthorization(challenge, { user: 'Mufasa', password: 'CircleOfLife' }, request, use);
    expect(value).toContain('response="1949323746fe6a43ef61f9606e7febea"');
    expect(value).not.toMatch(/cnonce|qop|nc=|algorithm/u);
  });

  test('auth-int covers the body', () => {
    const challenge = digestOf('Digest realm="r", nonce="n", qop="auth-int", algorithm=SHA-256');
    const body = '<s:Envelope/>';
    const h = (t: string) => createHash('sha256').update(t).digest('hex');
    const expected = h(`${h('u:r:p')}:n:00000002:c:auth-int:${h(`POST:/x:${h(body)}`)}`);
    const value = digestAuthorization(
      challenge,
      { user: 'u', password: 'p' },
      { method: 'POST', uri: '/x', body },
      { nonceCount: 2, clientNonce: 'c' },
    );
    expect(value).toContain(`response="${expected}"`);
    expect(value).toContain('qop=auth-int, nc=00000002');
  });

  test.each([
    'MD5',
    'MD5-sess',
    'SHA-256',
    'SHA-256-sess',
    'SHA-512-256',
  ])('what %s writes verifies, and nothing else does', (algorithm) => {
    const challenge = digestOf(`Digest realm="a \\"b\\"", nonce="n", qop="auth", algorithm=${algorithm}`);
    const sent = parseAuthorization(digestAuthorization(challenge, { user: '管理"员', password: 'p:w' }, request, use));
    if (sent === null) throw new Error('not read back');
    const check = (password: string, method = 'GET') =>
      isDigestValid(sent, challenge, { user: '管理"员', password }, { ...request, method });
    expect(check('p:w')).toBe(true);
    expect(check('p:x')).toBe(false);
    expect(check('p:w', 'POST')).toBe(false);
    expect(isDigestValid(sent, { ...challenge, nonce: 'm' }, { user: '管理"员', password: 'p:w' }, request)).toBe(
      false,
    );
  });

  test('a challenge comes back as it was written', () => {
    const challenge = digestOf('Digest realm="r", nonce="n", opaque="o", algorithm=SHA-256, qop="auth", stale=true');
    expect(parseChallenges([writeDigestChallenge(challenge)])).toEqual([challenge]);
  });

  test('a user name cannot start a header line', () => {
    const challenge = digestOf('Digest realm="r", nonce="n"');
    expect(digestAuthorization(challenge, { user: 'a"\r\nX: 1', password: '' }, request, use)).toContain(
      'username="a\\"X: 1"',
    );
  });
});

describe('basic', () => {
  test('is read back, a colon in the password included', () => {
    expect(basicAuthorization({ user: 'Aladdin', password: 'open sesame' })).toBe('Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==');
    const sent = parseAuthorization(basicAuthorization({ user: 'a', password: 'b:c' }));
    expect(sent).toEqual({ scheme: 'basic', user: 'a', password: 'b:c' });
    expect(parseAuthorization('Basic !')).toBeNull();
    expect(parseAuthorization('Bearer x')).toBeNull();
  });
});

describe('parseChallenges', () => {
  test('two headers, or two in one, the strongest first', () => {
    const md5 = 'Digest realm="IP Camera(12)", nonce="a", qop="auth", algorithm="MD5"';
    const sha = 'Digest realm="IP Camera(12)", nonce="b", qop="auth,auth-int", algorithm=SHA-256';
    const basic = 'Basic realm="x, y"';
    for (const values of [[md5, basic, sha], [`${basic}, ${md5}, ${sha}`], [`${md5} ${sha}`, basic]]) {
      expect(parseChallenges(values).map((c) => (c.scheme === 'digest' ? c.nonce : c.realm))).toEqual([
        'b',
        'a',
        'x, y',
      ]);
    }
  });

  test.each([
    ['digest realm=plain,nonce=n,qop=auth', 1],
    ['Digest realm="r" nonce="n" stale=FALSE', 1],
    ['Digest realm="r", nonce="", qop=""', 1],
    ['Digest realm="r"', 0],
    ['Digest realm="r", nonce="n", algorithm=SHA-3', 0],
    ['Digest realm="r", nonce="n", qop="auth-conf"', 0],
    ['Negotiate', 0],
    ['Bearer realm="r"', 0],
    ['', 0],
    ['"""', 0],
    ['Digest realm="unclosed, nonce="n', 0],
  ])('%s gives %i', (value, count) => {
    expect(parseChallenges([value])).toHaveLength(count);
  });
});

describe('Authenticator', () => {
  const make = (allowBasic = false) =>
    new Authenticator({ secret, randomBytes: (count) => Buffer.alloc(count, 7), allowBasic });
  const md5 = 'Digest realm="r", nonce="a", qop="auth"';
  const sha = 'Digest realm="r", nonce="b", qop="auth", algorithm=SHA-256';

  test('counts the uses of a nonce', () => {
    const authenticator = make();
    expect(authenticator.authorize(request)).toBeNull();
    expect(authenticator.challenged([md5], null)).toBe(true);
    expect(authenticator.authorize(request)).toContain('nc=00000001');
    expect(authenticator.authorize(request)).toContain('nc=00000002');
  });

  test('tries the weaker algorithm once, then gives up', () => {
    const authenticator = make();
    expect(authenticator.challenged([md5, sha], null)).toBe(true);
    const first = authenticator.authorize(request);
    expect(first).toContain('algorithm=SHA-256');
    expect(authenticator.challenged([md5, sha], first)).toBe(true);
    const second = authenticator.authorize(request);
    expect(second).toContain('nonce="a"');
    expect(authenticator.challenged([md5, sha], second)).toBe(false);
  });

  test('renews a stale nonce, but not for ever', () => {
    const authenticator = make();
    authenticator.challenged([md5], null);
    const stale = ['Digest realm="r", nonce="c", stale=true'];
    expect(authenticator.challenged(stale, authenticator.authorize(request))).toBe(true);
    const second = authenticator.authorize(request);
    expect(second).toContain('nonce="c"');
    expect(authenticator.challenged(stale, second)).toBe(false);
  });

  test('sends the password in the clear only where that was allowed', () => {
    expect(make().challenged(['Basic realm="r"'], null)).toBe(false);
    const open = make(true);
    expect(open.challenged(['Basic realm="r"'], null)).toBe(true);
    const sent = open.authorize(request);
    expect(sent).toMatch(/^Basic /u);
    expect(open.challenged(['Basic realm="r"'], sent)).toBe(false);
  });

  test('has nothing to send without credentials', () => {
    const none = new Authenticator({ secret: null, randomBytes: Buffer.alloc, allowBasic: true });
    expect(none.challenged([md5], null)).toBe(false);
    expect(none.authorize(request)).toBeNull();
  });
});
