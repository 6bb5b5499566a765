// Client state of the specification's section 3 with its defaults; kept over a reload, never with a password (EN-07, RT-14).
import type { ListedGroup } from '@vedette/contract/calls/group.ts';
import type { Device, Organization, Resource, ServerConfig } from '@vedette/contract/entities.ts';
import { SPLIT_WINDOW_DEFAULT } from '@vedette/contract/limits.ts';
import type { TimePreference } from '@vedette/rules/time-format.ts';
import { create } from 'zustand';

/** An alarm that this page heard of by push. */
export interface PushedAlarm {
  readonly alarmId: string;
  readonly type: string;
  readonly deviceSerial: string;
  /** Milliseconds since 1970 UTC. */
  readonly time: number;
}

/** A tab of the workspace that was opened, with where one was in it. */
export interface OpenedTab {
  readonly tab: string;
  /** The query of its address. */
  readonly search: string;
}

export interface ClientState {
  // Environment info (UI-01)
  readonly environment: ServerConfig & { readonly currentVersion: string };
  // Who (UI-02); the token itself lives in auth-store.ts
  readonly browserId: string;
  readonly accountLoginName: string;
  readonly appIdStatus: string;
  readonly isLogout: boolean;
  readonly isAutoLogin: boolean;
  // Languages (UI-03)
  readonly languageList: readonly number[];
  readonly globalLanguage: number;
  // UI-04
  readonly privacyUpdateTime: number;
  // UI-05
  readonly alarmList: readonly unknown[];
  readonly alarmIndex: number;
  readonly alarmTimeRange: { readonly startTime: number; readonly endTime: number } | null;
  // UI-06
  readonly orgTree: {
    readonly rootOrgId: string;
    readonly rootOrgName: string;
    readonly nodeData: readonly Resource[];
  };
  readonly groupList: readonly ListedGroup[];
  readonly eventList: readonly PushedAlarm[];
  readonly lanDeviceList: readonly unknown[];
  readonly sharedList: readonly Device[];
  readonly currentNodeOrgs: readonly Organization[];
  // UI-07
  readonly clientIp: string;
  readonly phoneCode: string;
  readonly splitWindow: number;
  readonly liveVideoList: readonly unknown[];
  /** Saved layout that the account begins with, until the live wall has shown it. */
  readonly homeLayout: string;
  /** How the account wants dates and times written. */
  readonly timePreference: TimePreference;
  /** In the order of the strip, without the fixed ones. */
  readonly workspaceTabs: readonly OpenedTab[];
  readonly playbackList: readonly unknown[];
  readonly deviceUpgradeList: readonly unknown[];
  // UI-08
  readonly saas: {
    readonly appId: string;
    readonly scope: string;
    readonly state: string;
    readonly token: string;
    readonly authCode: string;
    readonly redirectUrl: string;
    readonly clientType: string;
    /** The account that the app acts for. */
    readonly userId: string;
    readonly userName: string;
  };
}

export const CLIENT_STATE_DEFAULTS: ClientState = {
  environment: {
    isOverseasFlag: true,
    isNoBrandFlag: false,
    isCaptcha: false,
    captchaAppId: '',
    captchaPath: '',
    apiURL: '',
    oldWebsite: '',
    centerServer: '',
    currentVersion: '',
  },
  browserId: '',
  accountLoginName: '',
  appIdStatus: '',
  isLogout: false,
  isAutoLogin: false,
  languageList: [0, 1],
  globalLanguage: 1,
  privacyUpdateTime: 0,
  alarmList: [],
  alarmIndex: 0,
  alarmTimeRange: null,
  orgTree: { rootOrgId: '0', rootOrgName: '', nodeData: [] },
  groupList: [],
  eventList: [],
  lanDeviceList: [],
  sharedList: [],
  currentNodeOrgs: [],
  clientIp: '',
  phoneCode: '',
  splitWindow: SPLIT_WINDOW_DEFAULT,
  liveVideoList: [],
  homeLayout: '',
  timePreference: { dateOrder: null, clockHours: null },
  workspaceTabs: [{ tab: 'playback', search: '' }],
  playbackList: [],
  deviceUpgradeList: [],
  saas: {
    appId: '',
    scope: '',
    state: '',
    token: '',
    authCode: '',
    redirectUrl: '',
    clientType: '',
    userId: '',
    userName: '',
  },
};

export const useClientState = create<ClientState>(() => CLIENT_STATE_DEFAULTS);
