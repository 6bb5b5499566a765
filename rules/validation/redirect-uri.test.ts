// Redirect addresses that are taken and refused at registration.
import { expect, it } from 'vitest';
import { isRedirectUri } from './redirect-uri.ts';

const confidential = { isPublic: false };

it.each([
  'https://app.example/callback',
  'https://app.example',
  'https://app.example:8443/a?b=c',
  'http://127.0.0.1/cb',
  'http://[::1]:8080/cb',
])('takes %s', (uri) => expect(isRedirectUri(uri, confidential)).toBe(true));

it('takes a private scheme of a public app alone', () => {
  expect(isRedirectUri('com.example.app:/callback', { isPublic: true })).toBe(true);
  expect(isRedirectUri('com.example.app:/callback', confidential)).toBe(false);
});

it.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'myapp:/callback',
  'http://app.example/callback',
  'http://192.168.1.2/callback',
  'http://localhost.example/callback',
  'http://127.0.0.1.example/callback',
  'https://app.example/callback#fragment',
  'https://app.example/callback#',
  'https://user@app.example/callback',
  'https://user:secret@app.example/callback',
  'https://*.example/callback',
  'https://APP.example/callback',
  'https://app.example/a/../callback',
  'https://app.example\\@other.example/',
  'https://bücher.example/callback',
  'https:app.example/callback',
  ' https://app.example/callback',
  '//app.example/callback',
  '/callback',
  '',
])('[SE-63] refuses %j', (uri) => {
  expect(isRedirectUri(uri, { isPublic: true })).toBe(false);
  expect(isRedirectUri(uri, confidential)).toBe(false);
});
