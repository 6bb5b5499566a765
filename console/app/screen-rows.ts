// One row per screen of the shell: address, guard, icon and place in the rail. Routes and navigation are built from these rows.
import type { AppScope } from '@vedette/contract/app-scopes.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import type { Permission } from '@vedette/contract/permissions.ts';
import type { PlainKey } from '@vedette/phrases/pack.ts';
import type { ComponentType } from 'react';
import type { AskServices } from '../features/device-config/config.query.ts';
import { EDGE_HELP, type ScreenHelp } from '../features/manual/chapters.ts';
import { PATHS } from '../navigation/paths.ts';
import { SYSTEM_SECTION_TITLES, SYSTEM_SECTIONS, systemAddress } from '../navigation/system-sections.ts';
import type { RailIcon } from '../navigation/rail-icons.ts';

export type RailGroup = 'watch' | 'manage' | 'system';

export interface ScreenRow {
  /** In PATHS where other code leads to it. */
  readonly path: `/homepage/${string}`;
  readonly title: PlainKey;
  readonly group: RailGroup;
  readonly icon: RailIcon;
  /** Go-to shortcut: `g`, then this letter. */
  readonly key: string;
  readonly keyLabel: PlainKey;
  /** Opens without a token in web mode and offers sign-in in place (RT-09). */
  readonly isOpenInWeb: boolean;
  /** Shown to these user types alone; to all where absent. */
  readonly userTypes?: readonly number[];
  /** Opens in SaaS mode for an app with this scope (OA-03); absent: for no app. */
  readonly saasScope?: AppScope;
  /** In the rail with one of these alone (PM-02); for everybody where absent. */
  readonly flags?: readonly Permission[];
  /** Parts of it with an address each, which the command palette finds too. */
  readonly sections?: readonly { readonly address: string; readonly title: PlainKey }[];
  /** Where the manual explains the screen. */
  readonly help: ScreenHelp;
  readonly load: () => Promise<ComponentType>;
  /** Asks for what an address shows first, so that it is under way before the screen's code has come. */
  readonly ask?: (services: AskServices, address: URLSearchParams) => Promise<void>;
}

