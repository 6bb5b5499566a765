// Tests of what the page keeps of the channels that play back.
// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { show } from '../../services/services.fake.tsx';
import { useClientState } from '../../session/client-state.ts';
import { usePlaybackPlace } from './use-playback-place.ts';

it('[UI-07] the channels that play back are kept with the state of the page', async () => {
  function Place() {
    const { choose } = usePlaybackPlace();
    return (
      <button type="button" onClick={() => choose({ deviceSerial: 'C1', channelNo: 2 })}>
        Choose
      </button>
    );
  }
  const shown = await show(<Place />, () => ({ code: 200, data: { resourceList: [], total: 0 } }));
  expect(useClientState.getState().playbackList).toEqual([]);
  await shown.click('button');
  expect(useClientState.getState().playbackList).toEqual([{ deviceSerial: 'C1', channelNo: 2 }]);
  await shown.close();
});
