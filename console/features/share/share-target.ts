// What is to be shared, chosen anywhere in the console; the dialogs themselves stand in the shell.
import type { ShareItem } from '@vedette/contract/calls/share.ts';
import type { Channel, Device, Organization } from '@vedette/contract/entities.ts';
import { create } from 'zustand';
import type { SharedItems } from './share.query.ts';

export interface ShareTarget {
  readonly item: ShareItem;
  readonly name: string;
  /** Stored names of the rights that the giver has on it; all where it is its own. */
  readonly rights: readonly string[];
  /** Channels that can be shared instead of the whole; absent for a camera with one. */
  readonly channels?: readonly { readonly channelNo: number; readonly name: string }[];
}

export interface LinkTarget {
  readonly deviceSerial: string;
  readonly channelNo: number;
  readonly name: string;
  readonly rights: readonly string[];
  /** A range that was marked: offered as a clip. */
  readonly clip?: { readonly startTime: number; readonly endTime: number };
}

type Open =
  | { readonly kind: 'share'; readonly targets: readonly ShareTarget[] }
  | { readonly kind: 'edit'; readonly share: SharedItems }
  | { readonly kind: 'link'; readonly target: LinkTarget };

export const useShareDialog = create<{ readonly open: Open | null }>(() => ({ open: null }));

export function openShare(targets: readonly ShareTarget[]): void {
  if (targets.length > 0) useShareDialog.setState({ open: { kind: 'share', targets } });
}
export function openShareEdit(share: SharedItems): void {
  useShareDialog.setState({ open: { kind: 'edit', share } });
}
export function openGuestLink(target: LinkTarget): void {
  useShareDialog.setState({ open: { kind: 'link', target } });
}
export function closeShareDialog(): void {
  useShareDialog.setState({ open: null });
}

/** A device that came by a share of one channel passes on that channel alone. */
export function deviceTarget(device: Device, channels: readonly Channel[]): ShareTarget {
  const { deviceSerial, deviceName, permission, channelNo } = device;
  const item = channelNo === null ? { deviceSerial } : { deviceSerial, channelNo };
  const base = { item, name: deviceName, rights: permission };
  if (channelNo !== null || channels.length < 2) return base;
  return { ...base, channels: channels.map((one) => ({ channelNo: one.channelNo, name: one.channelName })) };
}

export function organizationTarget(
  organization: Pick<Organization, 'organizationId' | 'organizationName' | 'permission'>,
): ShareTarget {
  const { organizationId, organizationName, permission } = organization;
  return { item: { organizationId }, name: organizationName, rights: permission };
}
