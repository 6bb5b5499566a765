// Origins of framing pages that are taken and refused at registration.
import { expect, it } from 'vitest';
import { isEmbedOrigin } from './embed-origin.ts';

it.each([
  'https://portal.example',
  'https://portal.example:8443',
  'https://xn--bcher-kva.example',
  'http://127.0.0.1:3000',
  'http://localhost:3000',
  'http://[::1]:3000',
])('takes %s', (origin) => expect(isEmbedOrigin(origin)).toBe(true));

it.each([
  'https://portal.example/',
  'https://portal.example/path',
  'https://portal.example:443',
  'https://PORTAL.example',
  'https://user@portal.example',
  'https://*.example',
  'https://*',
  '*',
  "'self'",
  'https:',
  'https://portal.example https://evil.example',
  'https://portal.example;script-src',
  "https://portal.example'",
  'https://portal.example,evil.example',
  'https://bücher.example',
  'http://portal.example',
  'http://127.0.0.1.example',
  'null',
  'data:text/html,x',
  'javascript:alert(1)',
  'file://',
  '',
])('refuses %j', (origin) => expect(isEmbedOrigin(origin)).toBe(false));
