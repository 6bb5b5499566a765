// Texts over the picture of a virtual device, in both media services: what is written here is drawn (ONVIF Media 5.17).

import { type osdConfiguration, osdOperations } from '@vedette/protocols/onvif/osd-operations.ts';
import type { TypeOf } from '@vedette/protocols/onvif/schema.ts';
import type { ChannelSettings, TextOverlay } from '../device/channel-settings.ts';
import type { OnvifDevice } from './onvif-device.ts';
import { invalidArgument } from './onvif-fault.ts';
import { answer, type OperationHandler } from './operation-handler.ts';

type Osd = TypeOf<typeof osdConfiguration>;

const MOST_TEXTS = 6;

export function osdHandlers(device: OnvifDevice): OperationHandler[] {
  return [osdOperations.media, osdOperations.media2].flatMap((operations) => [
    answer(operations.list, ({ ConfigurationToken, OSDToken }) => {
      const channels = device.plan.channels.map((_, index) => index + 1);
      const asked = channels.filter((no) => ConfigurationToken === undefined || ConfigurationToken === tokenOf(no));
      const all = asked.flatMap((no) => device.settingsOf(no).texts.map((text) => osdOf(text, tokenOf(no))));
      return { OSDs: all.filter(({ token }) => OSDToken === undefined || token === OSDToken) };
    }),
    answer(operations.options, ({ ConfigurationToken }) => {
      settingsByVideoSource(device, ConfigurationToken);
      return {
        OSDOptions: {
          MaximumNumberOfOSDs: { Total: MOST_TEXTS, PlainText: MOST_TEXTS },
          Type: ['Text'],
          PositionOption: ['UpperLeft', 'LowerLeft', 'Custom'],
          TextOption: { Type: ['Plain'], DateFormat: [], TimeFormat: [] },
        },
      };
    }),
    answer(operations.set, ({ OSD }) => {
      const settings = settingsByVideoSource(device, OSD.VideoSourceConfigurationToken);
      if (!settings.texts.some(({ token }) => token === OSD.token)) throw noOsd();
      settings.setTexts(settings.texts.map((text) => (text.token === OSD.token ? overlayOf(OSD, text.token) : text)));
      return {};
    }),
    answer(operations.create, ({ OSD }) => {
      const settings = settingsByVideoSource(device, OSD.VideoSourceConfigurationToken);
      if (settings.texts.length >= MOST_TEXTS) throw invalidArgument('ter:MaxOSDs', 'No more texts fit');
      const OSDToken = settings.newToken('osd');
      settings.setTexts([...settings.texts, overlayOf(OSD, OSDToken)]);
      return { OSDToken };
    }),
    answer(operations.remove, ({ OSDToken }) => {
      const owner = device.plan.channels
        .map((_, index) => device.settingsOf(index + 1))
        .find(({ texts }) => texts.some(({ token }) => token === OSDToken));
      if (owner === undefined) throw noOsd();
      owner.setTexts(owner.texts.filter(({ token }) => token !== OSDToken));
      return {};
    }),
  ]);
}

/** Of the configuration of the video source. */
export function tokenOf(channelNo: number): string {
  return `video_source_${channelNo}`;
}

export function settingsByVideoSource(device: OnvifDevice, token: string): ChannelSettings {
  const index = device.plan.channels.findIndex((_, at) => tokenOf(at + 1) === token);
  if (index < 0) throw invalidArgument('ter:NoConfig', 'The requested configuration does not exist');
  return device.settingsOf(index + 1);
}

function osdOf({ token, text, x, y }: TextOverlay, VideoSourceConfigurationToken: string): Osd {
  return {
    token,
    VideoSourceConfigurationToken,
    Type: 'Text',
    Position: { Type: 'Custom', Pos: { x: x * 2 - 1, y: 1 - y * 2 } },
    TextString: { Type: 'Plain', PlainText: text },
  };
}

function overlayOf({ Position, TextString }: Osd, token: string): TextOverlay {
  const { x = -0.98, y = Position.Type === 'LowerLeft' ? -0.88 : 0.96 } = Position.Pos ?? {};
  const isInside = Math.abs(x) <= 1 && Math.abs(y) <= 1;
  if (!isInside || TextString?.Type !== 'Plain')
    throw invalidArgument('ter:ConfigModify', 'Such a text is not offered');
  return { token, text: TextString.PlainText ?? '', x: (x + 1) / 2, y: (1 - y) / 2 };
}

function noOsd() {
  return invalidArgument('ter:NoConfig', 'The requested text does not exist');
}
