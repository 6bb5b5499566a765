// Calls of a device's configuration: read, write, and read back.
import { z } from 'zod';
import { call } from '../call.ts';
import { SECTION_NAMES } from '../config/section-names.ts';
import { sectionLimits, sectionValues } from '../config/section-schemas.ts';
import { channelNo, deviceSerial } from '../entities.ts';

const dev = { deviceSerial, channelNo };
const section = z.enum(SECTION_NAMES);
const config = { kind: 'device', action: 'Config' } as const;

const SectionState = z
  .object({
    section,
    value: z.record(z.string(), z.unknown()),
    /** Version of the device's values: changes whenever they change. */
    version: z.string(),
    /** Limits of each supported field; absent fields are unsupported. */
    capabilities: z.record(z.string(), z.unknown()),
  })
  .superRefine(({ section: name, value, capabilities }, context) => {
    for (const [part, parsed] of [
      ['value', sectionValues[name].safeParse(value)],
      ['capabilities', sectionLimits[name].safeParse(capabilities)],
    ] as const) {
      for (const issue of parsed.error?.issues ?? [])
        context.addIssue({ ...issue, path: [part, ...issue.path] } as never);
    }
  });

/** Progress of formatting a disk; `none` if it was not requested. */
export const FormatTask = z.object({
  disk: z.string(),
  state: z.enum(['none', 'running', 'finished', 'failed']),
  progress: z.number().int(),
  /** Error code, if it failed. */
  code: z.number().int().nullable(),
});
export type FormatTask = z.infer<typeof FormatTask>;

const disk = z.string().min(1).max(128);

export const configCalls = {
  'config/list': call({
    summary: 'Sections of configuration that the channel and its device have',
    permission: config,
    audit: 'none',
    errors: [1009, 1012, 2316, 2317],
    input: z.object(dev).strict(),
    output: z.object({ sectionList: z.array(section) }),
  }),
  'config/get': call({
    summary: 'Value and limits of one section, as the device holds them now; 1006 where it has none',
    permission: config,
    audit: 'none',
    errors: [1006, 1009, 1012, 2316, 2317],
    input: z.object({ ...dev, section }).strict(),
    output: SectionState,
  }),
  'config/set': call({
    summary:
      'Change one section and read it back; a stale version answers 1010 with the newer state; `storage` takes RecordConfig too',
    permission: config,
    audit: 'write',
    errors: [1006, 1009, 1010, 1012, 2316, 2317],
    input: z
      .object({ ...dev, section, value: z.record(z.string(), z.unknown()), version: z.string().min(1).max(64) })
      .strict(),
    output: SectionState.safeExtend({
      /** Paths of fields whose value differs from the sent one: the device rounded or ignored it. */
      differing: z.array(z.string()),
    }),
  }),
  'config/storage/format': call({
    summary: 'Empty a disk of the device and make it new; what is recorded on it is gone',
    permission: { kind: 'device', action: 'RecordConfig' },
    audit: 'write',
    errors: [1006, 1007, 1009, 1012, 2316, 2317],
    input: z.object({ ...dev, disk }).strict(),
    output: z.object({ task: FormatTask }),
  }),
  'config/storage/format/status': call({
    summary: 'How far the emptying of a disk is',
    permission: config,
    audit: 'none',
    errors: [1009, 1012],
    input: z.object({ ...dev, disk }).strict(),
    output: z.object({ task: FormatTask }),
  }),
  'config/output/switch': call({
    summary: 'Switch an output on or off, to try what hangs on it',
    permission: config,
    audit: 'write',
    errors: [1006, 1009, 1012, 2316, 2317],
    input: z.object({ ...dev, output: z.string().min(1).max(128), isOn: z.boolean() }).strict(),
    output: z.object({}),
  }),
} as const;
