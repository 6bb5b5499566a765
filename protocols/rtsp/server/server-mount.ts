// What an RTSP server serves under one path, and how the server and its media meet (RFC 2326 10, 12.29).

/** Bytes handed to a client: whole `$` frames. Track n uses channel 2n for media and 2n + 1 for reports. */
export interface RtspSender {
  /** The buffer may be shared between clients and is never changed. */
  send(frames: Buffer): void;
  /** Bytes that the client has not taken yet. */
  readonly queuedBytes: number;
  /** Resolves when the client has taken what was queued, or is gone. */
  drained(): Promise<void>;
  readonly isClosed: boolean;
  /** Ends the connection, as a device does that has nothing more to send. */
  end(): void;
}

export interface RtspPlayRequest {
  /** Value of the Range header, for example `clock=20260101T000000Z-`. */
  readonly range: string | undefined;
  readonly scale: string | undefined;
  /** False for `Rate-Control: no` (ONVIF Streaming 6.4): as fast as the client takes it. */
  readonly isPaced: boolean;
  readonly wantsReplay: boolean;
  /** Indices of the tracks that were set up. */
  readonly tracks: ReadonlySet<number>;
}

export interface RtspTrackStart {
  readonly sequence: number;
  readonly rtpTime: number;
}

/** Media that flows to one client until `stop`. */
export interface RtspPlayback {
  readonly range: string | undefined;
  /** For RTP-Info, by track; undefined where it is not known yet. */
  readonly starts: readonly (RtspTrackStart | undefined)[];
  stop(): void;
}

/** Who asks for a mount; the same object for all requests of one connection. */
export interface RtspVisitor {
  readonly remoteAddress: string;
  /** Aborted when the connection is over. */
  readonly closed: AbortSignal;
  /** Ends the connection once what was written has left. */
  end(): void;
}

/** Thrown instead of answering a mount: the request is refused with this status. */
export class RtspRefusal extends Error {
  override readonly name = 'RtspRefusal';
  readonly status: number;

  constructor(status: number) {
    super(`refused with ${status}`);
    this.status = status;
  }
}

/** The track on which a mount listens to its clients (ONVIF Streaming 5.3). */
export interface RtspBackChannel {
  /** Its `a=control` word; its track number follows those of `controls`. */
  readonly control: string;
  /** The whole description with the back channel, for clients that require it. */
  sdp(): string;
  /** One RTP packet, valid only during the call. */
  hear(packet: Buffer, sender: RtspSender): void;
}

export interface RtspMount {
  sdp(): string;
  /** The `a=control` words of the SDP in order. */
  readonly controls: readonly string[];
  /** Absent: DESCRIBE that requires one is answered with 551. */
  readonly backChannel?: RtspBackChannel | null;
  /** A client asks for a keyframe (RFC 4585 6.3.1, RFC 5104 4.3.1). */
  requestKeyframe?(): void;
  /** Null refuses the range (457). Sending starts after the answer to PLAY has been written. */
  play(sender: RtspSender, request: RtspPlayRequest): RtspPlayback | null;
}

/** What becomes of a datagram on a bad line: one delay in milliseconds for each copy that arrives, none where it is lost. */
export type DatagramFault = () => readonly number[];

/** Makes the server misbehave; used to prove clients. */
export type RtspFault =
  | { readonly kind: 'status'; readonly status: number; readonly reason: string }
  | { readonly kind: 'silence' }
  | { readonly kind: 'reset' };

/** All tracks that a client may set up, the one towards the device last. */
export function controlsOf({ controls, backChannel }: RtspMount): readonly string[] {
  return backChannel ? [...controls, backChannel.control] : controls;
}
