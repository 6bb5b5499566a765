// Tests of answers of WHIP servers: what they take, and where media may go.
import { describe, expect, it } from 'vitest';
import type { RtcPlan } from '../whep/rtc-messages.ts';
import { readAnswer } from './whip-answer.ts';

const plan: RtcPlan = { video: { codec: 'H264', parameters: [] }, audio: 'pcma' };
const HEAD = ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 'a=ice-ufrag:a', 'a=ice-pwd:b', 'a=fingerprint:sha-256 c'];
const VIDEO = ['m=video 9 UDP/TLS/RTP/SAVPF 96', 'a=recvonly', 'a=rtpmap:96 H264/90000'];
const AUDIO = ['m=audio 9 UDP/TLS/RTP/SAVPF 8', 'a=recvonly'];
const sdp = (...lines: readonly (readonly string[])[]): string => `${lines.flat().join('\r\n')}\r\n`;
const everywhere = () => true;
const candidate = (address: string, port = 5000): string => `a=candidate:1 1 udp 1 ${address} ${port} typ host`;

describe('an answer of WHIP', () => {
  it('takes audio where its line says so, by name or by number', () => {
    expect(readAnswer(sdp(HEAD, VIDEO, AUDIO), plan, everywhere).hasAudio).toBe(true);
    const named = ['m=audio 9 UDP/TLS/RTP/SAVPF 111', 'a=rtpmap:111 opus/48000/2'];
    expect(readAnswer(sdp(HEAD, VIDEO, named), { ...plan, audio: 'opus' }, everywhere).hasAudio).toBe(true);
    for (const audio of [[], ['m=audio 0 UDP/TLS/RTP/SAVPF 8'], named])
      expect(readAnswer(sdp(HEAD, VIDEO, audio), plan, everywhere).hasAudio).toBe(false);
    expect(readAnswer(sdp(HEAD, VIDEO, AUDIO), { ...plan, audio: null }, everywhere).hasAudio).toBe(false);
  });

  it('takes H.265 where it says so', () => {
    const h265: RtcPlan = { ...plan, video: { codec: 'H265', parameters: [] } };
    const taken = ['m=video 9 UDP/TLS/RTP/SAVPF 97', 'a=rtpmap:97 H265/90000'];
    expect(readAnswer(sdp(HEAD, taken), h265, everywhere).hasAudio).toBe(false);
    expect(() => readAnswer(sdp(HEAD, VIDEO), h265, everywhere)).toThrow(expect.objectContaining({ reason: 'codec' }));
  });

  it.each([
    ['answer', ''],
    ['answer', 'hello'],
    ['answer', sdp(HEAD)],
    ['answer', sdp(HEAD, AUDIO)],
    ['answer', sdp(HEAD.slice(0, 3), VIDEO)],
    ['answer', sdp(HEAD.slice(0, 5), VIDEO)],
    ['codec', sdp(HEAD, ['m=video 0 UDP/TLS/RTP/SAVPF 96', 'a=rtpmap:96 H264/90000'])],
    ['codec', sdp(HEAD, ['m=video 9 UDP/TLS/RTP/SAVPF 96', 'a=rtpmap:96 VP8/90000'])],
    ['refused', sdp(HEAD, [...VIDEO, 'a=inactive'])],
    ['refused', sdp(HEAD, [...VIDEO, 'a=sendonly'])],
  ])('says %s of %j', (reason, text) => {
    expect(() => readAnswer(text, plan, everywhere)).toThrow(expect.objectContaining({ reason }));
  });

  it('keeps the addresses that the policy allows, and names, which nobody looks up', () => {
    const asked: string[] = [];
    const allows = (address: string, port: number): boolean => {
      asked.push(`${address} ${port}`);
      return !address.startsWith('169.');
    };
    const mixed = [candidate('169.254.1.1'), candidate('10.0.0.1', 6000), candidate('abc.local')];
    const read = readAnswer(sdp(HEAD, VIDEO, mixed), plan, allows);
    expect(asked).toEqual(['169.254.1.1 5000', '10.0.0.1 6000']);
    expect(read.sdp).toBe(sdp(HEAD, VIDEO, mixed.slice(1)));
    expect(() => readAnswer(sdp(HEAD, VIDEO, mixed.slice(0, 1)), plan, allows)).toThrow(
      expect.objectContaining({ reason: 'address' }),
    );
  });
});
