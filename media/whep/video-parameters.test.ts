// Tests of what WebRTC is told of H.264 and H.265.
import { describe, expect, it } from 'vitest';
import { clip } from '../recorder/synthetic-stream.fixture.ts';
import { h264Parameters, offeredVideo } from './video-parameters.ts';

describe('offered video', () => {
  it('is what the stream is, and then what everyone takes', () => {
    const config = Buffer.from('0164002affe10000', 'hex');
    expect(offeredVideo({ codec: 'h264', config })).toEqual({
      codec: 'H264',
      parameters: [h264Parameters('64002a'), h264Parameters('42e01f')],
    });
    expect(offeredVideo({ codec: 'h264', config: Buffer.from('0142e01fff', 'hex') })?.parameters).toHaveLength(1);
    const { video } = clip.format;
    expect(video && offeredVideo(video)?.parameters[0]).toMatch(/profile-level-id=[0-9a-f]{6}$/u);
  });

  it('of H.265 has profile, tier and level of the stream', () => {
    // Main profile in the high tier, level 4.
    const config = Buffer.from('0121600000000000000000007800', 'hex');
    expect(offeredVideo({ codec: 'h265', config })).toEqual({
      codec: 'H265',
      parameters: ['level-id=120;profile-id=1;tier-flag=1;tx-mode=SRST'],
    });
  });

  it('is nothing of Motion JPEG, or where the configuration is cut', () => {
    expect(offeredVideo({ codec: 'mjpeg', config: Buffer.alloc(0) })).toBeNull();
    expect(offeredVideo({ codec: 'h265', config: Buffer.from('01', 'hex') })).toBeNull();
  });
});
