// Detects the kind of an ONVIF device from what it reports.
import { DEVICE_TYPE } from '@vedette/contract/enumerations.ts';
import type { ProbedDeviceType } from '../kit/driver.ts';

export interface SelfDescription {
  readonly model: string;
  /** Scope items by category in lower case: `type`, `hardware`, `profile` (ONVIF Core 7.3.2.2). */
  readonly scopes: ReadonlyMap<string, readonly string[]>;
}

const recorderWord = /^[a-z]*[ndxh]vr$/iu;
const recorderParts = /(?:^|[-_ ])[NDXH]VR|recorder/iu;
const aiBoxWords = /(?:^|[-_ ])(?:ai|analytics)[-_ ]?(?:box|appliance)(?:$|[-_ ])/iu;
const radarWords = /(?:^|[-_ ])radar(?:$|[-_ ])/iu;
const accessWords = /access[-_ ]?control|door[-_ ]?control/iu;
/** Words of access control devices; door stations have streaming profiles beside them. */
const accessProfiles: ReadonlySet<string> = new Set(['a', 'c', 'd']);
const pictureProfiles: ReadonlySet<string> = new Set(['s', 't', 'g', 'streaming']);

/**
 * Only explicit words, or profiles without streams, make a device a radar or door controller: browsers hide these
 * (PM-05), and a misdetected camera would be invisible.
 */
export function deviceKind({ model, scopes }: SelfDescription): ProbedDeviceType {
  const types = scopes.get('type') ?? [];
  const names = [model, ...(scopes.get('hardware') ?? []), ...types];
  const profiles = (scopes.get('profile') ?? []).map((word) => word.toLowerCase());
  if (types.some((word) => radarWords.test(word))) return DEVICE_TYPE.RADAR;
  if (types.some((word) => accessWords.test(word))) return DEVICE_TYPE.ACS;
  const isAccess = profiles.some((word) => accessProfiles.has(word));
  if (isAccess && !profiles.some((word) => pictureProfiles.has(word))) return DEVICE_TYPE.ACS;
  if (names.some((word) => aiBoxWords.test(word))) return DEVICE_TYPE.AIBOX;
  return isRecorder(names.join(' ')) ? DEVICE_TYPE.NVR : DEVICE_TYPE.IPC;
}

function isRecorder(text: string): boolean {
  return recorderParts.test(text) || text.split(/\W/u).some((word) => recorderWord.test(word));
}
