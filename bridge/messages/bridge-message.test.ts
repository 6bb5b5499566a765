// Tests of what counts as a message: whole, small, shallow, and without names of the prototype.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BRIDGE_LIMITS } from '../limits.ts';
import { readMessage, writeMessage } from './bridge-message.ts';

const REQUEST = { id: '1', url: '/api/v1.0/web/account/operate', data: { status: 0 } };

/** A request of exactly so many bytes. */
function requestOf(bytes: number, filler = 'x'): object {
  const rest = bytes - JSON.stringify({ ...REQUEST, data: { text: '' } }).length;
  return { ...REQUEST, data: { text: filler.repeat(rest / new TextEncoder().encode(filler).length) } };
}

describe('a message', () => {
  it('is a request with id, url and data, or an answer with id and code; as an object or as JSON', () => {
    const read = { kind: 'request', ...REQUEST, nonce: undefined };
    expect(readMessage(REQUEST)).toEqual(read);
    expect(readMessage(JSON.stringify(REQUEST))).toEqual(read);
    expect(readMessage({ id: 7, code: 200, message: 'succeed', data: null, nonce: 'w' })).toEqual({
      kind: 'answer',
      id: 7,
      code: 200,
      data: {},
      nonce: 'w',
    });
  });

  it.each([
    ['a text', 'nothing'],
    ['half a text', '{"id":"1"'],
    ['null', null],
    ['a list', [REQUEST]],
    ['a number', 7],
    ['what JSON has no form for', { ...REQUEST, data: { big: 1n } }],
    ['a function', () => REQUEST],
    ['one without an id', { url: REQUEST.url, data: {} }],
    ['an empty id', { ...REQUEST, id: '' }],
    ['an id that is too long', { ...REQUEST, id: 'x'.repeat(BRIDGE_LIMITS.idLength + 1) }],
    ['an id that is no whole number', { ...REQUEST, id: 1.5 }],
    ['an id that is a list', { ...REQUEST, id: ['1'] }],
    ['a url that is too long', { ...REQUEST, url: 'x'.repeat(BRIDGE_LIMITS.urlLength + 1) }],
    ['a url that is no text', { ...REQUEST, url: 1 }],
    ['an answer without a code', { id: '1', message: 'succeed', data: {} }],
    ['data that is a list', { ...REQUEST, data: [0] }],
    ['data that is a text', { ...REQUEST, data: 'status' }],
  ])('is not %s', (_name, value) => expect(readMessage(value)).toBeNull());

  it('is not a circle', () => {
    const circle: Record<string, unknown> = { ...REQUEST };
    circle['data'] = circle;
    expect(readMessage(circle)).toBeNull();
  });

  it.each(['__proto__', 'constructor', 'prototype'])('has no field %s, at any depth', (name) => {
    for (const data of [`{"${name}":{}}`, `{"list":[{"${name}":1}]}`])
      expect(readMessage(`{"id":"1","url":"/x","data":${data}}`)).toBeNull();
    expect(readMessage(`{"id":"1","url":"/x","data":{},"${name}":{"isAdmin":true}}`)).toBeNull();
    expect({}).not.toHaveProperty('isAdmin');
  });

  it.each([
    ['one-byte characters', 'x'],
    ['two-byte characters', 'é'],
  ])('has at most 64 KB of %s', (_name, filler) => {
    const largest = requestOf(BRIDGE_LIMITS.messageBytes, filler);
    const size = new TextEncoder().encode(JSON.stringify(largest)).length;
    expect(size).toBeGreaterThan(BRIDGE_LIMITS.messageBytes - 2);
    expect(readMessage(largest)).not.toBeNull();
    expect(writeMessage(largest)).not.toBeNull();
    const tooLarge = requestOf(BRIDGE_LIMITS.messageBytes + 2, filler);
    expect(readMessage(tooLarge)).toBeNull();
    expect(readMessage(JSON.stringify(tooLarge))).toBeNull();
    expect(writeMessage(tooLarge)).toBeNull();
  });

  it('is at most eight levels deep', () => {
    const deep = (levels: number): object => (levels === 1 ? {} : { inner: deep(levels - 1) });
    expect(readMessage({ ...REQUEST, data: deep(BRIDGE_LIMITS.depth - 1) })).not.toBeNull();
    expect(readMessage({ ...REQUEST, data: deep(BRIDGE_LIMITS.depth) })).toBeNull();
    expect(writeMessage({ ...REQUEST, data: deep(BRIDGE_LIMITS.depth) })).toBeNull();
  });

  it('never makes the reader fail, whatever arrives', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.json(), fc.string()), (value) => {
        const message = readMessage(value);
        expect(message === null || message.kind === 'request' || message.kind === 'answer').toBe(true);
      }),
    );
  });

  it('is read as it was written', () => {
    const data = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.oneof(fc.string(), fc.integer(), fc.boolean()));
    fc.assert(
      fc.property(fc.stringMatching(/^[\w-]{1,64}$/), data, (id, given) => {
        fc.pre(!Object.hasOwn(given, 'constructor') && !Object.hasOwn(given, 'prototype'));
        const text = writeMessage({ id, url: '/api/v1.0/cs/x', data: given });
        expect(readMessage(text)).toMatchObject({ kind: 'request', id, data: given });
      }),
    );
  });
});
