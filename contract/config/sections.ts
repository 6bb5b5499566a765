// Configuration sections of devices, one row each: values, limits, checks (section-schemas.ts), form and driver derive from these rows.
import {
  bytes,
  choice,
  type Fields,
  flag,
  grid,
  instant,
  type LimitsOfFields,
  list,
  point,
  polygon,
  range,
  rule,
  several,
  text,
  type ValueOfFields,
  week,
} from './fields.ts';
import type { SectionName } from './section-names.ts';

export interface Section<F extends Fields = Fields> {
  /** A section of the device is shared by all its channels. */
  readonly scope: 'channel' | 'device';
  readonly fields: F;
}

function section<const F extends Fields>(scope: Section['scope'], fields: F): Section<F> {
  return { scope, fields };
}

export const configSections = {
  image: section('channel', {
    brightness: range(),
    contrast: range(),
    saturation: range(),
    sharpness: range(),
    /** `auto`, `day`, `night`. */
    dayNight: choice(),
    wdr: flag(),
    wdrLevel: range(),
    /** `auto`, `manual`. */
    exposure: choice(),
    exposureTime: range({ unit: 'microseconds' }),
    gain: range({ unit: 'decibels' }),
    mirror: flag(),
    /** Degrees clockwise. */
    rotation: choice(),
  }),
  osd: section('channel', {
    texts: list({
      /** `plain`, `date`, `time`, `dateAndTime`. */
      type: choice(),
      text: text(),
      /** Top left corner of the text. */
      position: point(),
      size: range(),
    }),
  }),
  time: section('device', {
    /** `ntp`, `manual`. */
    source: choice(),
    /** When present, the device's clock is set to it. */
    now: instant(),
    ntpFromDhcp: flag(),
    ntpServer: text(),
    /** Minutes east of UTC, without daylight saving. */
    offset: range({ unit: 'utcMinutes' }),
    dst: flag(),
    dstStart: rule(),
    dstEnd: rule(),
    dstShift: range({ unit: 'minutes' }),
  }),
  video: section('channel', {
    streams: list(
      {
        name: text({ readOnly: true }),
        codec: choice(),
        /** `1920x1080`. */
        resolution: choice(),
        fps: range({ unit: 'fps' }),
        bitrate: range({ unit: 'kbps' }),
        /** Frames from one keyframe to the next. */
        gop: range({ unit: 'frames' }),
        quality: range(),
      },
      'codec',
    ),
  }),
  motion: section('channel', {
    on: flag(),
    sensitivity: range({ unit: 'percent' }),
    cells: grid(),
    /** Schedule of the detection. */
    plan: week(),
    /** Actions: `alarm`, `record`, `snapshot`, `email`, `upload`, `output`, `beep`. */
    linkage: several(),
  }),
  audio: section('channel', {
    codec: choice(),
    bitrate: choice({ unit: 'kbps' }),
    sampleRate: choice({ unit: 'kHz' }),
    inputVolume: range({ unit: 'percent' }),
    outputVolume: range({ unit: 'percent' }),
    noiseReduction: flag(),
  }),
  mask: section('channel', {
    masks: list({ on: flag(), area: polygon(), /** `color`, `pixelated`, `blurred`. */ look: choice() }),
  }),
  humanShape: section('channel', {
    on: flag(),
    sensitivity: range({ unit: 'percent' }),
    /** Regions in which people are detected. */
    rules: list({ name: text(), confidence: range({ unit: 'percent' }), region: polygon() }),
    plan: week(),
    linkage: several(),
  }),
  tracking: section('channel', {
    on: flag(),
    /** `human`, `vehicle`, `any`. */
    target: choice(),
    hold: range({ unit: 'seconds' }),
    /** Preset to which the camera returns. */
    home: choice(),
  }),
  storage: section('device', {
    /** EN-21: 0 normal, 1 no card, 2 unformatted, 3 abnormal, -1 unknown. */
    recordStatus: range({ readOnly: true }),
    disks: list({
      name: text({ readOnly: true }),
      kind: choice({ readOnly: true }),
      totalBytes: bytes(),
      usedBytes: bytes(),
      recordStatus: range({ readOnly: true }),
      /** Can be formatted (`config/storage/format`). */
      canFormat: flag({ readOnly: true }),
    }),
    overwrite: flag(),
  }),
  io: section('device', {
    inputs: list({ name: text({ readOnly: true }), /** `open`, `closed`. */ idle: choice() }),
    outputs: list({
      name: text({ readOnly: true }),
      /** `bistable`, `monostable`. */
      mode: choice(),
      delay: range({ unit: 'seconds' }),
      /** `open`, `closed`. */
      idle: choice(),
    }),
  }),
} as const satisfies Record<SectionName, Section>;

type FieldsOf<S extends SectionName> = (typeof configSections)[S]['fields'];
export type SectionValue<S extends SectionName> = ValueOfFields<FieldsOf<S>>;
export type SectionLimits<S extends SectionName> = LimitsOfFields<FieldsOf<S>>;

/** What a section holds and what its device allows. */
export interface SectionReading<S extends SectionName> {
  readonly value: SectionValue<S>;
  readonly capabilities: SectionLimits<S>;
}
