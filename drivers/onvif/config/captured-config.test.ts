// Configuration as captured devices tell it, and that what is written to a device is read back from the same words.
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getSystemDateAndTime } from '@vedette/protocols/onvif/device-operations.ts';
import { getVideoEncoderOptions } from '@vedette/protocols/onvif/encoder-operations.ts';
import { getImagingOptions, getImagingSettings } from '@vedette/protocols/onvif/imaging-settings-operations.ts';
import { decodeResponse, type Operation } from '@vedette/protocols/onvif/operation.ts';
import { osdOperations } from '@vedette/protocols/onvif/osd-operations.ts';
import { getNtp } from '@vedette/protocols/onvif/time-operations.ts';
import { readEnvelope } from '@vedette/protocols/soap/envelope.ts';
import { fromShares, toShares } from './geometry.ts';
import { readingOf as imageOf, settingsOf } from './image.ts';
import { maskOf, onvifMaskOf } from './mask.ts';
import { osdOf, textOf } from './osd.ts';
import { clockOf, readingOf as timeOf } from './time.ts';
import { encoderOf2, limitsOf1, streamOf2 } from './video.ts';

const folder = new URL('../../../../shared/fixtures/onvif-soap/agsh-serverMockup/', import.meta.url);

function captured<Q, S>(operation: Operation<Q, S>, file: string): S {
  const { body } = readEnvelope(readFileSync(new URL(file, folder)));
  if (body === null) throw new Error(`${file} has no body`);
  return decodeResponse(operation, body);
}

describe.skipIf(!existsSync(folder))('captured answers', () => {
  test('of the imaging service', () => {
    const { ImagingSettings } = captured(getImagingSettings, 'imaging.GetImagingSettings.xml');
    const { ImagingOptions } = captured(getImagingOptions, 'imaging.GetOptions.xml');
    const { value, capabilities } = imageOf(ImagingSettings, ImagingOptions);
    expect(Object.keys(value).length).toBeGreaterThan(2);
    for (const [name, limits] of Object.entries(capabilities)) {
      const held = (value as Record<string, unknown>)[name];
      if (typeof held !== 'number' || limits === undefined || !('min' in limits)) continue;
      expect(held, name).toBeGreaterThanOrEqual(limits.min);
      expect(held, name).toBeLessThanOrEqual(limits.max);
    }
  });

  test('[DC-05] of the texts that a device offers', () => {
    const { OSDOptions } = captured(osdOperations.media.options, 'media.GetOSDOptions');
    expect(OSDOptions.MaximumNumberOfOSDs?.Total).toBe(14);
    expect(OSDOptions.PositionOption).toContain('Custom');
    expect(OSDOptions.TextOption?.FontSizeRange).toEqual({ Min: 16, Max: 64 });
  });

  test('[DC-04] of clock and NTP', () => {
    const { SystemDateAndTime } = captured(getSystemDateAndTime, 'GetSystemDateAndTime.xml');
    const { NTPInformation } = captured(getNtp, 'device.GetNTP.xml');
    expect(timeOf(SystemDateAndTime, NTPInformation).value).toMatchObject({
      source: 'manual',
      offset: 0,
      dst: false,
      ntpServer: '192.168.1.168',
    });
  });

  test('of the video encoders', () => {
    const { Options } = captured(getVideoEncoderOptions, 'media.GetVideoEncoderConfigurationOptions.xml');
    expect(limitsOf1(Options)['h264']).toMatchObject({
      resolution: { options: ['1920x1080', '1280x720', '720x576'] },
      fps: { min: 5, max: 25 },
      gop: { min: 1, max: 25 },
    });
  });
});

const share = fc.integer({ min: 0, max: 10_000 }).map((value) => value / 10_000);
const point = fc.record({ x: share, y: share });