export const SCREEN_ROWS: readonly ScreenRow[] = [
  {
    path: PATHS.liveVideo,
    title: 'screen.live',
    group: 'watch',
    icon: 'live',
    key: 'l',
    keyLabel: 'keys.goLive',
    isOpenInWeb: true,
    saasScope: 'live',
    help: { page: 'live-wall' },
    load: async () => (await import('../screens/live-video/live-video-screen.tsx')).LiveVideoScreen,
  },
  {
    path: PATHS.container,
    title: 'screen.playback',
    group: 'watch',
    icon: 'playback',
    key: 'p',
    keyLabel: 'keys.goPlayback',
    isOpenInWeb: true,
    help: {
      page: 'playback',
      byParameter: {
        name: 'tab',
        places: { home: { page: 'home', heading: 'cards' }, overview: { page: 'home', heading: 'overview' } },
      },
    },
    load: async () => (await import('../screens/container/container-screen.tsx')).ContainerScreen,
  },
  {
    path: PATHS.alarmMsg,
    title: 'screen.alarms',
    group: 'watch',
    icon: 'alarms',
    key: 'a',
    keyLabel: 'keys.goAlarms',
    isOpenInWeb: true,
    flags: ['AlarmPush'],
    help: {
      page: 'alarms',
      byParameter: {
        name: 'view',
        places: {
          rules: { page: 'alarm-rules' },
          channels: { page: 'alarm-rules', heading: 'notifications' },
          quiet: { page: 'alarm-rules', heading: 'quiet-hours' },
          sources: { page: 'integrations', heading: 'other-software' },
        },
      },
    },
    load: async () => (await import('../screens/alarm-msg/alarm-msg-screen.tsx')).AlarmMsgScreen,
  },
  {
    path: PATHS.floorPlans,
    title: 'screen.floorPlans',
    group: 'watch',
    icon: 'floorPlans',
    key: 'f',
    keyLabel: 'keys.goFloorPlans',
    isOpenInWeb: false,
    help: { page: 'floor-plans' },
    load: async () => (await import('../screens/floor-plans/floor-plans-screen.tsx')).FloorPlansScreen,
  },
  {
    path: PATHS.deviceManage,
    title: 'screen.devices',
    group: 'manage',
    icon: 'devices',
    key: 'd',
    keyLabel: 'keys.goDevices',
    isOpenInWeb: false,
    flags: ['DeviceManage', 'Config'],
    help: {
      page: 'devices',
      byParameter: { name: 'add', places: { 1: { page: 'add-cameras' } } },
    },
    load: async () => (await import('../screens/devices/devices-screen.tsx')).DevicesScreen,
  },
  {
    path: PATHS.edgeIntelligence,
    title: 'screen.edgeIntelligence',
    group: 'manage',
    icon: 'edgeIntelligence',
    key: 'e',
    keyLabel: 'keys.goEdgeIntelligence',
    isOpenInWeb: false,
    help: EDGE_HELP,
    load: async () =>
      (await import('../screens/edge-intelligence/edge-intelligence-screen.tsx')).EdgeIntelligenceScreen,
  },
  {
    path: PATHS.orgManage,
    title: 'screen.organizations',
    group: 'manage',
    icon: 'organizations',
    key: 'o',
    keyLabel: 'keys.goOrganizations',
    isOpenInWeb: false,
    flags: ['OrganizationManage'],
    help: { page: 'organizations' },
    load: async () => (await import('../screens/org-manage/org-manage-screen.tsx')).OrgManageScreen,
  },
  {
    path: PATHS.permissionConfig,
    title: 'screen.permissions',
    group: 'manage',
    icon: 'permissions',
    key: 'r',
    keyLabel: 'keys.goPermissions',
    isOpenInWeb: false,
    userTypes: [USER_TYPE.super, USER_TYPE.manage, USER_TYPE.ordinary],
    help: {
      page: 'accounts',
      byParameter: {
        name: 'part',
        places: { accounts: { page: 'accounts', heading: 'accounts' }, audit: { page: 'audit-log' } },
      },
    },
    load: async () =>
      (await import('../screens/permission-config/permission-config-screen.tsx')).PermissionConfigScreen,
  },
  {
    path: PATHS.myShareContainer,
    title: 'screen.share',
    group: 'manage',
    icon: 'share',
    key: 'h',
    keyLabel: 'keys.goShare',
    isOpenInWeb: false,
    help: {
      page: 'sharing',
      byParameter: {
        name: 'tab',
        places: {
          received: { page: 'sharing', heading: 'received' },
          links: { page: 'sharing', heading: 'guest-links' },
          devices: { page: 'devices', heading: 'transfer' },
        },
      },
    },
    load: async () => (await import('../screens/my-share/my-share-screen.tsx')).MyShareScreen,
  },
  {
    path: PATHS.stasticContainer,
    title: 'screen.statistics',
    group: 'manage',
    icon: 'statistics',
    key: 't',
    keyLabel: 'keys.goStatistics',
    isOpenInWeb: false,
    help: { page: 'statistics' },
    load: async () =>
      (await import('../screens/stastic-container/stastic-container-screen.tsx')).StasticContainerScreen,
  },
  {
    path: PATHS.resourceManage,
    title: 'screen.resources',
    group: 'manage',
    icon: 'resources',
    key: 'e',
    keyLabel: 'keys.goResources',
    isOpenInWeb: false,
    help: {
      page: 'resources',
      byParameter: { name: 'section', places: { quotas: { page: 'resources', heading: 'quotas' } } },
    },
    load: async () => (await import('../screens/resource-manage/resource-manage-screen.tsx')).ResourceManageScreen,
  },
  {
    path: PATHS.costCenter,
    title: 'screen.costs',
    group: 'manage',
    icon: 'costs',
    key: 'c',
    keyLabel: 'keys.goCosts',
    isOpenInWeb: false,
    userTypes: [USER_TYPE.super, USER_TYPE.manage, USER_TYPE.ordinary],
    help: { page: 'consumption' },
    load: async () => (await import('../screens/cost-center/cost-center-screen.tsx')).CostCenterScreen,
  },
  {
    path: PATHS.system,
    title: 'screen.system',
    group: 'system',
    icon: 'system',
    key: 's',
    keyLabel: 'keys.goSystem',
    isOpenInWeb: false,
    userTypes: [USER_TYPE.super],
    sections: SYSTEM_SECTIONS.map((section) => ({
      address: systemAddress(section),
      title: SYSTEM_SECTION_TITLES[section],
    })),
    help: { page: 'system-settings' },
    load: async () => (await import('../screens/system/system-screen.tsx')).SystemScreen,
  },
  {
    path: PATHS.backgroundPage,
    title: 'screen.clientVersions',
    group: 'system',
    icon: 'clientVersions',
    key: 'v',
    keyLabel: 'keys.goClientVersions',
    isOpenInWeb: false,
    userTypes: [USER_TYPE.super, USER_TYPE.background],
    help: { page: 'client-versions' },
    load: async () => (await import('../screens/client-versions/client-versions-screen.tsx')).ClientVersionsScreen,
  },
];

