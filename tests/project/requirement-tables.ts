// Reads the tables of docs/requirements: each id with its sentence and its status.
import { filesBelow } from './source-files.ts';

export interface Requirement {
  readonly id: string;
  readonly sentence: string;
  readonly status: string;
  /** What is missing; empty for what is done. */
  readonly reason: string;
}

const HEADER = '| id | requirement | status |';

export function requirements(): Requirement[] {
  return filesBelow('docs/requirements', /\.md$/).flatMap(({ text }) => {
    const lines = text.split('\n');
    return lines.flatMap((line, at) => (line === HEADER ? rowsFrom(lines, at + 2) : []));
  });
}

function rowsFrom(lines: readonly string[], first: number): Requirement[] {
  const end = lines.findIndex((line, at) => at >= first && !line.startsWith('|'));
  return lines.slice(first, end === -1 ? undefined : end).map((line) => {
    const [id = '', sentence = '', state = ''] = line.slice(2, -2).split(' | ');
    const [status = '', reason = ''] = state.split(/: (.*)/);
    return { id, sentence, status, reason };
  });
}
