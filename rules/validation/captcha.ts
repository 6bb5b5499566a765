// When a captcha is required, and the problem of its field (VA-07).
import type { FieldProblem } from './field-problem.ts';

export interface CaptchaQuestion {
  readonly isCaptcha: boolean;
  readonly clientType: 'web' | 'client';
  /** What the captcha widget gave, empty before it was solved. */
  readonly captcha: string;
  /** Code of the last answer: 1014 says that the server refused the captcha. */
  readonly lastCode: number | null;
}

/** Used when configured, in web mode only. */
export function captchaProblem(question: CaptchaQuestion): FieldProblem | null {
  if (!question.isCaptcha || question.clientType !== 'web') return null;
  if (question.captcha === '') return question.lastCode === 1014 ? 'captchaFailed' : 'captchaFirst';
  return null;
}
