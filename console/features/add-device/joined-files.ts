// Several CSV files of devices as one, and where in them each of its lines stands.
import { parseCsv, unguardCell, writeCsv } from '@vedette/rules/csv/csv.ts';
import { ImportFileError, type ImportFileProblem, readImportRows } from '@vedette/rules/onboarding/import-rows.ts';

export interface CsvFile {
  readonly name: string;
  readonly text: string;
}

export interface JoinedFiles {
  readonly csv: string;
  /** `<file>:<line>` of a line of `csv`; the line alone where there is one file. */
  readonly placeOf: (line: number) => string;
}

/** One of several files cannot be read, and so nothing is taken. */
export interface FileProblem {
  readonly name: string;
  readonly problem: ImportFileProblem;
  readonly line: number;
}

/** The first file whose header or quotes are wrong; rows with problems are the server's to name. */
export function problemOfFiles(files: readonly CsvFile[]): FileProblem | null {
  for (const { name, text } of files) {
    try {
      readImportRows(text);
    } catch (error) {
      if (!(error instanceof ImportFileError)) throw error;
      return { name, problem: error.problem, line: error.line };
    }
  }
  return null;
}

/** Of files without such a problem: under all of their columns, in the order of the files. */
export function joinFiles(files: readonly CsvFile[]): JoinedFiles {
  const [only] = files;
  if (only !== undefined && files.length === 1) return { csv: only.text, placeOf: String };
  const tables = files.map(({ name, text }) => {
    const { rows, lines } = parseCsv(text);
    return { name, lines: lines.slice(1), rows: rows.slice(1), header: (rows[0] ?? []).map(columnName) };
  });
  const columns = [...new Set(tables.flatMap(({ header }) => header))];
  const rows = tables.flatMap(({ header, rows }) =>
    rows.map((cells) => columns.map((column) => unguardCell(cells[header.indexOf(column)] ?? ''))),
  );
  const places = tables.flatMap(({ name, lines }) => lines.map((line) => `${name}:${line}`));
  const csv = writeCsv([columns, ...rows]);
  const { lines } = parseCsv(csv);
  const byLine = new Map(places.map((place, at) => [lines[at + 1], place]));
  return { csv, placeOf: (line) => byLine.get(line) ?? String(line) };
}

function columnName(cell: string): string {
  return cell.trim().toLowerCase();
}
