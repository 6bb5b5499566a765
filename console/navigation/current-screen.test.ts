// Tests of the screen that an address shows: one at most, also for tabs of the workspace.
import { expect, it } from 'vitest';
import { isCurrentScreen } from './current-screen.ts';
import { PATHS } from './paths.ts';

const SCREENS = [PATHS.liveVideo, PATHS.container, PATHS.alarmMsg, PATHS.deviceManage, PATHS.orgManage, PATHS.system];

const marked = (address: string): string[] => {
  const { pathname, search } = new URL(address, 'http://localhost');
  return SCREENS.filter((path) => isCurrentScreen(path, { pathname, search }));
};

it.each([
  ['/homepage/container', [PATHS.container]],
  ['/homepage/container?device=A1&channel=1&time=1', [PATHS.container]],
  ['/homepage/container?tab=overview', []],
  ['/homepage/container?tab=home', []],
  ['/homepage/container/deviceManage', [PATHS.deviceManage]],
  ['/homepage/container/liveVideo', [PATHS.liveVideo]],
  ['/homepage/deviceManage', [PATHS.deviceManage]],
  ['/homepage/deviceManage/config?device=A1&channel=1', [PATHS.deviceManage]],
  ['/homepage/liveVideo', [PATHS.liveVideo]],
  ['/homepage/personalContainer', []],
])('%s', (address, titles) => {
  expect(marked(address)).toEqual(titles);
});
