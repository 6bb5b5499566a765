// Tests of the servers that a launch may name.
import { describe, expect, it } from 'vitest';
import { foreignAddresses } from '../../../tests/abuse/corpora/foreign-addresses.ts';
import { launchServer } from './launch-server.ts';

const OWN = 'https://vedette.example:8443';
const LISTED = { apiURL: 'https://calls.example/api/v1', centerServer: 'http://centre.example:9000' };

describe('[RT-10] [SE-10] the server of a launch', () => {
  it.each([
    ['', OWN],
    [OWN, OWN],
    [`${OWN}/any/path`, OWN],
    ['vedette.example:8443', OWN],
    ['HTTPS://VEDETTE.example:8443', OWN],
    ['https://calls.example', 'https://calls.example'],
    ['centre.example:9000', 'http://centre.example:9000'],
  ])('%j is %s', (given, origin) => expect(launchServer(given, OWN, LISTED)).toBe(origin));

  it.each([
    'https://evil.example',
    'evil.example',
    'http://vedette.example:8443',
    'https://vedette.example',
    'vedette.example:8443@evil.example',
    'https://vedette.example:8443@evil.example/',
    'https://user:word@vedette.example:8443',
    'https://vedette.example:8443.evil.example',
    '//evil.example',
    'javascript:alert(1)',
    'https://',
    '\\\\evil.example',
    ' ',
  ])('%j is not listed', (given) => expect(launchServer(given, OWN, LISTED)).toBeNull());

  it('[GO-15] is none of a whole corpus of others', () => {
    const own = 'https://vedette.example';
    const isOwn = (text: string): boolean => URL.parse(text)?.origin === own && new URL(text).username === '';
    const all = foreignAddresses(`${own}/homepage/liveVideo`).filter((text) => !isOwn(text));
    expect(all.length).toBeGreaterThanOrEqual(140);
    const none = { apiURL: '', centerServer: '' };
    expect(all.filter((text) => launchServer(text, own, none) !== null)).toEqual([]);
  });

  it('an installation that lists none has itself alone', () => {
    const none = { apiURL: '', centerServer: '' };
    expect([launchServer('vedette.example:8443', OWN, none), launchServer('calls.example', OWN, none)]).toEqual([
      OWN,
      null,
    ]);
    // A path is below the page's own origin.
    expect(launchServer(OWN, OWN, { ...none, apiURL: '/api/v1' })).toBe(OWN);
  });
});
