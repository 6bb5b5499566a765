// Reads the answer of a WHIP server to our offer: whether it takes the video and the audio, and to which addresses media may go.
import { isIP } from 'node:net';
import type { RtcAudioCodec, RtcPlan } from '../whep/rtc-messages.ts';
import { PushFault } from './push-fault.ts';

export interface ReadAnswer {
  /** The answer without candidates that the policy refuses. */
  readonly sdp: string;
  readonly hasAudio: boolean;
}

const CANDIDATE = /^(?:a=)?candidate:/iu;
const [ADDRESS_FIELD, PORT_FIELD] = [4, 5];
/** G.711 may come without a name (RFC 3551). */
const STATIC_AUDIO = { pcmu: '0', pcma: '8', opus: '' } as const;

/** Throws PushFault: `answer` for no description, `codec` without the video, `refused` where media is not taken, `address`. */
export function readAnswer(
  sdp: string,
  { video, audio }: RtcPlan,
  allows: (address: string, port: number) => boolean,
): ReadAnswer {
  const [head = '', ...media] = sdp.split(/^m=/mu);
  const pictures = media.find((part) => part.startsWith('video '));
  if (!head.startsWith('v=0') || pictures === undefined) throw new PushFault('answer', 'no description of video');
  if (!isTaken(pictures) || !names(pictures, video.codec)) throw new PushFault('codec', 'the server takes other video');
  // Without these nobody would know who answers, or whether it is whom we asked (RFC 8829, 5.3.1).
  const isSecured = ['a=ice-ufrag:', 'a=ice-pwd:', 'a=fingerprint:'].every((line) => sdp.includes(`\n${line}`));
  if (!isSecured) throw new PushFault('answer', 'the answer names no transport');
  if (/^a=(?:inactive|sendonly)\s*$/mu.test(pictures)) throw new PushFault('refused', 'the server receives nothing');
  const sounds = media.find((part) => part.startsWith('audio '));
  const hasAudio = audio !== null && sounds !== undefined && takesAudio(sounds, audio);
  return { sdp: allowedCandidates(sdp, allows), hasAudio };
}

function takesAudio(part: string, codec: RtcAudioCodec): boolean {
  return isTaken(part) && (names(part, codec) || formats(part).includes(STATIC_AUDIO[codec]));
}

/** Port 0 refuses (RFC 9429, 5.3.1). */
function isTaken(part: string): boolean {
  return !/^\w+ 0(?:\/\d+)? /u.test(part);
}

function names(part: string, codec: string): boolean {
  return part.split('\n').some((line) => {
    const [, name = ''] = /^a=rtpmap:\d{1,3} ([\w.-]+)\//u.exec(line) ?? [];
    return name.toLowerCase() === codec.toLowerCase();
  });
}

function formats(part: string): string[] {
  const [first = ''] = part.split('\n');
  return first.trim().split(' ').slice(3);
}

function allowedCandidates(sdp: string, allows: (address: string, port: number) => boolean): string {
  const lines = sdp.split('\n');
  const kept = lines.filter((line) => {
    const fields = CANDIDATE.test(line) ? line.split(' ') : [];
    const [address = '', port] = [fields[ADDRESS_FIELD], fields[PORT_FIELD]];
    return isIP(address) === 0 || allows(address, Number(port));
  });
  const hasCandidates = kept.some((line) => CANDIDATE.test(line));
  if (!hasCandidates && kept.length < lines.length)
    throw new PushFault('address', 'the network policy refuses all addresses for media');
  return kept.join('\n');
}
