// Says in the user's words what an entry of the audit log is about: its call as a sentence, its ids as the names they have now.
import type { AuditEntry } from '@vedette/contract/calls/audit.ts';
import type { AuditedPath } from '@vedette/contract/calls/calls.ts';
import { audited } from '@vedette/phrases/en/audited.ts';
import type { PlainKey } from '@vedette/phrases/pack.ts';
import { useMemo } from 'react';
import { useResources } from '../../features/resource-tree/resources.query.ts';
import { useRoles } from '../../features/role/role.query.ts';
import { useT } from '../../language/use-t.ts';
import { useUsers } from './permission.query.ts';

/** Names by what the log calls them: `deviceSerial=…`. */
type Names = ReadonlyMap<string, string>;

const OBJECT_NAMES = [
  'deviceSerial',
  'channelNo',
  'organizationId',
  'shareId',
  'userId',
  'roleId',
  'groupId',
  'sessionId',
  'siteId',
] as const;
/** Enough of an id to tell two apart by. */
const ID_LENGTH = 8;

export function useAuditWords() {
  const t = useT();
  const names = useNames(t('org.root'));
  return useMemo(
    () => ({
      sentence: ({ call }: Pick<AuditEntry, 'call'>): string => (isAudited(call) ? t(`did.${call}` as PlainKey) : call),
      object: ({ object }: Pick<AuditEntry, 'object'>): string => objectText(t, names, object),
    }),
    [t, names],
  );
}

/** An entry of an earlier version may name a call that is gone. */
function isAudited(call: string): call is AuditedPath {
  return `did.${call}` in audited;
}

function objectText(t: ReturnType<typeof useT>, names: Names, object: string): string {
  const words = object.split(' ').map((word) => {
    const known = names.get(word);
    if (known !== undefined) return known;
    const [name, value = ''] = word.split('=', 2);
    const kind = OBJECT_NAMES.find((one) => one === name);
    if (kind === undefined) return word;
    const isId = kind !== 'deviceSerial' && kind !== 'channelNo';
    return t(`object.${kind}`, { value: isId ? value.slice(0, ID_LENGTH) : value });
  });
  return words.join(t('common.listSeparator'));
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
