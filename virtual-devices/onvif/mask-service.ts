// Privacy masks of a virtual device: what they cover is black in every stream (ONVIF Media2 5.14).

import {
  createMask,
  deleteMask,
  getMaskOptions,
  getMasks,
  type maskConfiguration,
  setMask,
} from '@vedette/protocols/onvif/mask-operations.ts';
import type { TypeOf } from '@vedette/protocols/onvif/schema.ts';
import type { PrivacyMask } from '../device/channel-settings.ts';
import type { OnvifDevice } from './onvif-device.ts';
import { invalidArgument } from './onvif-fault.ts';
import { answer, type OperationHandler } from './operation-handler.ts';
import { settingsByVideoSource, tokenOf } from './osd-service.ts';

type Mask = TypeOf<typeof maskConfiguration>;

const MOST_MASKS = 4;
const CORNERS = 4;

export function maskHandlers(device: OnvifDevice): OperationHandler[] {
  const owner = (token: string | undefined) => {
    const found = device.plan.channels
      .map((_, index) => device.settingsOf(index + 1))
      .find(({ masks }) => masks.some((mask) => mask.token === token));
    if (found === undefined) throw invalidArgument('ter:NoConfig', 'The requested mask does not exist');
    return found;
  };
  return [
    answer(getMasks, ({ ConfigurationToken, Token }) => {
      const channels = device.plan.channels.map((_, index) => index + 1);
      const asked = channels.filter((no) => ConfigurationToken === undefined || ConfigurationToken === tokenOf(no));
      const all = asked.flatMap((no) => device.settingsOf(no).masks.map((mask) => maskOf(mask, tokenOf(no))));
      return { Masks: all.filter(({ token }) => Token === undefined || token === Token) };
    }),
    answer(getMaskOptions, ({ ConfigurationToken }) => {
      settingsByVideoSource(device, ConfigurationToken);
      return { Options: { RectangleOnly: true, MaxMasks: MOST_MASKS, MaxPoints: CORNERS, Types: ['Color'] } };
    }),
    answer(setMask, ({ Mask }) => {
      const settings = owner(Mask.token);
      settings.setMasks(settings.masks.map((mask) => (mask.token === Mask.token ? privacyOf(Mask, mask.token) : mask)));
      return {};
    }),
    answer(createMask, ({ Mask }) => {
      const settings = settingsByVideoSource(device, Mask.ConfigurationToken);
      if (settings.masks.length >= MOST_MASKS) throw invalidArgument('ter:MaxMasks', 'No more masks fit');
      const Token = settings.newToken('mask');
      settings.setMasks([...settings.masks, privacyOf(Mask, Token)]);
      return { Token };
    }),
    answer(deleteMask, ({ Token }) => {
      const settings = owner(Token);
      settings.setMasks(settings.masks.filter(({ token }) => token !== Token));
      return {};
    }),
  ];
}

function maskOf({ token, isOn, left, top, right, bottom }: PrivacyMask, ConfigurationToken: string): Mask {
  const corners = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ] as const;
  const Point = corners.map(([x, y]) => ({ x: x * 2 - 1, y: 1 - y * 2 }));
  return { token, ConfigurationToken, Polygon: { Point }, Type: 'Color', Enabled: isOn };
}

/** The device knows rectangles alone: it takes the box around what it is given. */
function privacyOf({ Polygon, Enabled, Type }: Mask, token: string): PrivacyMask {
  const xs = Polygon.Point.map(({ x = 0 }) => (x + 1) / 2);
  const ys = Polygon.Point.map(({ y = 0 }) => (1 - y) / 2);
  if (xs.length !== CORNERS || Type !== 'Color')
    throw invalidArgument('ter:ConfigModify', 'Such a mask is not offered');
  const box = { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
  return { token, isOn: Enabled, ...box };
}
