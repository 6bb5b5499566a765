// What the pictures of the manual show beside the demo: a role, accounts, a share, a floor plan, a rule, a site and alarms.
import type { Browser } from 'playwright-core';
import { ingest } from '../../tests/browser/alarm-steps.ts';
import type { ApiClient } from '../../tests/harness/api-client.ts';
import type { Product } from '../../tests/harness/product.ts';
import { waitFor } from '../../tests/harness/wait-for.ts';

const FLOOR = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="750" style="background:#fff;display:block">
  <g fill="none" stroke="#333" stroke-width="8"><path d="M40 40h1120v670H40zM440 40v280M440 420v290M440 320h180M760 320h400"/></g>
  <g stroke="#999" stroke-width="3" fill="#f2f4f8"><path d="M110 110h160v90H110zM110 500h240v120H110zM820 470h240v160H820z"/></g></svg>`;

export interface ManualData {
  /** Serials of demo devices by name. */
  readonly serials: Readonly<Record<'gate' | 'carPark' | 'roof' | 'lobby', string>>;
  readonly floorPlanId: string;
}

const CAMERAS = [
  { name: 'gate', x: 0.06, y: 0.5, direction: 90 },
  { name: 'lobby', x: 0.42, y: 0.1, direction: 130 },
  { name: 'carPark', x: 0.92, y: 0.9, direction: 310 },
  { name: 'roof', x: 0.62, y: 0.66, direction: 200 },
] as const;
const ALARMS = [
  ['gate', 'HumanShapeDetect'],
  ['carPark', 'MotionAlarm'],
  ['lobby', 'HumanShapeDetect'],
  ['gate', 'SmokeAlarm'],
] as const;

export async function prepareManualData(browser: Browser, product: Product, operator: ApiClient): Promise<ManualData> {
  const serials = await deviceSerials(operator);
  const picture = await drawFloor(browser);
  const { organizationId } = await operator.ok('org/add', { organizationName: 'Building 1' });
  const cameraList = CAMERAS.map(({ name, ...at }) => ({
    deviceSerial: serials[name],
    channelNo: 1,
    viewAngle: 70,
    ...at,
  }));
  const { floorPlan } = await operator.ok('floorPlan/save', {
    organizationId,
    name: 'Ground floor',
    picture,
    cameraList,
  });
  await addPeople(operator, organizationId, serials);
  await operator.ok('site/add', { siteName: 'Harbour' });
  await operator.ok('alarm/rule/save', {
    name: 'People at night',
    isEnabled: true,
    types: ['HumanShapeDetect'],
    groups: [],
    leastSeverity: 'info',
    sources: [],
    plan: null,
    timeZone: 'UTC',
    pauseS: 60,
    actions: [{ kind: 'snapshot' }],
  });
  const { token } = await operator.ok('event/key/add', { name: 'Yard software' });
  for (const [name, type] of ALARMS) {
    await ingest(product, token, { deviceSerial: serials[name], channelNo: 1, type, phase: 'pulse' });
  }
  return { serials, floorPlanId: floorPlan.floorPlanId };
}

async function deviceSerials(operator: ApiClient): Promise<ManualData['serials']> {
  const serialOf = (name: string): Promise<string> =>
    waitFor(
      `${name} in the demo`,
      async () => {
        const { deviceList } = await operator.ok('device/list', { keyWord: name });
        return deviceList[0]?.deviceSerial;
      },
      120_000,
    );
  return {
    gate: await serialOf('Gate House'),
    carPark: await serialOf('Car Park'),
    roof: await serialOf('Roof'),
    lobby: await serialOf('Main Lobby'),
  };
}

async function addPeople(operator: ApiClient, organizationId: string, serials: ManualData['serials']): Promise<void> {
  const guards = await operator.ok('role/add', {
    roleName: 'Guards',
    permissions: ['Realplay', 'Replay', 'PtzControl', 'Talk', 'AlarmPush'],
  });
  await operator.ok('role/add', { roleName: 'Installers', permissions: ['Realplay', 'Config', 'DeviceManage'] });
  const { roleId } = guards;
  await operator.ok('user/add', {
    username: 'lee',
    password: 'Secret-1',
    roleIds: [roleId],
    organizationIds: [organizationId],
  });
  await operator.ok('user/add', { username: 'partner', password: 'Secret-1', userType: 2 });
  const items = [{ deviceSerial: serials.lobby, channelNo: 1 }];
  await operator.ok('share/add', { account: 'partner', items, permission: ['videoView'] });
}

async function drawFloor(browser: Browser) {
  const blank = await browser.newPage();
  await blank.setContent(FLOOR);
  const drawn = await blank.locator('svg').screenshot();
  await blank.close();
  return { contentType: 'image/png' as const, data: drawn.toString('base64') };
}
