// Tests of signatures that expire.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { derivedKey, signedUntil, signUntil } from './expiring-signature.ts';

describe('an expiring signature', () => {
  it('holds for its key, its text and its time, and for no other', () => {
    const text = fc.string({ maxLength: 40 });
    const time = fc.integer({ min: 0, max: 0xffff_ffff });
    fc.assert(
      fc.property(text, text, time, fc.nat(35), (key, signed, expiresS, place) => {
        const signature = signUntil(key, signed, expiresS);
        expect(signature).toMatch(/^[\w-]{36}$/);
        expect(signedUntil(key, signed, signature)).toBe(expiresS);
        expect(signedUntil(`${key}x`, signed, signature)).toBeNull();
        expect(signedUntil(key, `${signed}x`, signature)).toBeNull();
        const other = signature[place] === 'a' ? 'b' : 'a';
        const altered = signature.slice(0, place) + other + signature.slice(place + 1);
        expect(signedUntil(key, signed, altered)).toBeNull();
      }),
    );
  });

  it('is no text of another form', () => {
    fc.assert(fc.property(fc.string(), (text) => signedUntil('key', 'text', text) === null));
  });

  it('takes another key for each purpose', () => {
    expect(derivedKey('key', 'one')).not.toBe(derivedKey('key', 'two'));
  });
});
