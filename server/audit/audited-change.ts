// What a call changes, for its audit log entry: read before the handler runs and again after it, compared field by field.
import type { AuditChange, AuditDetail, AuditSubjectKind } from '@vedette/contract/audit-detail.ts';
import type { CallPath } from '@vedette/contract/calls/calls.ts';
import type { AuthorizedDevice } from '../auth/authorize.ts';
import {
  type AuditedValues,
  type AuditSubject,
  readAuditSubject,
  readDeviceValues,
} from '../database/account/audit-subject.queries.ts';
import type { Database } from '../database/connection.ts';

interface SubjectName {
  /** `userId`, as the object of the entry names it. */
  readonly field: string;
  readonly kind: AuditSubjectKind;
  readonly id: string;
}

/** The state before the call. */
export interface ChangeBefore {
  readonly named: SubjectName | null;
  readonly subject: AuditSubject | undefined;
  readonly device: { readonly deviceId: string; readonly channelNo: number | undefined } | null;
  readonly values: AuditedValues;
  readonly secretFields: readonly string[];
}

/** How inputs and answers name what a call is about; the first that is there counts. */
const BY_FIELD: readonly (readonly [field: string, kind: AuditSubjectKind])[] = [
  ['userId', 'account'],
  ['roleId', 'role'],
  ['groupId', 'group'],
  ['layoutId', 'layout'],
  ['floorPlanId', 'floorPlan'],
  ['ruleId', 'alarmRule'],
  ['channelId', 'alarmChannel'],
  ['keyId', 'eventKey'],
  ['shareId', 'share'],
  ['organizationId', 'organization'],
  ['siteId', 'site'],
];
const SETTING_OF: { readonly [Path in CallPath]?: string } = {
  'system/config/set': 'system',
  'system/account/set': 'account',
  'event/mqtt/set': 'mqtt-in',
};
/** Objects that answers hold whole: `{ role: { roleId } }`. */
const WRAPPERS = ['layout', 'floorPlan', 'rule', 'channel', 'key', 'site'] as const;
/** Longer values are cut: the log shows what changed, it is no backup. */
const VALUE_LENGTH = 300;
/** Of these the log says that they were changed, and nothing else. */
const SECRET_FIELDS = ['password', 'mailPassword', 'smsToken', 'captchaSecret'] as const;

type Fields = Readonly<Record<string, unknown>>;

function namedBy(fields: Fields): SubjectName | null {
  for (const [field, kind] of BY_FIELD) {
    const id = fields[field];
    if (typeof id === 'string' && id !== '') return { field, kind, id };
  }
  return null;
}

function namedInAnswer(answer: unknown): SubjectName | null {
  if (!isFields(answer)) return null;
  for (const wrapper of WRAPPERS) {
    const held = answer[wrapper];
    if (isFields(held)) return namedBy(held);
  }
  return namedBy(answer);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

export interface ChangingCall {
  readonly path: CallPath;
  readonly input: Fields;
  readonly device: AuthorizedDevice | null;
  readonly channelNo: number | undefined;
}

export async function readBefore(database: Database, call: ChangingCall): Promise<ChangeBefore> {
  const { path, input, channelNo } = call;
  const setting = SETTING_OF[path];
  const named = setting === undefined ? namedBy(input) : { field: 'setting', kind: 'setting' as const, id: setting };
  const secretFields = SECRET_FIELDS.filter((field) => input[field] !== undefined);
  if (call.device !== null) {
    const device = { deviceId: call.device.deviceId, channelNo };
    return { named: null, subject: undefined, device, values: await readDeviceValues(database, device), secretFields };
  }
  const subject = named === null ? undefined : await readAuditSubject(database, named.kind, named.id);
  return { named, subject, device: null, values: subject?.values ?? {}, secretFields };
}

export interface AuditedChange extends Pick<AuditDetail, 'subject' | 'changeList'> {
  /** `name=value` where the input named nothing: the id of what was made. */
  readonly madeObject?: string;
}

export interface ChangeOutcome {
  readonly isDone: boolean;
  readonly answer: unknown;
  /** Whose objects the caller may read of, though the call was refused. */
  readonly callerOwnerId: string | null;
}

/** What the entry says; nothing of an object that the caller was refused and does not own. */
export async function readChange(
  database: Database,
  before: ChangeBefore,
  { isDone, answer, callerOwnerId }: ChangeOutcome,
): Promise<AuditedChange> {
  if (!isDone) return refusedSubject(before, callerOwnerId);
  if (before.device !== null) return changesOf(before, await readDeviceValues(database, before.device));
  const named = before.named ?? namedInAnswer(answer);
  if (named === null) return {};
  const after = await readAuditSubject(database, named.kind, named.id);
  const shown = before.subject ?? after;
  if (shown === undefined) return {};
  const subject = { kind: named.kind, name: shown.name };
  if (before.named === null) return { subject, madeObject: `${named.field}=${named.id}` };
  if (before.subject === undefined || after === undefined) return { subject };
  return { subject, ...changesOf(before, after.values) };
}

function refusedSubject({ named, subject }: ChangeBefore, callerOwnerId: string | null): AuditedChange {
  if (named === null || subject === undefined || subject.ownerId !== callerOwnerId) return {};
  return { subject: { kind: named.kind, name: subject.name } };
}

function changesOf({ values, secretFields }: ChangeBefore, after: AuditedValues): Pick<AuditDetail, 'changeList'> {
  const names = [...new Set([...Object.keys(values), ...Object.keys(after)])];
  const changeList = names.flatMap((field): AuditChange[] => {
    const [old = null, next = null] = [values[field], after[field]];
    return old === next ? [] : [{ field, before: shortened(old), after: shortened(next) }];
  });
  changeList.push(...secretFields.map((field) => ({ field, before: null, after: null })));
  return changeList.length === 0 ? {} : { changeList };
}

function shortened(value: string | null): string | null {
  if (value === null) return null;
  const letters = Array.from(value);
  return letters.length <= VALUE_LENGTH ? value : `${letters.slice(0, VALUE_LENGTH - 1).join('')}…`;
}
