// Parses a regular expression into a small tree; single units stay text for the engine.

/**
 * @typedef {{ kind: 'unit', raw: string }} Unit one character of the input
 * @typedef {{ kind: 'chain', parts: Node[] }} Chain
 * @typedef {{ kind: 'choice', options: Node[] }} Choice
 * @typedef {{ kind: 'repeat', body: Node, min: number, max: number }} Repeat
 * @typedef {{ kind: 'assert', what: 'start' | 'end' | 'boundary' }} Assert
 * @typedef {{ kind: 'look', body: Node, isBehind: boolean }} Look
 * @typedef {{ kind: 'back' }} Back what a group held, again
 * @typedef {Unit | Chain | Choice | Repeat | Assert | Look | Back} Node
 */

export class RegexSyntaxError extends Error {}

/**
 * @param {string} source
 * @param {string} flags
 * @returns {Node}
 */
export function readRegex(source, flags) {
  const reader = new Reader(source, /[uv]/.test(flags), flags.includes('v'));
  const tree = reader.choice();
  if (!reader.isAtEnd) throw new RegexSyntaxError(`unexpected ${source.slice(reader.at, reader.at + 5)}`);
  return tree;
}

class Reader {
  at = 0;

  /**
   * @param {string} source
   * @param {boolean} byPoint code points instead of UTF-16 units
   * @param {boolean} isNested classes may hold classes
   */
  constructor(source, byPoint, isNested) {
    this.source = source;
    this.byPoint = byPoint;
    this.isNested = isNested;
  }

  get isAtEnd() {
    return this.at >= this.source.length;
  }

  /** @returns {Node} */
  choice() {
    const options = [this.chain()];
    while (this.take('|')) options.push(this.chain());
    const [only] = options;
    return options.length === 1 && only ? only : { kind: 'choice', options };
  }

  /** @returns {Node} */
  chain() {
    /** @type {Node[]} */
    const parts = [];
    while (!this.isAtEnd && !this.sees('|') && !this.sees(')')) parts.push(this.quantified());
    return { kind: 'chain', parts };
  }

  /** @returns {Node} */
  quantified() {
    const body = this.single();
    const count = this.match(/[*+?]|\{\d+(?:,\d*)?\}/y);
    if (count === null) return body;
    this.take('?');
    const [min, max] = boundsOf(count);
    return { kind: 'repeat', body, min, max };
  }

  /** @returns {Node} */
  single() {
    if (this.take('(')) return this.group();
    if (this.take('^')) return { kind: 'assert', what: 'start' };
    if (this.take('$')) return { kind: 'assert', what: 'end' };
    if (this.sees('[')) return { kind: 'unit', raw: this.bracket() };
    if (this.sees('\\')) return this.escape();
    const raw = this.byPoint
      ? String.fromCodePoint(this.source.codePointAt(this.at) ?? 0)
      : this.source.charAt(this.at);
    this.at += raw.length;
    return { kind: 'unit', raw: raw === '/' ? '\\/' : raw };
  }

  /** @returns {Node} */
  group() {
    const opening = this.match(/\?(?:<?[=!]|<[^>]+>|[ims-]*:)/y) ?? '';
    const body = this.choice();
    if (!this.take(')')) throw new RegexSyntaxError('a group without its end');
    if (/^\?[ims-]+:/.test(opening)) throw new RegexSyntaxError('flags inside of an expression');
    return /[=!]$/.test(opening) ? { kind: 'look', body, isBehind: opening.includes('<') } : body;
  }

  /** A class, as it is written. */
  bracket() {
    const begin = this.at;
    let depth = 0;
    do {
      const unit = this.source.charAt(this.at);
      if (unit === '') throw new RegexSyntaxError('a class without its end');
      if (unit === '\\') this.at += 1;
      else if (unit === '[' && (depth === 0 || this.isNested)) depth += 1;
      else if (unit === ']') depth -= 1;
      this.at += 1;
    } while (depth > 0);
    return this.source.slice(begin, this.at);
  }

  /** @returns {Node} */
  escape() {
    if (this.match(/\\[bB]/y)) return { kind: 'assert', what: 'boundary' };
    if (this.match(/\\[1-9]\d*|\\k<[^>]+>/y)) return { kind: 'back' };
    const long = this.byPoint ? /\\(?:u\{[^}]+\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|[pP]\{[^}]+\})/y : /\\(?!)/y;
    const raw = this.match(long) ?? this.match(/\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[^])/y);
    if (raw === null) throw new RegexSyntaxError('an escape of nothing');
    return { kind: 'unit', raw };
  }

  /** @param {string} unit */
  sees(unit) {
    return this.source.charAt(this.at) === unit;
  }

  /** @param {string} unit */
  take(unit) {
    if (!this.sees(unit)) return false;
    this.at += 1;
    return true;
  }

  /** @param {RegExp} sticky */
  match(sticky) {
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.source)?.[0] ?? null;
    this.at += found?.length ?? 0;
    return found;
  }
}

/**
 * @param {string} count
 * @returns {[min: number, max: number]}
 */
function boundsOf(count) {
  if (count === '*') return [0, Infinity];
  if (count === '+') return [1, Infinity];
  if (count === '?') return [0, 1];
  const [min = '0', max] = count.slice(1, -1).split(',');
  return [Number(min), max === undefined ? Number(min) : max === '' ? Infinity : Number(max)];
}
