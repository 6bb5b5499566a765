// Tests of what an address launches, and that no token stays in it.
import { describe, expect, it } from 'vitest';
import { takeLaunch } from './take-launch.ts';

const TOKEN = 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_abcde';

function pageAt(address: string, isFramed = false) {
  const { search, hash, pathname } = new URL(address, 'http://vedette.example/client.html');
  const written: string[] = [];
  const history = { state: null, replaceState: (_state: unknown, _title: string, url: string) => written.push(url) };
  const page = { location: { search, hash, pathname }, history } as unknown as Window;
  Object.assign(page, { self: page, top: isFramed ? {} : page });
  return { page, written };
}

describe('[RT-10] an address that launches the page', () => {
  it.each([
    [`?ucsToken=${TOKEN}&serverAddress=http://a.example&funcType=0`, 0, 'http://a.example'],
    [`?serverAddress=a.example&funcType=1&ucsToken=${TOKEN}`, 1, 'a.example'],
    [`?${TOKEN}&serverAddress=a.example&funcType=2`, 2, 'a.example'],
    [`?session=${TOKEN}&serverAddress=a.example&funcType=2`, 2, 'a.example'],
    [`?ucsToken=${TOKEN}&funcType=1`, 1, ''],
    [`#ucsToken=${TOKEN}&serverAddress=a.example&funcType=1`, 1, 'a.example'],
    [`?utm=1#${TOKEN}&funcType=0`, 0, ''],
    [`?ucsToken=${'x'.repeat(30)}&funcType=0#ucsToken=${TOKEN}&funcType=1`, 1, ''],
  ])('%s', (address, funcType, serverAddress) => {
    const { page, written } = pageAt(address);
    expect(takeLaunch(page)).toEqual({ token: TOKEN, funcType, serverAddress });
    expect(written).toEqual(['/client.html']);
  });

  it.each([
    ['without a function', `?ucsToken=${TOKEN}&serverAddress=a.example`],
    ['with a function that does not exist', `?ucsToken=${TOKEN}&funcType=3`],
    ['with a function in another writing', `?ucsToken=${TOKEN}&funcType=%201`],
    ['with an empty token', '?ucsToken=&funcType=1'],
    ['with a token of other characters', `?ucsToken=${TOKEN}%0d%0aX:1&funcType=1`],
    ['with a token of any length', `?ucsToken=${'x'.repeat(5000)}&funcType=1`],
    ['without a token', '?funcType=1'],
    ['whose first item is its server', `?serverAddress=${'a'.repeat(30)}&funcType=1`],
  ])('is taken out, and launches nothing %s', (_name, address) => {
    const { page, written } = pageAt(address);
    expect(takeLaunch(page)).toBeNull();
    expect(written).toEqual(['/client.html']);
  });

  it('[SE-09] launches nothing in a frame, and does not stay there either', () => {
    const { page, written } = pageAt(`?ucsToken=${TOKEN}&funcType=1`, true);
    expect(takeLaunch(page)).toBeNull();
    expect(written).toEqual(['/client.html']);
  });

  it.each([
    '',
    '#/login',
    '#/homepage/container?device=A1&channel=1',
    '?utm=1',
    `#/login?ucsToken=${TOKEN}&funcType=1`,
  ])('is not %j, which stays as it is', (address) => {
    const { page, written } = pageAt(address);
    expect([takeLaunch(page), written]).toEqual([null, []]);
  });
});
