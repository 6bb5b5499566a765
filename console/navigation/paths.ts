// Every address that code leads to, written once; that of a screen which only the rail opens stands in its row.
export const PATHS = {
  root: '/',
  login: '/login',
  setup: '/setup',
  register: '/register',
  retrievePwd: '/retrievePwd',
  /** The link of a reset; its word follows after `#`. */
  resetPwd: '/resetPwd',
  invitation: '/invitation',
  /** The link of a mail that asks whether alarms are wanted; its word follows after `#`. */
  alarmMail: '/alarmMail',
  /** Trust login: where applications bring accounts. */
  trustLogin: '/oauth2/authorize',
  /** What an app asks for, and the answer. */
  confirmInfo: '/oauth2/confirmInfo',
  /** The code that a device shows. */
  deviceAuth: '/oauth2/deviceAuth',
  /** Where an identity provider sends the browser back to; its id follows. */
  identityAnswer: '/signIn/provider',
  /** Where a native client sends the person's browser to for signing in at an identity provider; its id follows. */
  clientSignIn: '/signIn/client',
  homepage: '/homepage',
  liveVideo: '/homepage/liveVideo',
  /** A wall in a window of its own; its number follows. */
  liveWindow: '/homepage/liveWindow',
  container: '/homepage/container',
  alarmMsg: '/homepage/alarmMsg',
  floorPlans: '/homepage/floorPlans',
  edgeIntelligence: '/homepage/edgeIntelligence',
  personalContainer: '/homepage/personalContainer',
  deviceManage: '/homepage/deviceManage',
  deviceConfig: '/homepage/deviceManage/config',
  orgManage: '/homepage/orgManage',
  permissionConfig: '/homepage/permissionConfig',
  system: '/homepage/system',
  backgroundPage: '/homepage/backgroundPage',
  stasticContainer: '/homepage/stasticContainer',
  resourceManage: '/homepage/resourceManage',
  costCenter: '/homepage/costCenter',
  myShareContainer: '/homepage/myShareContainer',
  /** A guest link; its word follows after `#`. */
  guest: '/guest',
  /** The manual; the name of a page follows, and one of its headings after `#`. */
  help: '/help',
} as const;
export type Path = (typeof PATHS)[keyof typeof PATHS];

export type TabPath = `${typeof PATHS.container}/${string}`;

/** A screen below the home page as a tab of the workspace. */
export function tabPath(path: `${typeof PATHS.homepage}/${string}`): TabPath {
  return `${PATHS.container}/${path.slice(PATHS.homepage.length + 1)}`;
}

/** The overview of the workspace: what needs somebody now. */
export const OVERVIEW_ADDRESS = `${PATHS.container}?tab=overview`;
/** The card menu of the workspace. */
export const CARDS_ADDRESS = `${PATHS.container}?tab=home`;

/** The devices screen with the panel that adds one. */
export const ADD_DEVICE_ADDRESS = `${PATHS.deviceManage}?add=1`;

/** A channel on a screen that shows pictures: both read `device` and `channel` from their address. */
export function channelAddress(path: Path | TabPath, { deviceSerial, channelNo }: ChannelPlace): string {
  return `${path}?${new URLSearchParams({ device: deviceSerial, channel: String(channelNo) })}`;
}

export interface ChannelPlace {
  readonly deviceSerial: string;
  readonly channelNo: number;
}

/** Null where the address names none. */
export function readChannelPlace(address: URLSearchParams): ChannelPlace | null {
  const deviceSerial = address.get('device');
  const channelNo = Number(address.get('channel') ?? '1');
  return deviceSerial !== null && Number.isInteger(channelNo) && channelNo > 0 ? { deviceSerial, channelNo } : null;
}

export function manualAddress({
  page,
  heading,
}: {
  readonly page: string;
  readonly heading?: string | undefined;
}): string {
  return `${PATHS.help}/${page}${heading === undefined ? '' : `#${heading}`}`;
}
