// Names of sections, fields, words and units in the language of the screen; a word of the device's own stays as it is.
import { enumerationText } from '../../language/enumeration-text.ts';
import type { SectionName } from '@vedette/contract/config/section-names.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import type { FieldProblem } from '@vedette/rules/validation/field-problem.ts';

export function sectionText(t: Translate, section: SectionName): string {
  return t(`config.section.${section}`);
}

export function fieldText(t: Translate, field: string): string {
  return t.find(`config.field.${field}`) ?? field;
}

export function wordText(t: Translate, field: string, word: string): string {
  return t.find(`config.word.${field}.${word}`) ?? t.find(`config.word.${word}`) ?? word;
}

export function recordStatusText(t: Translate, status: number): string {
  return t.find(`config.word.recordStatus.${status}`) ?? enumerationText(t, {}, status);
}

export function unitText(t: Translate, unit: string | undefined): string | undefined {
  return unit === undefined ? undefined : t.find(`config.unit.${unit}`);
}

export function problemText(t: Translate, problem: FieldProblem | undefined): string | null {
  if (problem === undefined) return null;
  return t.find(`config.problem.${problem}`) ?? t('valid.other');
}
