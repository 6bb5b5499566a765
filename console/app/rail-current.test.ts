// Tests of the screen that the rail marks: one at most, also for tabs of the workspace.
import { expect, it } from 'vitest';
import { isCurrentScreen } from './rail-current.ts';
import { SCREEN_ROWS } from './screen-rows.ts';

const marked = (address: string): string[] => {
  const { pathname, search } = new URL(address, 'http://localhost');
  return SCREEN_ROWS.filter((row) => isCurrentScreen(row, { pathname, search })).map(({ title }) => title);
};

it.each([
  ['/homepage/container', ['screen.playback']],
  ['/homepage/container?device=A1&channel=1&time=1', ['screen.playback']],
  ['/homepage/container?tab=overview', []],
  ['/homepage/container?tab=home', []],
  ['/homepage/container/deviceManage', ['screen.devices']],
  ['/homepage/container/liveVideo', ['screen.live']],
  ['/homepage/deviceManage', ['screen.devices']],
  ['/homepage/deviceManage/config?device=A1&channel=1', ['screen.devices']],
  ['/homepage/liveVideo', ['screen.live']],
  ['/homepage/personalContainer', []],
])('%s', (address, titles) => {
  expect(marked(address)).toEqual(titles);
});
