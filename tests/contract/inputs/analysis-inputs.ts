// Valid inputs of the calls of edge intelligence.
import { crossingTask, ZONE } from './analysis-tasks.ts';
import { channelInput, type GoodInputs } from './good-input.ts';

export const analysisInputs = {
  'ai/task/list': () => ({}),
  'ai/task/save': ({ deviceSerial, analysisTaskId }) => ({
    ...crossingTask(deviceSerial),
    taskId: analysisTaskId,
    version: 1,
    algorithm: 'crowdDensity',
    regionList: [{ ...ZONE, points: [...ZONE.points] }],
    threshold: 20,
    minHeight: 0.05,
    maxHeight: 0.9,
    dwellS: 5,
    densityLevels: [2, 4, 8],
    plan: [{ day: 1, entryList: [{ StartTime: '08:00:00', EndTime: '18:00:00', Type: 1 }] }],
    holidayList: ['2026-12-25'],
    model: 'own-model',
    isEnabled: false,
  }),
  'ai/task/delete': (stage) => ({ ...channelInput(stage), taskId: stage.spareAnalysisTaskId }),
  'ai/model/list': () => ({}),
  'ai/replay/start': ({ deviceSerial }) => {
    const { taskName: _name, ...scene } = crossingTask(deviceSerial);
    return {
      ...scene,
      threshold: 20,
      minHeight: 0.05,
      maxHeight: 0.9,
      dwellS: 5,
      densityLevels: [2, 4, 8],
      plan: null,
      holidayList: [],
      model: null,
      startTime: 0,
      endTime: 3_600_000,
    };
  },
  'ai/replay/get': (stage) => ({ ...channelInput(stage), replayId: 'replay-1', from: 0 }),
  'ai/replay/stop': (stage) => ({ ...channelInput(stage), replayId: 'replay-1' }),
  'ai/sighting/list': ({ deviceSerial }) => ({
    classList: ['person', 'vehicle'],
    devices: [{ deviceSerial, channelNo: 1 }],
    startTime: 0,
    endTime: 4_000_000_000_000,
    zone: [...ZONE.points],
    cursor: '4000000000000-1',
    pageSize: 10,
  }),
  'ai/sighting/timeline': ({ deviceSerial }) => ({
    channels: [{ deviceSerial, channelNo: 1 }],
    startTime: 0,
    endTime: 4_000_000_000_000,
    mergeMs: 1000,
  }),
  'ai/sighting/path': ({ deviceSerial }) => ({ deviceSerial, channelNo: 1, startTime: 0, endTime: 4_000_000_000_000 }),
  'ai/sighting/picture': ({ sightingId }) => ({ sightingId }),
} satisfies Partial<GoodInputs>;
