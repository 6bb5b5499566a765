// What kind of device an ONVIF device is, from what it says of itself; pure, so that every odd device is a test row.
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
/** Door control, access control, and their peripherals; profiles that stream pictures stand beside them on door stations. */
const accessProfiles: ReadonlySet<string> = new Set(['a', 'c', 'd']);
const pictureProfiles: ReadonlySet<string> = new Set(['s', 't', 'g', 'streaming']);

/**
 * Radars and door controllers are known by their own word alone, or by their profiles where they stream nothing: browsers do
 * not list them (PM-05), and a camera that is taken for one would be lost from sight.
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
