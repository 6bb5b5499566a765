// Tests of reports of lost copies: the server reads them as an alarm of the right channel.
import { readSiteEvent } from '@vedette/contract/site/site-messages.ts';
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import { TopicTable } from '@vedette/rules/alarm/topic-table.ts';
import { expect, it } from 'vitest';
import { lostCopyReport, reportedChannels } from './lost-copy-report.ts';

const LOST = {
  track: { channelId: 'front', quality: 0 },
  startMs: Date.UTC(2026, 10, 28, 9, 30),
  storeId: 's',
} as const;
const DEVICES = [
  { deviceSerial: 'A', channels: [{ channelId: 'yard', channelNo: 1 }] },
  {
    deviceSerial: 'B',
    channels: [
      { channelId: 'gate', channelNo: 1 },
      { channelId: 'front', channelNo: 2 },
    ],
  },
] as unknown as readonly DeviceAssignment[];

it('is an alarm of the channel that it was recorded from', () => {
  const channel = reportedChannels(DEVICES).get('front');
  if (!channel) throw new Error('no channel');
  const report = lostCopyReport(LOST, channel, LOST.startMs + 1000);
  expect(report).toMatchObject({ deviceSerial: 'B', channelNo: 2, phase: 'pulse' });
  expect(report.data).toEqual({ recording: '2026-11-28T09:30:00.000Z' });
  expect(readSiteEvent(report)).toEqual(report);
  expect(new TopicTable().meaningOf(report)).toMatchObject({ raises: ['RecordingLost'], isPulse: true });
});
