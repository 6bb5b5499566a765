// What one MP4 of an export holds: the samples as they were recorded, or frames with their date and time burnt in beside the recorded audio.
import type { ExportOrderItem } from '@vedette/contract/site/site-export.ts';
import type { Disk } from '../recordings/disk.ts';
import type { BurnIn } from './burn-in.ts';
import type { BurntMovie } from './encoded-video.ts';
import { channelTitle } from './export-names.ts';
import { ExportOutput, type ExportOutputOptions } from './export-output.ts';
import type { PlannedMovie } from './movie-builder.ts';
import type { SourceReader } from './source-reader.ts';
import { readCopies } from './stored-copies.ts';

export interface MovieContent {
  readonly head: Uint8Array;
  /** Of the samples. */
  readonly bytes: number;
  readonly pictures: number;
  samples(): AsyncGenerator<readonly Buffer[]>;
  close(): Promise<void>;
}

export interface Burning {
  readonly burnIn: BurnIn;
  /** Where it puts its files, of which none stays. */
  readonly folder: string;
  readonly encoded: Pick<ExportOutputOptions, 'path' | 'room'>;
  /** Recorded bytes that were encoded since the last call. */
  readonly onEncoded: (bytes: number) => void;
}

interface ContentRequest {
  readonly disk: Disk;
  readonly burning: Burning;
  readonly signal: AbortSignal;
}

interface ContentSource {
  readonly item: ExportOrderItem;
  readonly reader: SourceReader;
  readonly movie: PlannedMovie;
}

/** Close it, whatever became of it. */
export async function contentOf(request: ContentRequest, source: ContentSource): Promise<MovieContent> {
  const { item, reader, movie } = source;
  if (item.burnInZone) return await burntContent(request, source, item.burnInZone);
  const { head, copies, pictures } = movie;
  return {
    head,
    bytes: copies.bytes,
    pictures,
    samples: () => readCopies(reader, movie),
    close: async () => undefined,
  };
}

async function burntContent(
  { disk, burning, signal }: ContentRequest,
  { item, reader, movie }: ContentSource,
  timeZone: string,
): Promise<MovieContent> {
  const { burnIn, folder, encoded, onEncoded } = burning;
  const frames = await ExportOutput.create({ disk, ...encoded, signal, onProgress: () => undefined });
  const close = async (): Promise<void> => {
    await frames.close();
    await disk.removeFile(encoded.path);
  };
  try {
    const text = { name: channelTitle(item), timeZone };
    const request = { movie, text, samples: readCopies(reader, movie), output: frames, signal, onRead: onEncoded };
    const video = await burnIn.encode(folder, request);
    const burnt = video.movie(movie);
    const samples = () => readBlocks(burnt, frames, reader);
    return { head: burnt.head, bytes: burnt.bytes, pictures: video.frames, samples, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function* readBlocks(
  { blocks }: BurntMovie,
  frames: ExportOutput,
  reader: SourceReader,
): AsyncGenerator<readonly Buffer[]> {
  for (const block of blocks) {
    if (block.from === 'encoded') yield [await frames.read(block.offset, block.length)];
    else yield [await reader.read(block.copy.fileStartMs, block.copy.offset, block.copy.length)];
  }
}
