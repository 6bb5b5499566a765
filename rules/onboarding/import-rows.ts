// Parses a CSV file of devices: columns, rows, and their problems.
import { DEVICE_TYPE } from '@vedette/contract/enumerations.ts';
import { IMPORT_LIMITS } from '@vedette/contract/limits.ts';
import { CsvError, parseCsv, unguardCell } from '../csv/csv.ts';
import { deviceNameProblem, deviceSerialProblem } from '../validation/device-fields.ts';

export const IMPORT_COLUMNS = [
  'serial',
  'name',
  'type',
  'address',
  'port',
  'user',
  'password',
  'path',
  'organization',
] as const;
export type ImportColumn = (typeof IMPORT_COLUMNS)[number];

/** What is wrong with the file as a whole. */
export type ImportFileProblem =
  | 'quote'
  | 'empty'
  | 'tooManyRows'
  | 'noAddressColumn'
  | 'unknownColumn'
  | 'repeatedColumn';

export class ImportFileError extends Error {
  override readonly name = 'ImportFileError';
  readonly problem: ImportFileProblem;
  readonly line: number;

  constructor(problem: ImportFileProblem, line: number) {
    super(problem);
    this.problem = problem;
    this.line = line;
  }
}

export type RowProblem = 'required' | 'format' | 'tooLong' | 'deviceName' | 'duplicate' | 'unknown';

export interface ParsedRow {
  /** Of the file, from 1. */
  readonly line: number;
  /** '' where the device is to tell it. */
  readonly serial: string;
  readonly name: string;
  readonly type: number | null;
  /** What `device/add` takes, user and password not in it. */
  readonly target: string;
  readonly user: string;
  readonly password: string;
  /** Names from the top. */
  readonly organization: readonly string[];
  readonly problems: Readonly<Partial<Record<ImportColumn, RowProblem>>>;
}

/** Throws ImportFileError. Rows with problems are among the answer. */
export function readImportRows(text: string): ParsedRow[] {
  const { rows, lines } = parse(text);
  const [header] = rows;
  if (header === undefined || rows.length < 2) throw new ImportFileError('empty', 1);
  if (rows.length - 1 > IMPORT_LIMITS.rows)
    throw new ImportFileError('tooManyRows', lines[IMPORT_LIMITS.rows + 1] ?? 1);
  const columns = readHeader(header);
  const parsed = rows.slice(1).map((cells, index) => readRow(columns, cells, lines[index + 1] ?? 0));
  return markDuplicates(parsed);
}

function parse(text: string) {
  try {
    return parseCsv(text);
  } catch (error) {
    if (error instanceof CsvError) throw new ImportFileError('quote', error.line);
    throw error;
  }
}

function readHeader(cells: readonly string[]): ImportColumn[] {
  const columns = cells.map((cell) => {
    const column = IMPORT_COLUMNS.find((one) => one === cell.trim().toLowerCase());
    if (column === undefined) throw new ImportFileError('unknownColumn', 1);
    return column;
  });
  if (new Set(columns).size < columns.length) throw new ImportFileError('repeatedColumn', 1);
  if (!columns.includes('address')) throw new ImportFileError('noAddressColumn', 1);
  return columns;
}

const USER_MAX = 64;
const PASSWORD_MAX = 128;
const TARGET_MAX = 512;

function readRow(columns: readonly ImportColumn[], cells: readonly string[], line: number): ParsedRow {
  const raw = (column: ImportColumn): string => {
    const at = columns.indexOf(column);
    return at < 0 ? '' : unguardCell(cells[at] ?? '');
  };
  const cell = (column: ImportColumn): string => raw(column).trim();
  const target = targetOf(cell('address'), cell('port'), cell('path'));
  const name = cell('name') === '' ? cell('address').slice(0, USER_MAX) : cell('name');
  const type = typeOf(cell('type'));
  const serial = cell('serial');
  const problems: Partial<Record<ImportColumn, RowProblem>> = {
    ...(serial !== '' && deviceSerialProblem(serial) !== null && { serial: 'format' as const }),
    ...(deviceNameProblem(name) !== null && { name: 'deviceName' as const }),
    ...(type === undefined && { type: 'unknown' as const }),
    ...target.problems,
    ...(cell('user').length > USER_MAX && { user: 'tooLong' as const }),
    ...(raw('password').length > PASSWORD_MAX && { password: 'tooLong' as const }),
  };
  const inside = withoutAccount(target.text);
  return {
    line,
    serial,
    name,
    type: type ?? null,
    target: target.text,
    user: cell('user'),
    // A password may well begin or end with a blank.
    password: raw('password'),
    organization: cell('organization')
      .split('/')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
    problems: inside === null ? { ...problems, address: 'format' } : problems,
  };
}

interface TargetText {
  readonly text: string;
  readonly problems: Partial<Record<ImportColumn, RowProblem>>;
}

/** An address with a path is an RTSP stream; one without is looked at by ONVIF first, as everywhere. */
function targetOf(address: string, port: string, path: string): TargetText {
  if (address === '') return { text: '', problems: { address: 'required' } };
  if (/^(?:rtsps?|https?):\/\//iu.test(address)) return checkLength(address);
  if (!isHost(address)) return { text: address, problems: { address: 'format' } };
  if (port !== '' && !isPort(port)) return { text: address, problems: { port: 'format' } };
  const host = port === '' ? address : `${address}:${port}`;
  if (path === '') return checkLength(host);
  if (/\s/u.test(path)) return { text: host, problems: { path: 'format' } };
  return checkLength(`rtsp://${host}${path.startsWith('/') ? '' : '/'}${path}`);
}

/** Without a scheme, a path or blanks. */
function isHost(address: string): boolean {
  return !/[\s/@?#]/u.test(address) && !/^[a-z][a-z0-9+.-]*:\/\//iu.test(address);
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/u.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

function checkLength(text: string): TargetText {
  return { text, problems: text.length > TARGET_MAX ? { address: 'tooLong' } : {} };
}

/** Null for what is no address at all. */
function withoutAccount(target: string): string | null {
  if (target === '') return '';
  const url = URL.parse(/^[a-z]+:\/\//iu.test(target) ? target : `http://${target}`);
  return url === null || url.hostname === '' ? null : url.host;
}

const typeWords: Readonly<Record<string, number>> = {
  ...Object.fromEntries(Object.entries(DEVICE_TYPE).map(([name, number]) => [name.toLowerCase(), number])),
  camera: DEVICE_TYPE.IPC,
  recorder: DEVICE_TYPE.NVR,
};

/** Null where the device is to tell it; undefined for a type that there is none of. */
function typeOf(text: string): number | null | undefined {
  if (text === '') return null;
  if (Object.hasOwn(typeWords, text.toLowerCase())) return typeWords[text.toLowerCase()];
  const number = /^-?\d{1,3}$/u.test(text) ? Number(text) : Number.NaN;
  return Object.values<number>(DEVICE_TYPE).includes(number) ? number : undefined;
}

/** The first of equals stands; those after it are the duplicates. */
function markDuplicates(rows: readonly ParsedRow[]): ParsedRow[] {
  const serials = new Set<string>();
  const targets = new Set<string>();
  return rows.map((row) => {
    const isSerialKnown = row.serial !== '' && serials.has(row.serial);
    const isTargetKnown = row.target !== '' && targets.has(row.target.toLowerCase());
    serials.add(row.serial);
    targets.add(row.target.toLowerCase());
    if (!isSerialKnown && !isTargetKnown) return row;
    return { ...row, problems: { ...row.problems, [isSerialKnown ? 'serial' : 'address']: 'duplicate' as const } };
  });
}
