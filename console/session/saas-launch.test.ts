// Tests of the address that launches SaaS mode: what is taken, and that no token stays in it.
import { describe, expect, it } from 'vitest';
import { takeSaasLaunch } from './saas-launch.ts';

const TOKEN = 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_abcde';

function pageAt(address: string, isFramed = false) {
  const { search, hash, pathname } = new URL(address, 'https://vedette.example/');
  const written: string[] = [];
  const history = { state: null, replaceState: (_state: unknown, _title: string, url: string) => written.push(url) };
  const page = { location: { search, hash, pathname }, history } as unknown as Window;
  Object.assign(page, { self: page, top: isFramed ? {} : page });
  return { page, written };
}

describe('[RT-11] an address that launches SaaS mode', () => {
  it.each([
    `/oauth2/authorize?access_token=${TOKEN}&client_id=shop&state=s`,
    `/oauth2/authorize?client_id=shop&state=s&access_token=${TOKEN}`,
    `/oauth2/authorize?client_id=shop&state=s#access_token=${TOKEN}`,
  ])('%s is taken, and its token leaves the address', (address) => {
    const { page, written } = pageAt(address);
    expect(takeSaasLaunch(page)).toEqual({ token: TOKEN, search: '?client_id=shop&state=s' });
    expect(written).toEqual(['/oauth2/authorize?client_id=shop&state=s']);
  });

  it.each([
    ['with an empty token', '/oauth2/authorize?access_token=&client_id=shop', false],
    ['with a token of other characters', `/oauth2/authorize?access_token=${TOKEN}%0d%0a&client_id=shop`, false],
    ['with a token of any length', `/oauth2/authorize?access_token=${'x'.repeat(600)}&client_id=shop`, false],
    ['in a frame', `/oauth2/authorize?access_token=${TOKEN}&client_id=shop`, true],
  ])('%s launches nothing, and does not stay there either', (_name, address, isFramed) => {
    const { page, written } = pageAt(address, isFramed);
    expect(takeSaasLaunch(page)).toBeNull();
    expect(written).toEqual(['/oauth2/authorize?client_id=shop']);
  });

  it.each([
    '/oauth2/authorize?client_id=shop',
    `/login?access_token=${TOKEN}`,
    `/oauth2/confirmInfo?access_token=${TOKEN}`,
  ])('is not %s', (address) => {
    const { page, written } = pageAt(address);
    expect([takeSaasLaunch(page), written]).toEqual([null, []]);
  });
});
