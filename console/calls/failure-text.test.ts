// Tests of the sentences that failures show.
import { pack as en } from '@vedette/phrases/en/pack.ts';
import { translator } from '@vedette/phrases/translate.ts';
import { pack as zh } from '@vedette/phrases/zh-CN/pack.ts';
import { describe, expect, it } from 'vitest';
import { CallFailure, NetworkFailure } from './call-failure.ts';
import { codeText, failureText } from './failure-text.ts';

const english = translator('en', en);
const chinese = translator('zh-CN', zh);

describe('[ER-02][ER-03] failure texts', () => {
  it('shows errCode_{code} in the current language', () => {
    expect(codeText(english, 2004, 'x', null)).toBe(en.errCode_2004);
    expect(codeText(chinese, 2004, 'x', null)).toBe('用户名或密码错误。');
  });
  it('shows the generic form for a code without a phrase', () => {
    expect(codeText(english, 4242, 'odd', null)).toBe('ERROR:  4242  odd');
  });
  it("names the device's reason from data.reason of 2316 and 2317", () => {
    expect(codeText(english, 2316, '', { reason: 'deviceAuth' })).toContain('user name or password');
    expect(codeText(english, 2317, '', { reason: 'unreachable' })).toContain('No response at this address');
    expect(codeText(english, 2316, '', { reason: 'unheardOf' })).toBe('The device refused the request.');
  });
  it('tells a disabled account from one that waits after wrong passwords', () => {
    expect(codeText(english, 2031, '', { reason: 'disabled' })).toContain('administrator disabled');
    expect(codeText(english, 2031, '', { reason: 'tooManyAttempts', retryAfter: 61 })).toContain('again in 2 min');
    expect(codeText(chinese, 2031, '', { reason: 'tooManyAttempts', retryAfter: 5 })).toContain('1 分钟');
  });
  it('distinguishes a lost connection from an error answer', () => {
    expect(failureText(english, new NetworkFailure('x'))).toContain('not responding');
    expect(failureText(english, new CallFailure(2024, '', null))).toBe(en.errCode_2024);
  });
});
