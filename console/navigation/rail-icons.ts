// The icon of each screen in the rail.
import {
  IconBell,
  IconBox,
  IconChartLine,
  IconCoins,
  IconDeviceCctv,
  IconHistory,
  IconEye,
  IconMap2,
  IconServerCog,
  IconShare,
  IconSitemap,
  IconUserShield,
  IconVersions,
  IconVideo,
} from '@tabler/icons-react';

export const RAIL_ICONS = {
  live: IconVideo,
  playback: IconHistory,
  alarms: IconBell,
  floorPlans: IconMap2,
  devices: IconDeviceCctv,
  share: IconShare,
  organizations: IconSitemap,
  permissions: IconUserShield,
  system: IconServerCog,
  clientVersions: IconVersions,
  statistics: IconChartLine,
  resources: IconBox,
  costs: IconCoins,
  edgeIntelligence: IconEye,
} as const;
export type RailIcon = keyof typeof RAIL_ICONS;
