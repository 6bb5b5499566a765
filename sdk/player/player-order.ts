// What the attributes of a player ask for.
import type { LiveQuality } from './live-view.ts';
import type { CameraChannel } from './server-calls.ts';

export interface PlayerOrder {
  /** Origin of the server. */
  readonly server: string;
  readonly channel: CameraChannel;
  readonly quality: LiveQuality;
  /** Play recordings from then, ms since 1970 UTC; null: live. */
  readonly at: number | null;
}

interface Attributes {
  getAttribute(name: string): string | null;
}

/** Null while something is missing or wrong. */
export function readOrder(attributes: Attributes): PlayerOrder | null {
  const server = serverOf(attributes.getAttribute('server'));
  const deviceSerial = attributes.getAttribute('device') ?? '';
  const channelNo = Number(attributes.getAttribute('channel') ?? 1);
  const quality = qualityOf(attributes.getAttribute('quality'));
  const at = attributes.getAttribute('at');
  const time = at === null ? null : timeOf(at);
  const isWhole = server !== null && quality !== null && (time === null || Number.isFinite(time));
  if (!isWhole || deviceSerial === '' || !Number.isInteger(channelNo) || channelNo < 1) return null;
  return { server, channel: { deviceSerial, channelNo }, quality, at: time };
}

function serverOf(text: string | null): string | null {
  const url = URL.parse(text ?? '');
  return url !== null && /^https?:$/u.test(url.protocol) ? url.origin : null;
}

function qualityOf(text: string | null): LiveQuality | null {
  const quality = Number(text ?? 0);
  return quality === 0 || quality === 1 || quality === 2 ? quality : null;
}

/** Milliseconds, or a date as ISO 8601 writes it; NaN for neither. */
function timeOf(text: string): number {
  return /^\d+$/u.test(text) ? Number(text) : Date.parse(text);
}
