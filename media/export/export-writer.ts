// Writes one export: one MP4 for one unbroken range, else a zip of MP4s with their manifest.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { ExportedFile, ExportGap, ExportOrder, ExportOrderItem } from '@vedette/contract/site/site-export.ts';
import { Mp4Error } from '@vedette/protocols/mp4/box-reader.ts';
import { writeDirectory, writeLocalHeader, ZIP_CRC_AT, type ZipEntry } from '@vedette/protocols/zip/zip.ts';
import { type Disk, errorCode } from '../recordings/disk.ts';
import type { RecordingsStore } from '../recordings/recordings-store.ts';
import { ExportError } from './export-error.ts';
import type { ManifestSigner } from './export-manifest.ts';
import { archiveName, channelTitle, movieName, namedMovie, uniqueName } from './export-names.ts';
import { planExport, type Part, type Piece } from './export-plan.ts';
import type { ExportOutput, HashedStretch } from './export-output.ts';
import { type Burning, contentOf, type MovieContent } from './movie-content.ts';
import { MovieBuilder, type PlannedMovie } from './movie-builder.ts';
import { RECORD_FLAG, recordEndMs } from '../recordings/index-record.ts';
import { type PieceHeader, SourceReader } from './source-reader.ts';

export interface WriteExportRequest {
  readonly order: ExportOrder;
  readonly disk: Disk;
  readonly store: RecordingsStore;
  readonly output: ExportOutput;
  readonly signer: ManifestSigner;
  readonly wallMs: () => number;
  readonly signal: AbortSignal;
  readonly burning: Burning;
}

export interface WrittenExport {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly files: readonly ExportedFile[];
  readonly gaps: readonly ExportGap[];
  readonly manifest: Buffer;
  readonly finishedAt: number;
}

export async function writeExport(request: WriteExportRequest): Promise<WrittenExport> {
  const { order, output, signer, wallMs } = request;
  const { parts, gaps } = await outlineAll(request);
  const isArchive = order.items.length > 1 || parts.length > 1;
  const archive = isArchive ? new Archive(output, wallMs()) : null;
  const files: ExportedFile[] = [];
  const stretches: HashedStretch[] = [];
  for (const { item, part } of parts) {
    const taken = new Set(files.map(({ name }) => name));
    const damaged = (gap: Omit<ExportGap, 'item'>) => gaps.push({ item, ...gap });
    const written = await writePart(request, item, part, { archive, taken, damaged });
    if (!written) continue;
    files.push({ ...written.file, item });
    stretches.push(written.stretch);
  }
  const [first] = files;
  if (!first) throw new ExportError(ERROR_CODES.notFound, 'nothing is recorded in the range');
  const finishedAt = wallMs();
  const manifest = signer.write({ order, finishedAt, files, gaps });
  if (archive) stretches.push(await archive.finish(manifest));
  const sha256 = await output.check(stretches);
  const name = archive
    ? archiveName(order.name, Math.min(...order.items.map(({ startTime }) => startTime)))
    : first.name;
  return { name, bytes: output.position, sha256, files, gaps, manifest, finishedAt };
}

interface NumberedPart {
  readonly item: number;
  readonly part: Part;
}

async function outlineAll({ order, store, wallMs }: WriteExportRequest) {
  const parts: NumberedPart[] = [];
  const gaps: ExportGap[] = [];
  for (const [item, { channelId, quality, startTime, endTime }] of order.items.entries()) {
    // The future is not a gap.
    const endMs = Math.max(startTime, Math.min(endTime, wallMs()));
    const found = await planExport({ store, key: { channelId, quality }, startMs: startTime, endMs });
    parts.push(...found.parts.map((part) => ({ item, part })));
    gaps.push(...found.gaps.map(({ startMs, endMs }) => ({ item, startTime: startMs, endTime: endMs })));
  }
  return { parts, gaps };
}

interface PartPlace {
  readonly archive: Archive | null;
  /** Names of earlier files. */
  readonly taken: ReadonlySet<string>;
  /** Called with ranges that cannot be read. */
  readonly damaged: (gap: Omit<ExportGap, 'item'>) => void;
}

