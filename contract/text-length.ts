// The length of a text, one definition for contract, console, server and database: code points, so that a surrogate pair is one.
import { z } from 'zod';

export function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** 1 to `most` code points. Whoever adds checks ends with `.meta({ maxLength })`: JSON Schema counts them the same way. */
export function boundedText(most: number) {
  return z
    .string()
    .min(1)
    .superRefine((text, context) => {
      if (lengthOf(text) > most) {
        context.addIssue({ code: 'too_big', origin: 'string', maximum: most, inclusive: true, input: text });
      }
    });
}
