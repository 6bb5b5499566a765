// The configuration of a virtual device: names, credentials, channels and the scene of each.

import type { G711Law } from '@vedette/protocols/g711/g711.ts';
import type { VideoShape } from '../scene/codec/h264-headers.ts';
import type { SceneName } from '../scene/scene-catalogue.ts';

export interface ChannelPlan {
  /** The name a console shows; any script. */
  readonly name: string;
  /** The name burned into the picture; the bitmap font has Latin letters. */
  readonly label: string;
  readonly scene: SceneName;
  readonly variant: number;
  readonly hasAudio?: boolean;
  /** What its loudspeaker takes; absent: it has none. */
  readonly talk?: G711Law;
  /** It can be turned and zoomed. */
  readonly hasPtz?: boolean;
  /** What its analytics watch for until somebody sets it otherwise; absent: everything. */
  readonly watches?: readonly ('motion' | 'line' | 'field')[];
}

export interface DevicePlan {
  readonly name: string;
  readonly kind: 'camera' | 'recorder';
  /** What it says it is, where that is neither. */
  readonly special?: 'radar' | 'access' | 'aiBox';
  /** 1 to 20 letters or digits. */
  readonly serial: string;
  readonly model: string;
  readonly user: string;
  readonly password: string;
  /** Folders of the organisation tree, from the top. */
  readonly organization: readonly string[];
  readonly channels: readonly ChannelPlan[];
  /** Whether the device offers recordings of the past (Profile G). */
  readonly hasHistory: boolean;
  /** It asks nobody for a password. */
  readonly isOpen?: boolean;
  /** The maker's own interface that it speaks beside ONVIF. */
  readonly vendor?: 'isapi' | 'cgi';
}

export const qualities = ['main', 'second', 'third'] as const;
export type Quality = (typeof qualities)[number];

export const liveShapes: Readonly<Record<Quality, VideoShape>> = {
  main: { width: 1280, height: 720, rate: 20, qp: 32 },
  second: { width: 640, height: 360, rate: 15, qp: 30 },
  third: { width: 320, height: 180, rate: 10, qp: 27 },
};

export const GOP_SECONDS = 2;

/** Numbers a console shows beside a stream, in kbit/s; the pictures need far less. */
export const nominalKbps: Readonly<Record<Quality, number>> = { main: 1024, second: 384, third: 128 };

export const MANUFACTURER = 'Vedette';

export function livePath(channelNo: number, quality: Quality): string {
  return `/live/${channelNo}/${quality}`;
}
