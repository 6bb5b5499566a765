// The key of a device row in lists and trees (EN-02): two rows of one list never share it.

export interface KeySerialParts {
  readonly deviceSerial: string;
  /** EN-19: 0 own, 1 organisation, 2 device, 3 channel. */
  readonly isShared: number;
  /** EN-19: 1 role, 2 permission; null when own. */
  readonly shareType: number | null;
  readonly channelNo: number | null;
}

/** Serials are letters and digits alone, so the dash can't occur inside a part. */
export function keySerial(parts: KeySerialParts): string {
  if (parts.isShared === 0) return parts.deviceSerial;
  return `${parts.deviceSerial}-${parts.isShared}-${parts.shareType ?? 0}-${parts.channelNo ?? 0}`;
}
