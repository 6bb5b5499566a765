// Tests of FLV bodies and files against the layouts of FLV 10.1 and Enhanced RTMP.
import { describe, expect, it } from 'vitest';
import { audioConfigBody, audioFrameBody } from './audio-body.ts';
import { flvHeader, flvMetadataTag, flvTag } from './file.ts';
import { flvMetadata } from './metadata.ts';
import { videoConfigBody, videoFrameBody } from './video-body.ts';

const hex = (body: readonly Uint8Array[]): string => Buffer.concat(body).toString('hex');
const data = Uint8Array.of(0xde, 0xad);

describe('FLV bodies', () => {
  it('carry H.264 with its composition time', () => {
    expect(hex(videoConfigBody('h264', Uint8Array.of(1, 100)))).toBe('17000000000164');
    expect(hex(videoFrameBody('h264', { isKey: true, compositionMs: 0, data }))).toBe('1701000000dead');
    expect(hex(videoFrameBody('h264', { isKey: false, compositionMs: 80, data }))).toBe('2701000050dead');
    expect(hex(videoFrameBody('h264', { isKey: false, compositionMs: -40, data }))).toBe('2701ffffd8dead');
  });

  it('carry H.265 as Enhanced RTMP does, without a composition time where it is 0', () => {
    expect(hex(videoConfigBody('h265', Uint8Array.of(1)))).toBe('906876633101');
    expect(hex(videoFrameBody('h265', { isKey: true, compositionMs: 0, data }))).toBe('9368766331dead');
    expect(hex(videoFrameBody('h265', { isKey: false, compositionMs: 40, data }))).toBe('a168766331000028dead');
  });

  it('carry AAC, and Opus with its identification header', () => {
    expect(hex(audioConfigBody({ codec: 'aac', config: Uint8Array.of(0x14, 0x08) }))).toBe('af001408');
    expect(hex(audioFrameBody({ codec: 'aac' }, data))).toBe('af01dead');
    const head = Buffer.from('OpusHead').toString('hex');
    expect(hex(audioConfigBody({ codec: 'opus', channels: 2, sampleRate: 48_000 }))).toBe(
      `904f707573${head}01023801${'80bb0000'}000000`,
    );
    expect(hex(audioFrameBody({ codec: 'opus' }, data))).toBe('914f707573dead');
  });

  it('name their codecs in the metadata, and leave out a track that is not there', () => {
    const video = { codec: 'h265', width: 640, height: 360 } as const;
    expect(flvMetadata(video, { codec: 'aac', config: data })).toEqual({
      width: 640,
      height: 360,
      videocodecid: 1752589105,
      audiocodecid: 10,
    });
    expect(flvMetadata(null, { codec: 'opus', channels: 1, sampleRate: 48_000 })).toEqual({ audiocodecid: 1332770163 });
  });
});

describe('an FLV file', () => {
  it('begins with a header that names its tracks, and the size of no tag', () => {
    expect(hex([flvHeader({ hasAudio: true })])).toBe('464c5601050000000900000000');
    expect(hex([flvHeader({ hasAudio: false })])).toBe('464c5601010000000900000000');
  });

  it('holds tags with size, time and the size again', () => {
    expect(hex(flvTag('video', 0x12345678, [data]))).toBe('090000023456781200' + '0000' + 'dead' + '0000000d');
    expect(hex(flvTag('audio', 40, [data, data]))).toBe('080000040000280000' + '0000' + 'deaddead' + '0000000f');
    const tag = hex(flvMetadataTag({ width: 2 }));
    expect(tag).toMatch(/^12/u);
    expect(tag).toContain(Buffer.from('onMetaData').toString('hex'));
  });
});
