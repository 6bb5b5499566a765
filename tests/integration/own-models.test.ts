// Models of the operator at a site that runs: they appear by themselves, a task is run by one, and bad ones are listed with their reason.
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnalysisOrder } from '@vedette/contract/site/site-analysis.ts';
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describedModel, madeModel, seeingModel } from '../../site/analyst/made-model.fake.ts';
import { analystRuntime, hasAnalystRuntime } from '../harness/analyst-runtime.ts';
import { findProcess } from '../harness/processes.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

let site: SiteProcess;
let virtual: VirtualSite;
let camera: Omit<DeviceAssignment, 'channels'>;

const SEEN_WITHIN_MS = 60_000;
const status = () => site.ok('analysisStatus', {});
const models = async () => (await status()).models.map(({ name }) => name);
const order: AnalysisOrder = {
  taskId: 'crowd',
  algorithm: 'crowdDensity',
  regions: [],
  classes: ['vehicle'],
  threshold: 10,
  minHeight: 0.02,
  maxHeight: 1,
  dwellS: 10,
  densityLevels: [3, 6, 10],
  model: 'mine',
};

const assign = (analysis: readonly AnalysisOrder[]) => {
  const channel = { channelNo: 1, channelId: 'street', record: null, backfillFrom: null, analysis };
  return site.ok('assign', { devices: [{ ...camera, channels: [channel] }], settings: site.settings });
};

async function put(name: string, bytes: Buffer, description = describedModel(name, bytes)): Promise<void> {
  const folder = join(site.data, 'models', name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'model.onnx'), bytes);
  await writeFile(join(folder, 'model.json'), description);
}

describe.skipIf(!hasAnalystRuntime)('models of the operator', () => {
  beforeAll(async () => {
    [site, virtual] = await Promise.all([SiteProcess.create(), startVirtualSite()]);
    await symlink(analystRuntime, join(site.data, 'analyst'));
    await site.serve();
    await site.start();
    const found = virtual.devices.find(({ name }) => name === '西门街道');
    if (!found) throw new Error('no street');
    const { target, user, password } = found;
    const { deviceSerial, driver, native } = await site.ok('probe', { target, user, password, isOperator: true });
    camera = { deviceSerial, driver, native, user, password, isOperatorAddress: true };
  }, 60_000);
  afterAll(async () => {
    await Promise.all([site?.stop(), virtual?.stop()]);
  });

  it('[RS-03] are not run before they are listed, appear without a restart, and are tasks’ own', async () => {
    await assign([order]);
    expect(await models()).toEqual(['nanodet-g-320']);
    await waitFor('the task to be known', async () => (await status()).channels[0]?.hasModel === false);
    await expect(findProcess(site.pid, 'main-analyst.ts')).rejects.toThrow('nothing below');
    await put('mine', seeingModel(0.8, [16, 16, 8, 8]));
    await waitFor('the model', async () => (await models()).includes('mine'), SEEN_WITHIN_MS);
    await waitFor('its frames', async () => ((await status()).channels[0]?.picturesPerS ?? 0) > 0, SEEN_WITHIN_MS);
    expect((await status()).channels[0]).toMatchObject({ hasModel: true });
    await findProcess(site.pid, join('models', 'mine'));
    await rm(join(site.data, 'models', 'mine'), { recursive: true });
    await waitFor('its end', async () => (await status()).channels[0]?.hasModel === false, SEEN_WITHIN_MS);
    await waitFor(
      'the end of its analyst',
      () =>
        findProcess(site.pid, 'main-analyst.ts').then(
          () => false,
          () => true,
        ),
      5000,
    );
  }, 180_000);

  it('are refused with a reason where they are wrong, and nothing else is', async () => {
    const good = seeingModel(0.8, [16, 16, 8, 8]);
    const spoiled = madeModel({ outputs: [{ dims: [1, 5, 4], values: { 0: Number.NaN } }] });
    await put('nan', spoiled);
    await put('other-name', good, describedModel('mine', good));
    await put('hash', good, describedModel('hash', spoiled));
    await put('outside', madeModel({ outputs: [{ dims: [1, 5, 4], values: {} }], externalFile: '../mine/model.onnx' }));
    await put('nanodet-g-320', good);
    await put('no text', good);
    await put('corrupt', Buffer.from('not a model'), describedModel('corrupt', Buffer.from('not a model')));
    await mkdir(join(site.data, 'models', 'empty'));
    await symlink('/etc', join(site.data, 'models', 'link'));
    await put('good', good);
    await waitFor('the good one', async () => (await models()).includes('good'), SEEN_WITHIN_MS);
    const { refused = [] } = await status();
    expect(Object.fromEntries(refused.map(({ name, reason }) => [name, reason]))).toEqual({
      corrupt: 'trial',
      empty: 'file',
      hash: 'hash',
      nan: 'trial',
      'nanodet-g-320': 'description',
      'no?text': 'description',
      'other-name': 'description',
      outside: 'external',
    });
    expect(await models()).toEqual(['nanodet-g-320', 'good']);
  }, 180_000);
});
