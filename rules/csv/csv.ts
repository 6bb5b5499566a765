// Reads and writes CSV (RFC 4180), with byte-order mark and semicolons, and guards against formula injection.

export interface CsvTable {
  /** Lines of the file, from 1, on which the rows begin. */
  readonly lines: readonly number[];
  readonly rows: readonly (readonly string[])[];
}

export class CsvError extends Error {
  override readonly name = 'CsvError';
  /** Of the file, from 1. */
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const byteOrderMark = '\uFEFF';

/** Rows of cells; blank lines are left out. Throws CsvError for a quote that is never closed, or stands inside a bare cell. */
export function parseCsv(text: string): CsvTable {
  const reader = new Reader(text.startsWith(byteOrderMark) ? text.slice(1) : text);
  return reader.read();
}

class Reader {
  readonly #text: string;
  readonly #separator: string;
  readonly #rows: string[][] = [];
  readonly #lines: number[] = [];
  #at = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
    this.#separator = separatorOf(text);
  }

  read(): CsvTable {
    while (this.#at < this.#text.length) {
      const line = this.#line;
      const row = this.#row();
      if (row.length === 1 && row[0]?.trim() === '') continue;
      this.#rows.push(row);
      this.#lines.push(line);
    }
    return { rows: this.#rows, lines: this.#lines };
  }

  #row(): string[] {
    const cells = [this.#cell()];
    while (this.#text[this.#at] === this.#separator) {
      this.#at += 1;
      cells.push(this.#cell());
    }
    if (this.#text[this.#at] === '\r') this.#at += 1;
    if (this.#text[this.#at] === '\n') this.#at += 1;
    this.#line += 1;
    return cells;
  }

  #cell(): string {
    if (this.#text[this.#at] !== '"') return this.#bare();
    const cell = this.#quoted();
    const next = this.#text[this.#at];
    if (next !== undefined && next !== this.#separator && next !== '\r' && next !== '\n') {
      throw new CsvError('text after a closing quote', this.#line);
    }
    return cell;
  }

  #bare(): string {
    const start = this.#at;
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at];
      if (char === this.#separator || char === '\n' || char === '\r') break;
      if (char === '"') throw new CsvError('a quote inside a bare cell', this.#line);
      this.#at += 1;
    }
    return this.#text.slice(start, this.#at);
  }

  #quoted(): string {
    const opened = this.#line;
    let cell = '';
    for (;;) {
      const end = this.#text.indexOf('"', this.#at + 1);
      if (end < 0) throw new CsvError('a quote that is never closed', opened);
      const part = this.#text.slice(this.#at + 1, end);
      this.#line += part.split('\n').length - 1;
      cell += part;
      this.#at = end + 1;
      if (this.#text[this.#at] !== '"') return cell;
      cell += '"';
    }
  }
}

/** Spreadsheets of many countries write semicolons or tabs: the header tells. */
function separatorOf(text: string): string {
  const header = text.slice(0, text.search(/[\r\n]|$/u));
  return [';', '\t'].find((separator) => header.includes(separator) && !header.includes(',')) ?? ',';
}

// What spreadsheets take for the start of a formula, the full-width forms included (SE-95).
const formulaStart = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/u;

/** With a byte-order mark, by which spreadsheets know UTF-8; no cell is calculated when the file is opened. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return byteOrderMark + rows.map((row) => `${row.map(writeCell).join(',')}\r\n`).join('');
}

function writeCell(text: string): string {
  const plain = text.replaceAll('\0', '');
  // A guarded text is guarded once more, so that reading takes away exactly what writing put there.
  const guarded = formulaStart.test(plain.replace(/^'+/u, '')) ? `'${plain}` : plain;
  return /[",;\r\n\t']/u.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** Takes away the guard that `writeCsv` puts before what would be a formula. */
export function unguardCell(cell: string): string {
  return cell.startsWith("'") && formulaStart.test(cell.replace(/^'+/u, '')) ? cell.slice(1) : cell;
}
