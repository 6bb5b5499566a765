// Mirror and upside down of a Hikvision camera: one style for both.
import type { AddedPart } from '../vendor-extension.ts';
import { DeviceFault } from '../../kit/device-fault.ts';
import { type Edit, IsapiDocument } from './isapi-document.ts';

const urlOf = (channelNo: number) => `/ISAPI/Image/channels/${channelNo}/imageFlip`;
/** Mirrored and turned by half, by their style. */
const styles: Readonly<Record<string, readonly [mirror: boolean, rotation: string]>> = {
  LEFTRIGHT: [true, '0'],
  UPDOWN: [true, '180'],
  CENTER: [false, '180'],
};

export const flipPart: AddedPart<'image'> = {
  read: async (http, channelNo, signal) => {
    const document = new IsapiDocument(await http.get(urlOf(channelNo), signal));
    const isOn = document.flag('enabled');
    if (isOn === undefined || document.at('ImageFlipStyle') === undefined)
      throw new DeviceFault('not-supported', 'the camera flips nothing');
    const [mirror, rotation] = (isOn ? styles[document.text('ImageFlipStyle') ?? ''] : undefined) ?? [false, '0'];
    return { value: { mirror, rotation }, capabilities: { mirror: {}, rotation: { options: ['0', '180'] } } };
  },
  write: async (http, channelNo, { whole: { mirror = false, rotation = '0' } }, signal) => {
    const url = urlOf(channelNo);
    const document = new IsapiDocument(await http.get(url, signal));
    const style = Object.entries(styles).find(([, [isMirror, turn]]) => isMirror === mirror && turn === rotation)?.[0];
    const edits = new Map<NonNullable<ReturnType<IsapiDocument['at']>>, Edit>();
    const [enabled, kind] = [document.at('enabled'), document.at('ImageFlipStyle')];
    if (enabled !== undefined) edits.set(enabled, String(style !== undefined));
    if (kind !== undefined && style !== undefined) edits.set(kind, style);
    await http.put(url, document.edited(edits), signal);
  },
};
