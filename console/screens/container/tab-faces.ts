// Name and icon of each tab of the workspace.
import {
  IconBell,
  IconDeviceCctv,
  IconGauge,
  IconHistory,
  IconLayoutGrid,
  IconServerCog,
  IconShare,
  IconSitemap,
  IconUserShield,
  IconVideo,
} from '@tabler/icons-react';
import type { PlainKey } from '@vedette/phrases/pack.ts';
import type { TabName } from './workspace-tabs.ts';

interface TabFace {
  readonly title: PlainKey;
  readonly icon: typeof IconVideo;
}

export const TAB_FACES: Readonly<Record<TabName, TabFace>> = {
  overview: { title: 'screen.overview', icon: IconGauge },
  home: { title: 'screen.home', icon: IconLayoutGrid },
  playback: { title: 'screen.playback', icon: IconHistory },
  liveVideo: { title: 'screen.live', icon: IconVideo },
  alarmMsg: { title: 'screen.alarms', icon: IconBell },
  deviceManage: { title: 'screen.devices', icon: IconDeviceCctv },
  orgManage: { title: 'screen.organizations', icon: IconSitemap },
  permissionConfig: { title: 'screen.permissions', icon: IconUserShield },
  myShareContainer: { title: 'screen.share', icon: IconShare },
  system: { title: 'screen.system', icon: IconServerCog },
};
