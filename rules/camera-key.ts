// One text for one camera of one device, as choices and lists name it; the serial of a device contains no colon.

export interface CameraPlace {
  readonly deviceSerial: string;
  readonly channelNo: number;
}

/** `<deviceSerial>:<channelNo>`. */
export function cameraKey({ deviceSerial, channelNo }: CameraPlace): string {
  return `${deviceSerial}:${channelNo}`;
}

/** A key without a channel names the first one; an empty key names no device. */
export function cameraOfKey(key: string): CameraPlace {
  const [deviceSerial = '', channelNo = '1'] = key.split(':');
  return { deviceSerial, channelNo: Number(channelNo) };
}
