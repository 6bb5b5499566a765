// ffprobe and ffmpeg as independent verifiers of recordings and streams.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface MediaReport {
  readonly codecs: readonly string[];
  readonly frames: number;
  readonly durationS: number;
  /** What the decoder complained about; empty for a clean file. */
  readonly errors: string;
}

/** Decodes all of `source` (a path or an address); `input` is fed to standard input where the source is `-`. */
export async function verifyMedia(source: string, input?: Buffer): Promise<MediaReport> {
  const probe = await run(
    'ffprobe',
    [
      '-v',
      'error',
      '-count_frames',
      '-show_entries',
      'stream=codec_type,codec_name,nb_read_frames:format=duration',
      '-of',
      'json',
      source,
    ],
    input,
  );
  const answer = JSON.parse(probe.stdout || '{}') as {
    streams?: { codec_type: string; codec_name: string; nb_read_frames?: string }[];
    format?: { duration?: string };
  };
  const video = answer.streams?.find((stream) => stream.codec_type === 'video');
  return {
    codecs: (answer.streams ?? []).map((stream) => stream.codec_name),
    frames: Number(video?.nb_read_frames ?? 0),
    durationS: Number(answer.format?.duration ?? 0),
    errors: probe.stderr.trim(),
  };
}

export async function run(
  command: string,
  args: readonly string[],
  input?: Buffer,
): Promise<{ stdout: string; stderr: string; bytes: Buffer; code: number }> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  // The judge may stop reading early; that is its right.
  child.stdin.on('error', () => child.stdin.destroy());
  child.stdin.end(input ?? Buffer.alloc(0));
  const [code] = (await once(child, 'close')) as [number];
  const bytes = Buffer.concat(stdout);
  return { stdout: bytes.toString(), stderr: Buffer.concat(stderr).toString(), bytes, code };
}
