// Calls of PTZ: moves, presets, patrols.
import { z } from 'zod';
import { call } from '../call.ts';
import { channelNo, deviceSerial, id, nameText, Preset } from '../entities.ts';
import { PAGE_SIZE, PAGE_SIZE_MAX } from '../limits.ts';
import { PATROL_LIMITS, PRESET_INDEX_MAX, PTZ_COMMANDS, PTZ_SPEED } from '../ptz.ts';

const dev = { deviceSerial, channelNo };
const presetIndex = z.number().int().min(1).max(PRESET_INDEX_MAX);
const command = z.enum(PTZ_COMMANDS);
const permission = { kind: 'device', action: 'PtzControl' } as const;
const errors = [1006, 1009, 1012, 2316, 2317];

const PatrolStop = z
  .object({
    presetIndex,
    /** Seconds. */
    stay: z.number().int().min(PATROL_LIMITS.stayS.least).max(PATROL_LIMITS.stayS.most),
  })
  .strict();

export const Patrol = z.object({
  patrolId: z.string(),
  name: z.string(),
  isRunning: z.boolean(),
  /** Tours stored in the device cannot be changed here. */
  isDeviceOwn: z.boolean(),
  stopList: z.array(z.object({ presetIndex: z.number().int(), stay: z.number() })),
});
export type Patrol = z.infer<typeof Patrol>;

export const ptzCalls = {
  'ptz/start': call({
    summary:
      'Begin a move: it holds until ptz/stop, until the `/ws` of the session closes, or 10 s; started again it goes on',
    permission,
    audit: 'watch',
    errors: [...errors, 1021],
    input: z
      .object({
        ...dev,
        command,
        speed: z.number().int().min(PTZ_SPEED.least).max(PTZ_SPEED.most).default(PTZ_SPEED.usual),
      })
      .strict(),
    /** Names this session in the event that says who lost PTZ control. */
    output: z.object({ operatorId: z.string() }),
  }),
  'ptz/stop': call({
    summary: 'End a move; 1021 while another operator steers, whose move goes on',
    permission,
    audit: 'none',
    errors: [...errors, 1021],
    input: z.object({ ...dev, command }).strict(),
    output: z.object({}),
  }),
  'preset/list': call({
    summary: 'Presets of a channel, by number; `image` is the address of a still, or empty',
    permission,
    audit: 'none',
    opensVideo: true,
    errors,
    input: z
      .object({
        ...dev,
        pageStart: z.number().int().min(0).max(PRESET_INDEX_MAX).default(0),
        pageSize: z.number().int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE.presets),
      })
      .strict(),
    output: z.object({ total: z.number().int(), presetList: z.array(Preset) }),
  }),
  'preset/add': call({
    summary: 'Keep where the camera looks now; without a number it gets the first free one',
    permission,
    audit: 'write',
    errors: [...errors, 1016],
    input: z.object({ ...dev, presetIndex: presetIndex.optional(), name: nameText }).strict(),
    output: z.object({ presetIndex: z.number().int() }),
  }),
  'preset/update': call({
    summary: 'Call a preset otherwise',
    permission,
    audit: 'write',
    errors: [...errors, 1007],
    input: z.object({ ...dev, presetIndex, name: nameText }).strict(),
    output: z.object({}),
  }),
  'preset/delete': call({
    summary: 'Remove a preset from the camera',
    permission,
    audit: 'write',
    errors: [...errors, 1007],
    input: z.object({ ...dev, presetIndex }).strict(),
    output: z.object({}),
  }),
  'preset/goto': call({
    summary: 'Turn the camera to a preset',
    permission,
    audit: 'watch',
    errors: [...errors, 1007],
    input: z.object({ ...dev, presetIndex }).strict(),
    output: z.object({}),
  }),
  'patrol/list': call({
    summary: 'Patrols over presets: ours, and tours of the device itself',
    permission,
    audit: 'none',
    errors,
    input: z.object(dev).strict(),
    output: z.object({ total: z.number().int(), patrolList: z.array(Patrol) }),
  }),
  'patrol/save': call({
    summary: 'Make a patrol, or change the named one',
    permission,
    audit: 'write',
    errors: [...errors, 1007, 1011],
    input: z
      .object({
        ...dev,
        patrolId: id.optional(),
        name: nameText,
        stopList: z.array(PatrolStop).min(1).max(PATROL_LIMITS.stops),
      })
      .strict(),
    output: z.object({ patrolId: z.string() }),
  }),
  'patrol/delete': call({
    summary: 'Remove a patrol; one of the device itself stays (1006)',
    permission,
    audit: 'write',
    errors: [...errors, 1007],
    input: z.object({ ...dev, patrolId: id }).strict(),
    output: z.object({}),
  }),
  'patrol/start': call({
    summary: 'Begin a patrol: it goes on until it is stopped or somebody steers',
    permission,
    audit: 'watch',
    errors: [...errors, 1007],
    input: z.object({ ...dev, patrolId: id }).strict(),
    output: z.object({}),
  }),
  'patrol/stop': call({
    summary: 'End the patrol of a channel',
    permission,
    audit: 'watch',
    errors: [...errors, 1007],
    input: z.object({ ...dev, patrolId: id }).strict(),
    output: z.object({}),
  }),
} as const;
