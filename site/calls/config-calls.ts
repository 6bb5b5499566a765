// Handlers of the server's calls on a device's configuration: read, write with the version that was read, read back.
import { createHash } from 'node:crypto';
import { SECTION_NAMES, type SectionName } from '@vedette/contract/config/section-names.ts';
import { configSections, type SectionReading } from '@vedette/contract/config/sections.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { SiteCalls } from '@vedette/contract/site/site.ts';
import type { SiteConfigState } from '@vedette/contract/site/site-config.ts';
import type { ConfigSection } from '@vedette/drivers/kit/config-section.ts';
import { differences, limitProblems } from '@vedette/rules/config/limit-problems.ts';
import { SlowWork } from '../core/slow-work.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { CallRefusal } from '../core/call-refusal.ts';
import type { Fleet } from '../supervision/fleet.ts';
import type { MotionSettings } from '../motion/motion-settings.ts';
import { motionOf } from '../motion/motion-section.ts';

/** The server waits a little longer, and answers its caller within ten seconds. */
const ANSWER_MS = 8000;
/** Reading all sections of a slow device goes on after the server gave up: whoever asks next gets the result. */
const LIST_MS = 22_000;

interface Place {
  readonly deviceSerial: string;
  readonly channelNo: number;
}

export interface ConfigCallsOptions {
  readonly fleet: Fleet;
  /** Settings of software motion detection, if this site has a decoder. */
  readonly motion: MotionSettings | null;
  readonly clock: Clock;
}

export function configCalls({ fleet, motion, clock }: ConfigCallsOptions) {
  // One write per device at a time, so that the compared version is the one overwritten.
  const writing = new Map<string, Promise<unknown>>();
  const listing = new SlowWork<readonly SectionName[]>(clock);
  const isWatched = ({ deviceSerial, channelNo }: Place): boolean =>
    fleet.device(deviceSerial)?.assignment.channels.some((channel) => channel.channelNo === channelNo) ?? false;
  const deviceSections = async ({ deviceSerial, channelNo }: Place, signal: AbortSignal) => {
    const device = fleet.device(deviceSerial);
    if (device === null) throw new CallRefusal(ERROR_CODES.devNotExist);
    return (await device.supervisor.driver.channel(channelNo, signal)).config;
  };
  const open = async (place: Place, name: SectionName, signal: AbortSignal): Promise<ConfigSection<SectionName>> => {
    const own =
      name === 'motion' && isWatched(place) ? motion?.section(place.deviceSerial, place.channelNo) : undefined;
    const section = (await deviceSections(place, signal))?.section(name) ?? null;
    if (own !== undefined)
      return motionOf(section as ConfigSection<'motion'> | null, own) as ConfigSection<SectionName>;
    if (section === null) throw new CallRefusal(ERROR_CODES.functionNotSupported);
    return section;
  };
  return {
    configSections: async (place: SiteCalls['configSections']['input']) => {
      const found = await listing.join(`${place.deviceSerial}/${place.channelNo}`, async () => {
        const signal = AbortSignal.timeout(LIST_MS);
        return (await (await deviceSections(place, signal))?.names(signal)) ?? [];
      });
      const names = new Set(found);
      if (motion !== null && isWatched(place)) names.add('motion');
      return { sections: SECTION_NAMES.filter((name) => names.has(name)) };
    },
    configRead: async ({ section, ...place }: SiteCalls['configRead']['input']) => {
      const signal = AbortSignal.timeout(ANSWER_MS);
      return stateOf(section, await (await open(place, section, signal)).read(signal));
    },
    configWrite: async (input: SiteCalls['configWrite']['input']) => {
      const before = writing.get(input.deviceSerial) ?? Promise.resolve();
      // A write that waited too long for the one before is not made behind the caller's back.
      const signal = AbortSignal.timeout(ANSWER_MS);
      const written = before.then(() => write(open, input, signal));
      const settled = written.catch(() => undefined);
      writing.set(input.deviceSerial, settled);
      try {
        return await written;
      } finally {
        if (writing.get(input.deviceSerial) === settled) writing.delete(input.deviceSerial);
      }
    },
  };
}

async function write(
  open: (place: Place, name: SectionName, signal: AbortSignal) => Promise<ConfigSection<SectionName>>,
  { section: name, value, version, ...place }: SiteCalls['configWrite']['input'],
  signal: AbortSignal,
): Promise<SiteCalls['configWrite']['output']> {
  signal.throwIfAborted();
  const section = await open(place, name, signal);
  const before = await section.read(signal);
  const seen = stateOf(name, before);
  if (seen.version !== version) throw new CallRefusal(ERROR_CODES.stale, seen);
  const { fields } = configSections[name];
  const problems = Object.entries(limitProblems(fields, value, before.capabilities, before.value));
  if (problems.length > 0) {
    const named = problems.map(([path, problem]) => [`value.${path}`, problem]);
    throw new CallRefusal(ERROR_CODES.paramInvalid, Object.fromEntries(named));
  }
  const wish = settable(name, value);
  await section.write(wish, before, signal);
  const after = await section.read(signal);
  return { ...stateOf(name, after), differing: differences(wish, after.value) };
}

/** Without read-only fields. */
function settable(name: SectionName, value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const fields: Readonly<Record<string, { readonly readOnly?: boolean }>> = configSections[name].fields;
  return Object.fromEntries(Object.entries(value).filter(([field]) => fields[field]?.readOnly !== true));
}

function stateOf(section: SectionName, { value, capabilities }: SectionReading<SectionName>): SiteConfigState {
  return { section, value, version: versionOf(section, value), capabilities };
}

/** Hash of the content, since devices have no version numbers; a running clock does not change it. */
function versionOf(section: SectionName, value: object): string {
  const fields: Readonly<Record<string, { readonly kind: string; readonly readOnly?: boolean }>> =
    configSections[section].fields;
  const lasting = Object.entries(value)
    .filter(([name]) => fields[name]?.kind !== 'instant' && fields[name]?.readOnly !== true)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(lasting)).digest('hex').slice(0, 16);
}
