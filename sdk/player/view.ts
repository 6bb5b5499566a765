// What live view and playback have in common for the element.
import type { PlayerState } from './element-types.ts';
import type { CameraChannel, ServerCalls } from './server-calls.ts';

export interface ViewOptions {
  /** Address of the server, without a path. */
  readonly server: string;
  readonly calls: ServerCalls;
  readonly channel: CameraChannel;
  readonly video: HTMLVideoElement;
  /** Shows the last picture of a live stream. */
  readonly canvas: HTMLCanvasElement;
  /** Playback adds its own elements here. */
  readonly recording: HTMLElement;
  readonly onState: (state: PlayerState) => void;
  /** Wall clock of the picture on screen, ms since 1970 UTC. */
  readonly onTime: (time: number) => void;
}

export interface View {
  setSound(isOn: boolean): void;
  /** The picture on screen in its own size; null where there is none. */
  snapshot(): Promise<Blob | null>;
  retry(): void;
  close(): void;
}
