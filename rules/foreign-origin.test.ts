// Which origins may call.
import { expect, test } from 'vitest';
import { isForeignOrigin } from './foreign-origin.ts';

test.each([
  [{ host: 'a.example' }, false],
  [{ host: 'a.example', origin: 'https://a.example' }, false],
  [{ host: 'A.example:81', origin: 'http://a.example:81' }, false],
  [{ host: 'a.example', origin: 'https://b.example' }, true],
  [{ host: 'a.example', origin: 'https://a.example.evil' }, true],
  [{ host: 'a.example', origin: 'https://a.example:8443' }, true],
  [{ host: 'a.example', origin: 'null' }, true],
  [{ origin: 'https://a.example' }, true],
])('[SE-48] %j is foreign: %s', (headers, isForeign) => expect(isForeignOrigin(headers)).toBe(isForeign));
