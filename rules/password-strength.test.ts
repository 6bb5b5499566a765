// Tests of the password strength hint.
import { describe, expect, it } from 'vitest';
import { passwordScore, strengthLevel } from './password-strength.ts';

describe('[WG-07] password strength', () => {
  it.each([
    [-1, 'none'],
    [0, 'weak'],
    [1, 'weak'],
    [2, 'medium'],
    [3, 'strong'],
    [4, 'strong'],
  ])('score %i is %s', (score, word) => expect(strengthLevel(score)).toBe(word));

  it.each([
    ['', 'none'],
    ['a1', 'weak'],
    ['abc123', 'weak'],
    ['aaaaaa1!', 'weak'],
    ['Abc123', 'medium'],
    ['abc123def456', 'medium'],
    ['Abc123!', 'strong'],
    ['correct horse battery 9', 'strong'],
  ])('%j is %s', (password, word) => expect(strengthLevel(passwordScore(password))).toBe(word));
});