/** A wall in a window of its own is the live screen without the rail, and has no place in it. */
export const LIVE_WINDOW_ROW: ScreenRow = {
  path: PATHS.liveWindow,
  title: 'screen.liveWindow',
  group: 'watch',
  icon: 'live',
  key: '',
  keyLabel: 'keys.goLive',
  isOpenInWeb: true,
  help: { page: 'live-wall', heading: 'windows' },
  load: async () => (await import('../screens/live-video/live-video-screen.tsx')).LiveVideoScreen,
};

/** Opened from a device; it has no place in the rail. */
export const DEVICE_CONFIG_ROW: ScreenRow = {
  path: PATHS.deviceConfig,
  title: 'config.title',
  group: 'manage',
  icon: 'devices',
  key: '',
  keyLabel: 'keys.goDevices',
  isOpenInWeb: false,
  help: { page: 'device-configuration' },
  load: async () => (await import('../screens/device-config/device-config-screen.tsx')).DeviceConfigScreen,
  ask: async (services, address) =>
    (await import('../features/device-config/config.query.ts')).askConfiguration(services, address),
};

/** Opened from the account's menu. */
export const PERSONAL_ROW: ScreenRow = {
  path: PATHS.personalContainer,
  title: 'screen.personal',
  group: 'system',
  icon: 'system',
  key: '',
  keyLabel: 'keys.goSystem',
  isOpenInWeb: false,
  help: {
    page: 'my-account',
    byParameter: {
      name: 'tab',
      places: {
        password: { page: 'my-account', heading: 'password' },
        factor: { page: 'my-account', heading: 'two-factor' },
        identity: { page: 'my-account', heading: 'identity-providers' },
        browsers: { page: 'my-account', heading: 'two-factor' },
        sessions: { page: 'my-account', heading: 'sessions' },
        authorized: { page: 'apps', heading: 'authorized' },
        apps: { page: 'apps', heading: 'register' },
        appearance: { page: 'my-account', heading: 'appearance' },
        erase: { page: 'my-account', heading: 'delete' },
      },
    },
  },
  load: async () => (await import('../screens/personal/personal-screen.tsx')).PersonalScreen,
};

/** True while the flags are not known: what disappears later is less of a loss than what appears late. */
export function leadsSomewhere(
  { flags: needed }: Pick<ScreenRow, 'flags'>,
  held: Readonly<Record<Permission, boolean>> | undefined,
): boolean {
  return needed === undefined || held === undefined || needed.some((flag) => held[flag]);
}
