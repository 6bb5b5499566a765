// An alarm for tests: one that is new, lasts, and has a picture.
import type { Alarm } from '@vedette/contract/calls/alarm.ts';

export function fakeAlarm(part: Partial<Alarm> = {}): Alarm {
  return {
    alarmId: '000000001a',
    type: 'FireAlarm',
    group: 'fire',
    severity: 'critical',
    state: 'new',
    deviceSerial: 'A1',
    deviceName: 'Gate',
    channelNo: 1,
    channelName: 'Gate',
    organizationId: 'yard',
    organizationName: 'Yard',
    time: 1000,
    endTime: null,
    endReason: null,
    deviceTime: null,
    topic: '',
    source: {},
    data: {},
    repeatCount: 0,
    acknowledgedAt: null,
    acknowledgedBy: '',
    assignedTo: '',
    closedAt: null,
    closedBy: '',
    commentList: [],
    pictureTime: null,
    ...part,
  };
}
