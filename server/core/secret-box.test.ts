// Sealed secrets open only with their key and in their row.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { SecretBox } from './secret-box.ts';

test('[SE-97] opens with its key and row alone, and detects any change', () => {
  const masterKey = randomBytes(32);
  const box = new SecretBox({ masterKey });
  const sealed = box.seal('camera-secret 密', 'row 1');
  expect(sealed.includes('camera-secret')).toBe(false);
  expect(box.open(sealed, 'row 1')).toBe('camera-secret 密');
  expect(() => box.open(sealed, 'row 2')).toThrow(/authenticate|newer version/);
  expect(() => new SecretBox({ masterKey: randomBytes(32) }).open(sealed, 'row 1')).toThrow(
    /authenticate|newer version/,
  );
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => box.open(changed, 'row 1')).toThrow(/authenticate|newer version/);
  }
  expect(box.seal('same', 'row').equals(box.seal('same', 'row'))).toBe(false);
});