/** Null if the part shows nothing of the range. */
async function writePart(
  request: WriteExportRequest,
  itemIndex: number,
  part: Part,
  { archive, taken, damaged }: PartPlace,
): Promise<{ file: Omit<ExportedFile, 'item'>; stretch: HashedStretch } | null> {
  const { order, disk, store, output, signal } = request;
  const item = order.items[itemIndex] as ExportOrderItem;
  const reader = new SourceReader(disk, store, item);
  try {
    const movie = await planMovie(reader, part, item, { damaged, signal });
    if (!movie) return null;
    const isNamed = archive === null && order.name !== '';
    const title = channelTitle(item);
    const name = uniqueName(isNamed ? namedMovie(order.name) : movieName(title, movie.startMs), taken);
    const content = await contentOf(request, { item, reader, movie });
    try {
      const stretch = await writeContent(output, { archive, name, content });
      const { startMs: startTime, endMs: endTime } = movie;
      const { bytes, sha256 } = stretch;
      return { file: { name, bytes, sha256, startTime, endTime, pictures: content.pictures }, stretch };
    } finally {
      await content.close();
    }
  } finally {
    await reader.close();
  }
}

interface NamedContent {
  readonly archive: Archive | null;
  readonly name: string;
  readonly content: MovieContent;
}

async function writeContent(output: ExportOutput, { archive, name, content }: NamedContent): Promise<HashedStretch> {
  await archive?.begin(name, content.head.length + content.bytes);
  output.beginStretch();
  await output.write([content.head]);
  for await (const samples of content.samples()) await output.write(samples);
  const stretch = output.endStretch();
  await archive?.end(stretch);
  return stretch;
}

async function planMovie(
  reader: SourceReader,
  { pieces }: Part,
  item: ExportOrderItem,
  { damaged, signal }: Pick<PartPlace, 'damaged'> & { readonly signal: AbortSignal },
): Promise<PlannedMovie | null> {
  const [first] = pieces;
  if (!first) return null;
  const range = { startMs: item.startTime, endMs: item.endTime };
  const init = await firstInit(reader, pieces);
  if (init === null) {
    damaged({
      startTime: Math.round(first.record.wallMs),
      endTime: Math.round(recordEndMs((pieces.at(-1) ?? first).record)),
    });
    return null;
  }
  const builder = new MovieBuilder(init, range);
  let isBroken = false;
  for (const piece of pieces) {
    signal.throwIfAborted();
    // After a damaged fragment decoding needs the next keyframe.
    const isSkipped: boolean = isBroken && (piece.record.flags & RECORD_FLAG.key) === 0;
    const head: PieceHeader | null = isSkipped ? null : await readHead(reader, piece);
    isBroken = head === null;
    if (head) builder.add(piece, head);
    else damaged({ startTime: Math.round(piece.record.wallMs), endTime: Math.round(recordEndMs(piece.record)) });
  }
  return builder.finish();
}

/** All files of a part have the same init segment: any valid one will do. */
async function firstInit(reader: SourceReader, pieces: readonly Piece[]): Promise<Buffer | null> {
  for (const fileStartMs of new Set(pieces.map((piece) => piece.fileStartMs))) {
    try {
      return await reader.init(fileStartMs);
    } catch (error) {
      if (!(error instanceof Mp4Error || error instanceof RangeError || errorCode(error) === 'ENOENT')) throw error;
    }
  }
  return null;
}

/** Null if the file does not match its index: the export omits it. */
async function readHead(reader: SourceReader, piece: Piece): Promise<PieceHeader | null> {
  try {
    return await reader.head(piece);
  } catch (error) {
    if (error instanceof Mp4Error || error instanceof RangeError) return null;
    throw error;
  }
}

/** The zip around several files: a header before each, the directory at the end. */
class Archive {
  readonly #output: ExportOutput;
  readonly #modifiedMs: number;
  readonly #entries: ZipEntry[] = [];
  #open: ZipEntry | null = null;

  constructor(output: ExportOutput, modifiedMs: number) {
    this.#output = output;
    this.#modifiedMs = modifiedMs;
  }

  async begin(name: string, bytes: number): Promise<void> {
    this.#open = { name, bytes, crc32: 0, offset: this.#output.position, modifiedMs: this.#modifiedMs };
    await this.#output.write([writeLocalHeader(this.#open)]);
  }

  /** The checksum is known only after writing. */
  async end({ crc32, bytes }: HashedStretch): Promise<void> {
    const open = this.#open;
    if (!open || open.bytes !== bytes) throw new RangeError('a file of the archive has another length than planned');
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32LE(crc32, 0);
    await this.#output.patch(open.offset + ZIP_CRC_AT, checksum);
    this.#entries.push({ ...open, crc32 });
  }

  async finish(manifest: Buffer): Promise<HashedStretch> {
    await this.begin('manifest.json', manifest.length);
    this.#output.beginStretch();
    await this.#output.write([manifest]);
    const stretch = this.#output.endStretch();
    await this.end(stretch);
    await this.#output.write([writeDirectory(this.#entries, this.#output.position)]);
    return stretch;
  }
}
