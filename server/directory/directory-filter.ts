// Filters of searches (RFC 4515): the operator's, with what a stranger typed put in as a value and never as a filter.
import { AndFilter, EqualityFilter, Filter, FilterParser } from 'ldapts';

const PLACE = '{username}';
/**
 * Directories take letters of several forms, invisible ones and spaces as the same name (RFC 4518), while tries are counted by what was
 * typed: only one way of writing a name may find its user.
 */
const PLAIN_NAME = /^[\p{L}\p{N}._@+'$-]+(?: [\p{L}\p{N}._@+'$-]+)*$/u;
/** Attributes whose values are bytes, told as hexadecimal digits. */
const BINARY_ID = 'objectguid';

export function isPlainName(name: string): boolean {
  return name === name.normalize('NFKC') && PLAIN_NAME.test(name);
}

/** The operator's filter says whom it looks for, and is one. */
export function isUserFilter(template: string): boolean {
  if (!template.includes(PLACE) || !isBalanced(template)) return false;
  try {
    filterOfName(template, 'a');
    filterOfAnybody(template);
    return true;
  } catch {
    return false;
  }
}

export function filterOfName(template: string, name: string): Filter {
  return FilterParser.parseString(template.replaceAll(PLACE, () => Filter.escape(name)));
}

/** The same without a name: whoever may sign in at all. */
export function filterOfAnybody(template: string): Filter {
  return FilterParser.parseString(template.replaceAll(PLACE, '*'));
}

/** Whoever may sign in and is told apart by this value. */
export function filterOfSubject(template: string, idAttribute: string, subject: string): Filter {
  const isSubject = filterOfValue(idAttribute, subjectBytes(idAttribute, subject));
  return new AndFilter({ filters: [filterOfAnybody(template), isSubject] });
}

/** Not by way of text: the library reads escaped bytes above 127 as letters. */
export function filterOfValue(attribute: string, value: Buffer | string): Filter {
  return new EqualityFilter({ attribute, value });
}

export function subjectOf(idAttribute: string, value: Buffer): string {
  return value.toString(isBinary(idAttribute) ? 'hex' : 'utf8');
}

function isBinary(idAttribute: string): boolean {
  return idAttribute.toLowerCase() === BINARY_ID;
}

function subjectBytes(idAttribute: string, subject: string): Buffer | string {
  return isBinary(idAttribute) ? Buffer.from(subject, 'hex') : subject;
}

/** Which the library does not require. Within values parentheses are escaped. */
function isBalanced(template: string): boolean {
  let depth = 0;
  for (const letter of template) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
