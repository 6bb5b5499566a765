// The one talk of this page: which channel, where it stands, and the session behind it.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { openBrowserMicrophone } from '@vedette/player/talk/talk-microphone.ts';
import { canTalkByWebRtc, openBrowserTalkPeer } from '@vedette/player/talk/talk-peer.ts';
import { type TalkEnd, TalkSession, type TalkState } from '@vedette/player/talk/talk-session.ts';
import { create } from 'zustand';
import { CallFailure } from '../../calls/call-failure.ts';
import type { Caller } from '../../calls/caller.ts';

export interface TalkChannel {
  readonly deviceSerial: string;
  readonly channelNo: number;
}

export interface PresentTalk {
  readonly channel: TalkChannel;
  readonly state: TalkState;
  /** Goes on without anything being held. */
  readonly isLatched: boolean;
}

interface TalkStoreState {
  readonly present: PresentTalk | null;
  /** Serials of devices that turned out to have none. */
  readonly withoutLoudspeaker: ReadonlySet<string>;
}

export const useTalk = create<TalkStoreState>(() => ({ present: null, withoutLoudspeaker: new Set() }));

let session: TalkSession | null = null;

export function isTalkingTo(present: PresentTalk | null, channel: TalkChannel): present is PresentTalk {
  return present?.channel.deviceSerial === channel.deviceSerial && present.channel.channelNo === channel.channelNo;
}

export function isOpen(present: PresentTalk | null): boolean {
  return present !== null && present.state.kind !== 'ended';
}

export function startTalk(caller: Caller, { deviceSerial, channelNo }: TalkChannel): void {
  const channel = { deviceSerial, channelNo };
  session?.close();
  const method = canTalkByWebRtc() ? 'webrtc' : 'ws';
  session = new TalkSession({
    openMicrophone: openBrowserMicrophone,
    askAddress: (signal) => caller.ask('talk/url', { ...channel, method }, { signal, showError: false }),
    openSocket: (url) => new WebSocket(url),
    openPeer: openBrowserTalkPeer,
    onState: (state) => told(channel, state),
  });
}

export function latchTalk(): void {
  useTalk.setState(({ present }) => ({ present: present && { ...present, isLatched: true } }));
}

export function stopTalk(): void {
  session?.close();
  session = null;
}

/** Takes the reason of the last end off the tile. */
export function dismissTalk(): void {
  useTalk.setState(({ present }) => ({ present: isOpen(present) ? present : null }));
}

function told(channel: TalkChannel, state: TalkState): void {
  if (state.kind === 'ended' && state.because.kind === 'done') {
    useTalk.setState({ present: null });
    return;
  }
  useTalk.setState(({ present, withoutLoudspeaker }) => ({
    present: { channel, state, isLatched: state.kind !== 'microphone' && (present?.isLatched ?? false) },
    withoutLoudspeaker:
      state.kind === 'ended' && isWithoutLoudspeaker(state.because)
        ? new Set([...withoutLoudspeaker, channel.deviceSerial])
        : withoutLoudspeaker,
  }));
}

export function isWithoutLoudspeaker(because: TalkEnd): boolean {
  const code =
    because.kind === 'code'
      ? because.code
      : because.kind === 'refused' && because.failure instanceof CallFailure
        ? because.failure.code
        : null;
  return code === ERROR_CODES.functionNotSupported;
}
