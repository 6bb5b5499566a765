// What the share dialog holds while it is filled in, and the call that it becomes.
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import type { ShareDay, ShareItem } from '@vedette/contract/calls/share.ts';
import { SHARE_TYPE } from '@vedette/contract/enumerations.ts';
import { WEEK_DAYS } from '@vedette/contract/limits.ts';
import type { ShareRight } from '@vedette/contract/permissions.ts';
import { entriesOf, segmentsFrom, segmentsOf, type WeekPlan } from '@vedette/rules/time-plan/week-plan.ts';
import type { PlainKey } from '@vedette/phrases/pack.ts';
import { rightsOf } from './share-rights.ts';
import type { SharedItems } from './share.query.ts';
import type { ShareTarget } from './share-target.ts';
import { type ValidityBounds, validityBounds, type Validity } from './validity.ts';

export interface ShareForm {
  readonly account: string;
  /** Empty: the whole device. */
  readonly channels: ReadonlySet<number>;
  readonly rights: ReadonlySet<ShareRight>;
  /** The share has the rights of this role, whatever they become; null: those above. */
  readonly roleId: string | null;
  readonly validity: Validity;
  readonly typed: ValidityBounds;
  readonly hasHours: boolean;
  readonly week: WeekPlan;
  readonly shareName: string;
  readonly description: string;
}

export const NEW_SHARE: ShareForm = {
  account: '',
  channels: new Set(),
  rights: new Set(['videoView']),
  roleId: null,
  validity: 'hour',
  typed: { startTime: null, endTime: null },
  hasHours: false,
  week: {},
  shareName: '',
  description: '',
};

export function formOf({ first }: SharedItems): ShareForm {
  const hasEnd = first.startTime !== null || first.endTime !== null;
  return {
    ...NEW_SHARE,
    account: first.account,
    rights: new Set(rightsOf(first.permission)),
    roleId: first.roleId,
    validity: hasEnd ? 'custom' : 'always',
    typed: { startTime: first.startTime, endTime: first.endTime },
    hasHours: first.plan !== null,
    week: Object.fromEntries((first.plan ?? []).map(({ day, entryList }) => [day, segmentsFrom(entryList)])),
    shareName: first.shareName,
    description: first.description,
  };
}

/** A day without hours is closed. */
export function hoursOf(week: WeekPlan): ShareDay[] {
  return WEEK_DAYS.flatMap((day) => {
    const entryList = entriesOf(segmentsOf(week, day)).map(({ StartTime, EndTime }) => ({
      StartTime,
      EndTime,
      Type: 1 as const,
    }));
    return entryList.length === 0 ? [] : [{ day, entryList }];
  });
}

export interface FormProblems {
  readonly account: PlainKey | null;
  readonly rights: PlainKey | null;
  readonly times: PlainKey | null;
  readonly hours: PlainKey | null;
}

export function problemsOf(form: ShareForm, now: number): FormProblems {
  return {
    account: form.account.trim() === '' ? 'share.accountRequired' : null,
    rights: form.roleId === null && form.rights.size === 0 ? 'share.noRights' : null,
    times: validityBounds(form.validity, now, form.typed) === null ? 'share.endFirst' : null,
    hours: form.hasHours && hoursOf(form.week).length === 0 ? 'share.hoursNone' : null,
  };
}

export function hasProblem(problems: FormProblems): boolean {
  return Object.values(problems).some((problem) => problem !== null);
}

/** Of the machine: the hours are painted by its clock. */
function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function addInput(form: ShareForm, targets: readonly ShareTarget[], now: number): CallInput<'share/add'> {
  const { startTime, endTime } = validityBounds(form.validity, now, form.typed) ?? form.typed;
  const shareName = form.shareName.trim();
  const description = form.description.trim();
  return {
    account: form.account.trim(),
    items: targets.flatMap((target) => itemsOf(target, form.channels)),
    ...givenRights(form),
    ...(startTime !== null && { startTime }),
    ...(endTime !== null && { endTime }),
    ...(form.hasHours && { plan: hoursOf(form.week), timeZone: ownZone() }),
    ...(shareName !== '' && { shareName }),
    ...(description !== '' && { description }),
  };
}

export function changeInput(form: ShareForm, { first }: SharedItems, now: number): CallInput<'share/update'> {
  const { startTime, endTime } = validityBounds(form.validity, now, form.typed) ?? form.typed;
  const hours = form.hasHours ? { plan: hoursOf(form.week), timeZone: first.timeZone ?? ownZone() } : { plan: null };
  return {
    shareId: first.shareId,
    version: first.version,
    ...changedRights(form, first.roleId),
    // What was not touched keeps its milliseconds, and may lie in the past.
    ...(startTime !== first.startTime && { startTime }),
    ...(endTime !== first.endTime && { endTime }),
    ...hours,
    shareName: form.shareName.trim() === '' ? null : form.shareName.trim(),
    description: form.description.trim() === '' ? null : form.description.trim(),
  };
}

/** A share stays of a role, or without one: only which role can change. */
function changedRights({ rights, roleId }: ShareForm, before: string | null) {
  if (before === null) return { permission: [...rights] };
  return roleId === null || roleId === before ? {} : { roleId };
}

function givenRights({ rights, roleId }: ShareForm) {
  return roleId === null ? { permission: [...rights] } : { shareType: SHARE_TYPE.fromRole, roleId };
}

function itemsOf({ item, channels }: ShareTarget, chosen: ReadonlySet<number>): ShareItem[] {
  if (channels === undefined || chosen.size === 0 || !('deviceSerial' in item)) return [item];
  const { deviceSerial } = item;
  return channels
    .filter(({ channelNo }) => chosen.has(channelNo))
    .map(({ channelNo }) => ({ deviceSerial, channelNo }));
}
