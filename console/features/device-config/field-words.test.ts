// What stands under a field whose value was refused.
import { pack as en } from '@vedette/phrases/en/pack.ts';
import { translator } from '@vedette/phrases/translate.ts';
import { pack as zh } from '@vedette/phrases/zh-CN/pack.ts';
import type { FieldProblem } from '@vedette/rules/validation/field-problem.ts';
import { expect, it } from 'vitest';
import { problemText, recordStatusText } from './field-words.ts';

it('[ER-06] a field without a text of its own asks for correct information', () => {
  const later = 'ofALaterVersion' as FieldProblem;
  expect(problemText(translator('en', en), later)).toBe('Please enter correct information');
  expect(problemText(translator('zh-CN', zh), later)).toBe('请输入正确的信息');
  expect(problemText(translator('en', en), 'tooBig')).toBe(en['config.problem.tooBig']);
  expect(problemText(translator('en', en), undefined)).toBeNull();
});

it('[EN-04] [EN-21] the status of a card outside its table is shown as unknown', () => {
  const [english, chinese] = [translator('en', en), translator('zh-CN', zh)];
  expect([recordStatusText(english, 7), recordStatusText(chinese, 7)]).toEqual(['Unknown', '未知']);
  expect(recordStatusText(english, 2)).toBe('Not formatted');
});
