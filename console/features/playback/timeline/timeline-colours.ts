// The colours of the timeline, read from the theme.
import type { ObjectClass } from '@vedette/contract/enumerations.ts';
import type { SpanKind } from './recorded-spans.ts';

export interface TimelineColours {
  readonly track: string;
  readonly spans: Readonly<Record<SpanKind, string>>;
  readonly objects: Readonly<Record<ObjectClass, string>>;
  readonly line: string;
  readonly lineStrong: string;
  readonly text: string;
  readonly textDim: string;
  readonly accent: string;
  readonly surface: string;
  /** What the timeline lies on. */
  readonly ground: string;
  readonly font: string;
}

export function readColours(element: Element): TimelineColours {
  const style = getComputedStyle(element);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  return {
    track: token('--surface-2'),
    spans: {
      device: token('--recorded-device'),
      unknown: token('--recorded-unknown'),
      normal: token('--recorded'),
      alarm: token('--recorded-alarm'),
    },
    objects: {
      person: token('--object-person'),
      vehicle: token('--object-vehicle'),
      bicycle: token('--object-bicycle'),
      animal: token('--object-animal'),
      bag: token('--object-bag'),
    },
    line: token('--line'),
    lineStrong: token('--line-strong'),
    text: token('--text'),
    textDim: token('--text-dim'),
    accent: token('--accent'),
    surface: token('--surface-3'),
    ground: token('--surface-1'),
    font: style.fontFamily,
  };
}