describe('reading undoes writing', () => {
  test('places', () => {
    fc.assert(
      fc.property(point, (one) => {
        expect(toShares(fromShares(one))).toEqual(one);
      }),
    );
  });

  test('[DC-08] image', () => {
    const level = fc.integer({ min: 0, max: 100 });
    const range = { Min: 0, Max: 100 };
    const modes = { Mode: ['ON', 'OFF'], Level: range };
    const options = {
      Brightness: range,
      ColorSaturation: range,
      Contrast: range,
      Sharpness: range,
      IrCutFilterModes: ['ON', 'OFF', 'AUTO'],
      WideDynamicRange: modes,
      Exposure: { Mode: ['AUTO', 'MANUAL'], ExposureTime: range, Gain: range },
    };
    const value = fc.record({
      brightness: level,
      contrast: level,
      saturation: level,
      sharpness: level,
      dayNight: fc.constantFrom('auto', 'day', 'night'),
      wdr: fc.boolean(),
      wdrLevel: level,
      exposure: fc.constant('manual'),
      exposureTime: level,
      gain: level,
    });
    fc.assert(
      fc.property(value, (one) => {
        expect(imageOf(settingsOf(one, one), options).value).toEqual(one);
      }),
    );
  });

  test('[DC-05] texts, dates and times', () => {
    const text = fc.record({
      id: fc.constant('osd_1'),
      type: fc.constant('plain'),
      text: fc.string({ maxLength: 20 }),
      position: point,
      size: fc.integer({ min: 16, max: 64 }),
    });
    const before = {
      token: 'osd_1',
      VideoSourceConfigurationToken: 'v',
      Type: 'Text',
      Position: { Type: 'UpperLeft' },
      TextString: { Type: 'Plain' },
    };
    const options = { Type: ['Text'], PositionOption: ['Custom'] };
    const kinds = fc.constantFrom('date', 'time', 'dateAndTime');
    const either = fc.oneof(
      text,
      fc.tuple(text, kinds).map(([one, type]) => ({ ...one, type, text: '' })),
    );
    fc.assert(
      fc.property(either, (one) => {
        expect(textOf(osdOf(one, before, options))).toEqual(one);
      }),
    );
  });

  test('masks', () => {
    const mask = fc.record({
      id: fc.constant('mask_1'),
      on: fc.boolean(),
      area: fc.array(point, { minLength: 3, maxLength: 8 }),
      look: fc.constantFrom('color', 'pixelated', 'blurred'),
    });
    fc.assert(
      fc.property(mask, (one) => {
        expect(maskOf(onvifMaskOf(one, 'v'))).toEqual(one);
      }),
    );
  });

  test('[DC-04] clock', () => {
    const rule = fc.record({
      month: fc.integer({ min: 1, max: 12 }),
      week: fc.integer({ min: 1, max: 5 }),
      weekday: fc.integer({ min: 0, max: 6 }),
      minute: fc.integer({ min: 0, max: 1439 }),
    });
    const value = fc.record({
      source: fc.constant('manual'),
      now: fc.integer({ min: 1, max: 4_000_000_000 }).map((seconds) => seconds * 1000),
      offset: fc.integer({ min: -720, max: 840 }),
      dst: fc.constant(true),
      dstStart: rule,
      dstEnd: rule,
      dstShift: fc.constantFrom(30, 60, 120),
    });
    fc.assert(
      fc.property(value, (one) => {
        expect(timeOf(clockOf(one, one.now), null).value).toEqual(one);
      }),
    );
  });

  test('streams', () => {
    const stream = fc.record({
      id: fc.constant('encoder_1'),
      name: fc.constant('main'),
      codec: fc.constantFrom('h264', 'h265'),
      resolution: fc.constantFrom('1920x1080', '640x360'),
      fps: fc.integer({ min: 1, max: 60 }),
      bitrate: fc.integer({ min: 32, max: 16_384 }),
      gop: fc.integer({ min: 1, max: 300 }),
      quality: fc.integer({ min: 1, max: 100 }),
    });
    fc.assert(
      fc.property(stream, (one) => {
        expect(streamOf2(encoderOf2(one, { token: 'encoder_1', Encoding: 'H264', Profile: 'Main' }), 'main')).toEqual(
          one,
        );
      }),
    );
  });
});
