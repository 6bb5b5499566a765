// Tests of what the page keeps of the list of upgrades.
// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { show } from '../../services/services.fake.tsx';
import { useClientState } from '../../session/client-state.ts';
import { useUpgrades } from './firmware.query.ts';

it('[UI-07] [VE-05] the devices that can be upgraded are kept with the state of the page', async () => {
  const upgradeList = [{ deviceSerial: 'C1', deviceVersion: '1.0', version: '1.1', state: 'ready', progress: 0 }];
  function Upgrades() {
    useUpgrades(true);
    return null;
  }
  const shown = await show(<Upgrades />, () => ({ code: 200, data: { upgradeList } }));
  await expect.poll(() => useClientState.getState().deviceUpgradeList).toEqual(upgradeList);
  await shown.close();
});
