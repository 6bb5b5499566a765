// What the site says of its own process.
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { ffmpegStarter } from '@vedette/media/codec/ffmpeg-process.ts';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ProcessFacts } from './process-facts.ts';

it('measures itself, and asks a program once for its version', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-test-facts-'));
  try {
    const program = join(folder, 'ffmpeg');
    const asked = join(folder, 'asked');
    await writeFile(program, `#!/bin/sh\necho x >> ${asked}\necho "ffmpeg version 5.1.8-test Copyright (c) people"\n`);
    await chmod(program, 0o755);
    const facts = new ProcessFacts({
      clock: systemClock,
      version: '1.2.3',
      ffmpeg: ffmpegStarter(program, process.env['PATH'] ?? ''),
    });
    await expect.poll(() => facts.read().ffmpeg, { timeout: 10_000 }).toBe('5.1.8-test');
    const read = facts.read();
    expect(read).toMatchObject({ version: '1.2.3', node: process.versions.node });
    expect(read.residentBytes).toBeGreaterThan(10_000_000);
    expect(read.cpuMs).toBeGreaterThan(0);
    expect(read.startedAt).toBeLessThan(read.wallMs);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('says that there is none', () => {
  expect(new ProcessFacts({ clock: systemClock, version: '1', ffmpeg: null }).read().ffmpeg).toBeNull();
});
