// Each file of protocols/ is tested by name: by a test beside it or by a fuzz target. What is only reached through others is listed, and the list only shrinks.
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow, type SourceFile } from './source-files.ts';

const forTests = /\.(test|fake|fixture)\./;

/** Known and wanted to become empty: reached only by tests of their users, here and in `drivers/`. */
const throughUsers: readonly string[] = [
  'aac/stream-mux-config',
  'http-digest/server-authentication',
  'jpeg/headers',
  'jpeg/tables',
  'mp4/movie',
  'onvif/analytics-operations',
  'onvif/audio-operations',
  'onvif/encoder-operations',
  'onvif/event-operations',
  'onvif/imaging-settings-operations',
  'onvif/io-operations',
  'onvif/lens-operations',
  'onvif/maintenance-operations',
  'onvif/mask-operations',
  'onvif/media-types',
  'onvif/notification',
  'onvif/osd-operations',
  'onvif/ptz-operations',
  'onvif/time-operations',
  'rtp/reception',
  'rtsp/back-channel',
  'rtsp/connection',
  'rtsp/datagram-pacer',
  'rtsp/describe',
  'rtsp/follow-redirects',
  'rtsp/http-tunnel',
  'rtsp/keep-alive',
  'rtsp/server/rtp-info',
  'rtsp/server/server-connection',
  'rtsp/server/server-datagrams',
  'rtsp/server/server-session',
  'rtsp/server/server-socket',
  'rtsp/server/server-transport',
  'rtsp/server/status-reasons',
  'rtsp/track-set',
  'rtsp/track-transport',
  'rtsp/track-writer',
  'ws-discovery/client',
];

/** Names without `.ts` below protocols/, of those that no test beside them and no fuzz target imports. */
function untestedFiles(files: readonly SourceFile[]): string[] {
  const imported = new Set<string>();
  for (const { name, text } of files) {
    const isFuzz = name.startsWith('tests/fuzz/');
    if (!isFuzz && !name.includes('.test.')) continue;
    for (const [, specifier = ''] of text.matchAll(/from '([^']+)'/g)) {
      const target = specifier.startsWith('@vedette/')
        ? specifier.slice('@vedette/'.length)
        : path.join(path.dirname(name), specifier);
      if (isFuzz || path.dirname(target) === path.dirname(name)) imported.add(target);
    }
  }
  return files
    .map(({ name }) => name)
    .filter((name) => name.startsWith('protocols/') && !forTests.test(name) && !imported.has(name))
    .map((name) => name.slice('protocols/'.length, -'.ts'.length))
    .toSorted();
}

describe('protocols', () => {
  const files = [...filesBelow('protocols', /\.ts$/), ...filesBelow('tests/fuzz', /\.ts$/)];

  it('each file has a test beside it or a fuzz target that names it', () => {
    expect(files.length).toBeGreaterThan(150);
    expect(untestedFiles(files), 'write a test beside it; take it from the list where it has one now').toEqual(
      throughUsers,
    );
  });

  it('finds a planted file without a test', () => {
    const planted = [
      { name: 'protocols/a/one.ts', text: '' },
      { name: 'protocols/a/two.ts', text: '' },
      { name: 'protocols/a/three.ts', text: '' },
      { name: 'protocols/a/one.test.ts', text: "import { one } from './one.ts';" },
      { name: 'protocols/b/other.test.ts', text: "import { three } from '../a/three.ts';" },
      { name: 'tests/fuzz/a.test.ts', text: "import { two } from '@vedette/protocols/a/two.ts';" },
    ];
    expect(untestedFiles(planted)).toEqual(['a/three']);
  });
});
