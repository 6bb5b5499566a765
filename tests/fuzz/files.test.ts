// Fuzzes files: MP4 boxes, initialization segments, fragments, index records, catalogues, file headers.
import { readCatalog, writeCatalogEntry } from '../../media/recordings/day-catalog.ts';
import { readIndex, writeIndex } from '../../media/recordings/index-record.ts';
import { parseFileStart } from '../../media/recordings/media-scan.ts';
import { writeHeaderBox } from '../../media/recordings/file-boxes.ts';
import { Mp4Error, readBoxes, readFragment } from '@vedette/protocols/mp4/box-reader.ts';
import { readFragmentStart } from '@vedette/protocols/mp4/fragment-start.ts';
import { readInitSegment } from '@vedette/protocols/mp4/init-reader.ts';
import { writeFragmentHeader } from '@vedette/protocols/mp4/fragment.ts';
import { writeInitSegment } from '@vedette/protocols/mp4/init-segment.ts';
import { it } from 'vitest';
import { fuzz } from './engine/fuzz.ts';

const WORDS = [
  'moof',
  'mdat',
  'traf',
  'trun',
  'tfhd',
  'tfdt',
  'moov',
  'trak',
  'stsd',
  'avc1',
  'hvc1',
  'mp4a',
  'esds',
  'uuid',
];
const init = Buffer.from(
  writeInitSegment([
    {
      kind: 'video',
      id: 1,
      timescale: 90_000,
      codec: 'h264',
      width: 640,
      height: 360,
      config: Buffer.from([1, 66, 0, 30, 255, 225, 0, 0]),
    },
    {
      kind: 'audio',
      id: 2,
      timescale: 16_000,
      codec: 'aac',
      sampleRate: 16_000,
      channels: 1,
      config: Buffer.from([0x14, 0x08]),
    },
  ]),
);
const samples = Array.from({ length: 12 }, (_, i) => ({ size: 40, duration: 3600, isKey: i === 0, ctsOffset: 0 }));
const fragment = Buffer.concat([
  writeFragmentHeader(1, [{ trackId: 1, baseDts: 0, samples, dataBytes: 480 } as never]),
  Buffer.alloc(480, 5),
]);
const header = {
  runId: 7,
  baseTicks: 90_000,
  initHash: '0123456789abcdef',
  audio: 'playable',
  audioRate: 16_000,
} as const;
const record = {
  wallMs: 1_800_000_000_000,
  offset: 900,
  videoBytes: 480,
  totalBytes: 500,
  durationTicks: 45_000,
  flags: 1,
  pictures: 12,
};

it('[SE-82] MP4 boxes, initialisation segments and fragments', async () => {
  await fuzz({
    name: 'mp4',
    seeds: [init, fragment, Buffer.concat([init, fragment])],
    words: WORDS,
    allowed: [Mp4Error],
    outputMax: (bytes) => 2 * bytes + 16,
    run: (input) => {
      const made = readBoxes(input).length;
      readInitSegment(input);
      return made;
    },
  });
  await fuzz({
    name: 'mp4-fragment',
    seeds: [fragment],
    words: WORDS,
    allowed: [Mp4Error],
    // A sample needs no byte of its own in a `trun` that states nothing per sample.
    outputMax: () => 100_000,
    run: (input) => readFragment(input, 0).reduce((sum, run) => sum + run.samples.length, 0),
  });
  await fuzz({
    name: 'mp4-fragment-start',
    seeds: [fragment],
    words: WORDS,
    allowed: [Mp4Error],
    outputMax: () => 1,
    run: (input) => (readFragmentStart(input).dts >= 0 ? 1 : 0),
  });
});

it('[SE-82] indexes, catalogues and headers of recorded files', async () => {
  await fuzz({
    name: 'recording-index',
    seeds: [
      writeIndex(header, [record, { ...record, offset: 1400 }]),
      writeIndex({ ...header, origin: 7 }, [record, { ...record, offset: 1400, videoCrc: 5, audioCrc: 6 }]),
      writeCatalogEntry({ startMs: 1, endMs: 2, mediaBytes: 3, records: 4 }),
      Buffer.concat([init, writeHeaderBox(header), fragment]),
      Buffer.concat([init, writeHeaderBox({ ...header, origin: 7 }), fragment]),
    ],
    outputMax: (bytes) => bytes,
    run: (input) => {
      parseFileStart(input);
      return (readIndex(input)?.records.length ?? 0) + readCatalog(input).size;
    },
  });
});
