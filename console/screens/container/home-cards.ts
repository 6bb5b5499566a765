// The cards of the home tab: for whom each is, and which tab of the workspace each of its items opens.
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import type { Permission } from '@vedette/contract/permissions.ts';
import type { PlainKey } from '@vedette/phrases/pack.ts';
import type { OpenedTab } from '../../session/client-state.ts';
import type { TabName } from './workspace-tabs.ts';

interface HomeItem extends OpenedTab {
  readonly name: PlainKey;
  readonly tab: TabName;
}

interface HomeCard {
  readonly linkId: string;
  readonly name: PlainKey;
  readonly tip: PlainKey;
  /** One of them opens the card; none opens it for everybody. */
  readonly flags: readonly Permission[];
  readonly userTypes?: readonly number[];
  readonly items: readonly HomeItem[];
}

export interface CardViewer {
  readonly userType: number;
  /** Undefined while they are not known. */
  readonly flags: Readonly<Record<Permission, boolean>> | undefined;
}

const OWNERS: readonly number[] = [USER_TYPE.super, USER_TYPE.manage, USER_TYPE.ordinary];

export const HOME_CARDS: readonly HomeCard[] = [
  {
    linkId: 'live',
    name: 'screen.live',
    tip: 'home.liveTip',
    flags: ['Realplay', 'PtzControl', 'Talk'],
    items: [{ name: 'screen.liveWindow', tab: 'liveVideo', search: '' }],
  },
  {
    linkId: 'playback',
    name: 'screen.playback',
    tip: 'home.playbackTip',
    flags: ['Replay'],
    items: [{ name: 'screen.playback', tab: 'playback', search: '' }],
  },
  {
    linkId: 'alarms',
    name: 'screen.alarms',
    tip: 'home.alarmsTip',
    flags: ['AlarmPush'],
    items: [{ name: 'screen.alarms', tab: 'alarmMsg', search: '' }],
  },
  {
    linkId: 'devices',
    name: 'screen.devices',
    tip: 'home.devicesTip',
    flags: ['DeviceManage', 'Config'],
    items: [
      { name: 'devices.table', tab: 'deviceManage', search: '' },
      { name: 'devices.add', tab: 'deviceManage', search: '?add=1' },
      { name: 'group.title', tab: 'deviceManage', search: '?groups=1' },
    ],
  },
  {
    linkId: 'organizations',
    name: 'screen.organizations',
    tip: 'home.organizationsTip',
    flags: ['OrganizationManage'],
    items: [{ name: 'org.tree', tab: 'orgManage', search: '' }],
  },
  {
    linkId: 'permissions',
    name: 'screen.permissions',
    tip: 'home.permissionsTip',
    flags: [],
    userTypes: OWNERS,
    items: [
      { name: 'perm.roles', tab: 'permissionConfig', search: '?part=roles' },
      { name: 'perm.accounts', tab: 'permissionConfig', search: '?part=accounts' },
      { name: 'audit.title', tab: 'permissionConfig', search: '?part=audit' },
    ],
  },
  {
    linkId: 'share',
    name: 'screen.share',
    tip: 'home.shareTip',
    flags: [],
    items: [
      { name: 'share.given', tab: 'myShareContainer', search: '' },
      { name: 'share.received', tab: 'myShareContainer', search: '?tab=received' },
      { name: 'share.links', tab: 'myShareContainer', search: '?tab=links' },
    ],
  },
  {
    linkId: 'system',
    name: 'screen.system',
    tip: 'home.systemTip',
    flags: [],
    userTypes: [USER_TYPE.super],
    items: [{ name: 'screen.system', tab: 'system', search: '' }],
  },
];

export function isCardFor({ flags: needed, userTypes }: HomeCard, { userType, flags }: CardViewer): boolean {
  if (userTypes !== undefined) return userTypes.includes(userType);
  return needed.length === 0 || needed.some((flag) => flags?.[flag] === true);
}
