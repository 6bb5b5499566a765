// TOTP: the test vectors of RFC 6238, appendix B, and the accepted time window.
import { expect, test } from 'vitest';
import { matchingStep, newTotpSecret, otpauthUrl } from './totp.ts';

/** "12345678901234567890" in base32; the RFC gives eight digits, of which the last six are the code of six. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('[PM-07] at second %i the code is the last six digits of %s', (second, digits) => {
  expect(matchingStep(SECRET, digits.slice(2), second * 1000)).toBe(Math.floor(second / 30));
});

test('[PM-07] [SE-15] a code is accepted one step early or late, never later, and identifies its step', () => {
  const at = 1_111_111_111_000;
  const step = Math.floor(at / 30_000);
  for (const off of [-30_000, 0, 30_000]) expect(matchingStep(SECRET, '050471', at + off)).toBe(step);
  for (const off of [-60_001, 60_000]) expect(matchingStep(SECRET, '050471', at + off)).toBeNull();
  for (const wrong of ['050472', '', '05047', '0504710']) expect(matchingStep(SECRET, wrong, at)).toBeNull();
});

test('[PM-07] a secret has 160 bits, and the otpauth address names product and account', () => {
  const secret = newTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(newTotpSecret()).not.toBe(secret);
  const url = new URL(otpauthUrl(secret, 'ann', 'Vedette'));
  expect(url.protocol).toBe('otpauth:');
  expect(decodeURIComponent(url.pathname)).toContain('Vedette:ann');
  expect(url.searchParams.get('secret')).toBe(secret);
});
