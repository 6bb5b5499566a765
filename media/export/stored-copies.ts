// Reads the samples of a planned movie from the recorded files, in the order in which the movie holds them.
import type { PlannedMovie } from './movie-builder.ts';
import type { SourceReader } from './source-reader.ts';

/** Read together; a few fragments of one file. */
const COPY_BYTES = 1024 * 1024;

export async function* readCopies(
  reader: SourceReader,
  { copies }: Pick<PlannedMovie, 'copies'>,
): AsyncGenerator<readonly Buffer[]> {
  for (let first = 0; first < copies.length; ) {
    const from = copies.at(first);
    let last = first;
    for (let next = first + 1; next < copies.length; next += 1) {
      const { fileStartMs, offset, length } = copies.at(next);
      const isNear = fileStartMs === from.fileStartMs && offset >= from.offset;
      if (!isNear || offset + length - from.offset > COPY_BYTES) break;
      last = next;
    }
    const end = copies.at(last);
    const bytes = await reader.read(from.fileStartMs, from.offset, end.offset + end.length - from.offset);
    const samples: Buffer[] = [];
    for (let at = first; at <= last; at += 1) {
      const { offset, length } = copies.at(at);
      samples.push(bytes.subarray(offset - from.offset, offset - from.offset + length));
    }
    yield samples;
    first = last + 1;
  }
}
