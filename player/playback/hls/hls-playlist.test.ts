// Media playlists of windows are read, joined without repeats, and written as one.
import { describe, expect, test } from 'vitest';
import { joinWindows, PlaylistError, readPlaylist, writePlaylist } from './hls-playlist.ts';

const start = Date.parse('2026-11-20T10:00:00.000Z');

function playlist(ticket: string, from: number, count: number): string {
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-TARGETDURATION:2',
    '#EXT-X-MAP:URI="init.mp4",BYTERANGE="700@0"',
  ];
  for (let index = 0; index < count; index++) {
    lines.push(`#EXT-X-PROGRAM-DATE-TIME:${new Date(start + (from + index) * 2000).toISOString()}`);
    lines.push('#EXTINF:2.000,', `#EXT-X-BYTERANGE:1000@${700 + index * 1000}`, `../${ticket}/a.mp4`);
  }
  return `${lines.join('\n')}\n#EXT-X-ENDLIST\n`;
}

const read = (ticket: string, from: number, count: number) =>
  readPlaylist(playlist(ticket, from, count), `http://host/media/hls/${ticket}/index.m3u8`);

describe('HLS playlists', () => {
  test('segments get absolute addresses, ranges and wall clocks', () => {
    const [first, second] = read('t1', 0, 3);
    expect(first).toEqual({
      uri: 'http://host/media/hls/t1/a.mp4',
      durationS: 2,
      wallMs: start,
      byteRange: '1000@700',
      map: 'URI="http://host/media/hls/t1/init.mp4",BYTERANGE="700@0"',
      isDiscontinuity: false,
    });
    expect(second?.wallMs).toBe(start + 2000);
  });

  test('a missing wall clock follows from the segment before, a missing offset from the range before', () => {
    const text = `#EXTM3U\n#EXT-X-PROGRAM-DATE-TIME:${new Date(start).toISOString()}\n#EXTINF:1.5,\n#EXT-X-BYTERANGE:10@5\na\n#EXTINF:1,\n#EXT-X-BYTERANGE:7\na\n`;
    const segments = readPlaylist(text, 'http://host/');
    expect(segments[1]).toMatchObject({ wallMs: start + 1500, byteRange: '7@15' });
  });

  test.each(['', 'no playlist', '#EXTM3U\n#EXTINF:1,\nsegment-without-clock\n'])('%j is refused', (text) => {
    expect(() => readPlaylist(text, 'http://host/')).toThrow(PlaylistError);
  });

  test('[ST-07] the next window begins where the last one ended; a shared group of pictures stands once', () => {
    const joined = joinWindows(read('t1', 0, 3), read('t2', 2, 3));
    expect(joined.map(({ wallMs }) => (wallMs - start) / 2000)).toEqual([0, 1, 2, 3, 4]);
    expect(joined.map(({ isDiscontinuity }) => isDiscontinuity)).toEqual([false, false, false, true, false]);
    expect(joined[3]?.uri).toContain('/t2/');
  });

  test('what is written reads back the same, and stays open at its end', () => {
    const joined = joinWindows(read('t1', 0, 2), read('t2', 7, 2));
    const text = writePlaylist(joined);
    expect(readPlaylist(text, 'http://other/')).toEqual(joined);
    expect(text).not.toContain('ENDLIST');
    expect(text).toContain('#EXT-X-PLAYLIST-TYPE:EVENT');
  });
});
