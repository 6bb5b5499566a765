// Says in the user's words what an entry of the audit log is about: its call as a sentence, its object by name, why it failed.
import type { AuditWay } from '@vedette/contract/audit-detail.ts';
import type { AuditEntry } from '@vedette/contract/calls/audit.ts';
import type { AuditedPath } from '@vedette/contract/calls/calls.ts';
import { SUCCESS } from '@vedette/contract/errors.ts';
import { audited, type auditedObjects } from '@vedette/phrases/en/audited.ts';
import type { PlainKey } from '@vedette/phrases/pack.ts';
import { useMemo } from 'react';
import { codeText } from '../../calls/failure-text.ts';
import { useResources } from '../../features/resource-tree/resources.query.ts';
import { useRoles } from '../../features/role/role.query.ts';
import { enumerationText } from '../../language/enumeration-text.ts';
import { useT } from '../../language/use-t.ts';
import { PERMISSION_ORDER, PERMISSION_WORDS, TYPE_WORDS } from './permission-words.ts';
import { useUsers } from './permission.query.ts';

type T = ReturnType<typeof useT>;
/** Names by what the log calls them: `deviceSerial=…`. */
type Names = ReadonlyMap<string, string>;
type ObjectKey = keyof typeof auditedObjects;

/** Ids that mean something to a reader, and are shown whole. */
const READABLE: readonly string[] = [
  'deviceSerial',
  'channelNo',
  'presetIndex',
  'section',
  'disk',
  'output',
  'fromVersion',
  'toVersion',
];
/** Enough of any other id to tell two apart by. */
const ID_LENGTH = 8;

export function useAuditWords() {
  const t = useT();
  const names = useNames(t('org.root'));
  return useMemo(
    () => ({
      sentence: (entry: Pick<AuditEntry, 'call' | 'detail'>): string => sentenceOf(t, entry),
      object: (entry: Pick<AuditEntry, 'object' | 'detail'>): string => objectText(t, names, entry),
      failure: ({ code, detail }: Pick<AuditEntry, 'code' | 'detail'>): string =>
        code === SUCCESS ? '' : codeText(t, code, '', detail?.reason === undefined ? null : { reason: detail.reason }),
      field: (field: string): string => t.find(`field.${field}`) ?? field,
      value: (field: string, value: string | null): string => valueText(t, field, value),
    }),
    [t, names],
  );
}

function sentenceOf(t: T, { call, detail }: Pick<AuditEntry, 'call' | 'detail'>): string {
  if (detail?.isPreview === true) return t('audit.preview');
  if (isAudited(call)) return t(`did.${call}` as PlainKey);
  const way = detail?.way;
  return way !== undefined && isTold(way) ? t(`audit.way.${way}`) : call;
}

/** Of calls that are written down only where they show something. */
const TOLD_WAYS = ['alarmPicture', 'sightingPicture', 'presetPicture', 'download'] as const;

function isTold(way: AuditWay): way is (typeof TOLD_WAYS)[number] {
  return (TOLD_WAYS as readonly AuditWay[]).includes(way);
}

/** An entry of an earlier version may name a call that is gone. */
function isAudited(call: string): call is AuditedPath {
  return `did.${call}` in audited;
}

/** By the names of that time where the entry holds them, else by those of now. */
function objectText(t: T, names: Names, { object, detail }: Pick<AuditEntry, 'object' | 'detail'>): string {
  const items = (detail?.itemList ?? []).map(({ name }) => name).filter((name) => name !== '');
  const { subject } = detail ?? {};
  const named = subject === undefined ? items : [...items, subjectText(t, subject)];
  if (named.length > 0) return [...named, ...moreText(t, object)].join(t('common.listSeparator'));
  const words = object.split(' ').map((word) => names.get(word) ?? wordText(t, word));
  return words.join(t('common.listSeparator'));
}

function subjectText(t: T, { kind, name }: NonNullable<NonNullable<AuditEntry['detail']>['subject']>): string {
  return kind === 'setting' ? t('screen.system') : name;
}

/** What names alone do not say: which settings of a device, which preset. */
function moreText(t: T, object: string): string[] {
  const shown = object.split(' ').filter((word) => {
    const [name = ''] = word.split('=', 1);
    return READABLE.includes(name) && name !== 'deviceSerial' && name !== 'channelNo';
  });
  return shown.map((word) => wordText(t, word));
}

function wordText(t: T, word: string): string {
  const [name = '', value = ''] = word.split('=', 2);
  const shown = READABLE.includes(name) ? value : value.slice(0, ID_LENGTH);
  return t.find(`object.${name}` satisfies string as ObjectKey, { value: shown }) ?? word;
}

function valueText(t: T, field: string, value: string | null): string {
  if (value === null || value === '') return t('audit.none');
  if (field === 'userType') return enumerationText(t, TYPE_WORDS, Number(value));
  if (field === 'permissions') {
    const held = value.split(', ');
    const rights = PERMISSION_ORDER.filter((right) => held.includes(right)).map((right) => t(PERMISSION_WORDS[right]));
    return rights.join(t('common.listSeparator'));
  }
  if (value === 'true' || value === 'false') return t(value === 'true' ? 'audit.yes' : 'audit.no');
  return value;
}

/** Of what the account sees now; what is gone keeps its id. */
function useNames(root: string): Names {
  const resources = useResources().data;
  const roles = useRoles().data?.roleList;
  const users = useUsers('', 0).data?.userList;
  return useMemo(() => {
    const names = new Map([['organizationId=0', root]]);
    for (const one of resources ?? []) {
      if (one.resourceType === 'device') names.set(`deviceSerial=${one.device.deviceSerial}`, one.device.deviceName);
      if (one.resourceType === 'organization')
        names.set(`organizationId=${one.organization.organizationId}`, one.organization.organizationName);
    }
    for (const { roleId, roleName } of roles ?? []) names.set(`roleId=${roleId}`, roleName);
    for (const { userId, userName } of users ?? []) names.set(`userId=${userId}`, userName);
    return names;
  }, [root, resources, roles, users]);
}
