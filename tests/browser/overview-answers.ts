// Answers for an overview on which something is wrong: a device that is offline, and gaps in its recordings.
import type { Page } from 'playwright-core';

const HOUR_MS = 3_600_000;

export async function answerOverview(page: Page, deviceSerial: string): Promise<void> {
  const since = Date.now() - 2 * HOUR_MS;
  const longest = { startTime: since, endTime: since + HOUR_MS / 2, reason: 'cameraOffline' };
  const channel = { deviceSerial, deviceName: 'Gate', channelNo: 1, channelName: 'Gate' };
  const channelList = [{ ...channel, gapTotal: 2, gapMs: 2_400_000, longest }];
  const gaps = { total: 1, unansweredTotal: 1, isCut: false, channelList };
  await page.route('**/api/v1/record/gap/list', (route) =>
    route.fulfill({ json: { code: 200, message: '', data: gaps } }),
  );
  const offline = { deviceSerial, keySerial: deviceSerial, deviceName: 'Gate', status: 0, statusReason: 'unreachable' };
  const devices = { total: 1, onlineTotal: 0, deviceList: [{ ...offline, latestOnline: since }] };
  await page.route('**/api/v1/device/list', (route) =>
    route.fulfill({ json: { code: 200, message: '', data: devices } }),
  );
}
