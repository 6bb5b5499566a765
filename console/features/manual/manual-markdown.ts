// Reads the Markdown of the manual's pages: headings, paragraphs, lists, tables, notes, code and pictures. There is no HTML in it.

export type Inline =
  | { readonly kind: 'text' | 'label' | 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly target: string };

export type Block =
  | { readonly kind: 'heading'; readonly level: 2 | 3; readonly id: string; readonly text: string }
  | { readonly kind: 'paragraph' | 'note'; readonly text: readonly Inline[] }
  | { readonly kind: 'steps' | 'points'; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly Inline[])[])[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'picture'; readonly name: string; readonly description: string };

export interface Page {
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** A label of the console in bold, code, or a link. */
const MARKUP = /\*\*([^*]+)\*\*|`([^`]+)`|\[([^[\]]+)\]\(([^()]+)\)/g;

export function readInline(source: string): Inline[] {
  const parts: Inline[] = [];
  let end = 0;
  for (const match of source.matchAll(MARKUP)) {
    const [whole, label, code, linkText, target] = match;
    if (match.index > end) parts.push({ kind: 'text', text: source.slice(end, match.index) });
    if (label !== undefined) parts.push({ kind: 'label', text: label });
    else if (code !== undefined) parts.push({ kind: 'code', text: code });
    else parts.push({ kind: 'link', text: linkText ?? '', target: target ?? '' });
    end = match.index + whole.length;
  }
  if (end < source.length) parts.push({ kind: 'text', text: source.slice(end) });
  return parts;
}

export function plainText(parts: readonly Inline[]): string {
  return parts.map(({ text }) => text).join('');
}

/** `## Tours <!-- tours -->`: the comment is the heading's id, the same in every language. */
function readHeading(line: string): Block {
  const level = line.startsWith('###') ? 3 : 2;
  const [text = '', id = ''] = line.slice(level).split('<!--');
  return { kind: 'heading', level, id: id.replace('-->', '').trim(), text: text.trim() };
}

function readPicture(line: string): Block {
  const [, description = '', file = ''] = /^!\[([^[\]]*)\]\(([^()]+)\)$/.exec(line) ?? [];
  return { kind: 'picture', description, name: file.slice(file.lastIndexOf('/') + 1) };
}

function readTable(lines: readonly string[]): Block {
  const rows = lines.filter((_, at) => at !== 1).map((line) => line.slice(1, line.lastIndexOf('|')).split('|'));
  return { kind: 'table', rows: rows.map((cells) => cells.map((cell) => readInline(cell.trim()))) };
}

/** Lines that go on below an item belong to it. */
function readItems(lines: readonly string[], mark: RegExp): Inline[][] {
  const items: string[] = [];
  for (const line of lines) {
    if (mark.test(line)) items.push(line.replace(mark, ''));
    else items[items.length - 1] = joined(items.at(-1) ?? '', line.trim());
  }
  return items.map(readInline);
}

const WIDE_END = /[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]$/u;

/** Chinese is written without spaces, also where a line breaks in the file. */
function joined(before: string, next: string): string {
  return WIDE_END.test(before) ? before + next : `${before} ${next}`;
}

const STEP = /^\d+\. /;
const POINT = /^- /;

function readBlock(lines: readonly string[]): Block {
  const [first = ''] = lines;
  if (first.startsWith('##')) return readHeading(first);
  if (first.startsWith('![')) return readPicture(first);
  if (first.startsWith('|')) return readTable(lines);
  if (STEP.test(first)) return { kind: 'steps', items: readItems(lines, STEP) };
  if (POINT.test(first)) return { kind: 'points', items: readItems(lines, POINT) };
  if (first.startsWith('```')) return { kind: 'code', text: lines.slice(1, -1).join('\n') };
  const isNote = first.startsWith('> ');
  const text = lines.map((line) => (isNote ? line.slice(2) : line)).reduce(joined);
  return { kind: isNote ? 'note' : 'paragraph', text: readInline(text) };
}

/** Blocks are separated by empty lines. The first is the title: `# Live wall`. */
export function readPage(source: string): Page {
  const [head = '', ...rest] = source.trim().split(/\n\n+/);
  return { title: head.replace(/^# /, ''), blocks: rest.map((block) => readBlock(block.split('\n'))) };
}

/** The words of a block, for the search. */
export function blockText(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
    case 'note':
      return plainText(block.text);
    case 'steps':
    case 'points':
      return block.items.map(plainText).join(' ');
    case 'table':
      return block.rows.map((row) => row.map(plainText).join(' ')).join(' ');
    case 'picture':
      return block.description;
    default:
      return block.text;
  }
}
