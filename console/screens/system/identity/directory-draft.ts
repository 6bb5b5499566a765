// A directory as it is being edited, the usual settings of two kinds of them, and what it is saved with.
import type { DirectorySettings } from '@vedette/contract/calls/directory-settings.ts';

/** `hosts` as typed, with spaces or commas between them. */
export type DirectoryDraft = Omit<DirectorySettings, 'hosts' | 'nestedGroups'> & {
  readonly hosts: string;
  readonly nestedGroups: boolean;
};

/** In a user filter: what was typed. */
export const USER_NAME_PLACE = '{username}';

const OPEN_LDAP: Omit<DirectoryDraft, 'hosts' | 'authority' | 'searchBase' | 'security' | 'nestedGroups'> = {
  userFilter: '(&(objectClass=inetOrgPerson)(uid={username}))',
  idAttribute: 'entryUUID',
  nameAttribute: 'uid',
  mailAttribute: 'mail',
  groupsBy: 'member',
  groupBase: '',
};
const ACTIVE_DIRECTORY: typeof OPEN_LDAP = {
  // Without computers, and without accounts that are disabled (bit 2).
  userFilter: '(&(objectCategory=person)(sAMAccountName={username})(!(userAccountControl:1.2.840.113556.1.4.803:=2)))',
  idAttribute: 'objectGUID',
  nameAttribute: 'sAMAccountName',
  mailAttribute: 'mail',
  groupsBy: 'memberOf',
  groupBase: '',
};

/** What the fields are filled with. */
export const DIRECTORY_PRESETS = { openLdap: OPEN_LDAP, activeDirectory: ACTIVE_DIRECTORY } as const;
export type DirectoryPreset = keyof typeof DIRECTORY_PRESETS;

export const NEW_DIRECTORY: DirectoryDraft = {
  ...OPEN_LDAP,
  hosts: '',
  security: 'ldaps',
  authority: '',
  searchBase: '',
  nestedGroups: false,
};

export function directoryDraftOf(settings: DirectorySettings): DirectoryDraft {
  return { ...settings, hosts: settings.hosts.join(' '), nestedGroups: settings.nestedGroups === true };
}

/** Null while anything is missing; the server looks at the rest. */
export function directoryOf(draft: DirectoryDraft): DirectorySettings | null {
  const hosts = draft.hosts.split(/[\s,]+/).filter((host) => host !== '');
  const texts = ['searchBase', 'userFilter', 'idAttribute', 'nameAttribute', 'mailAttribute', 'groupBase'] as const;
  const trimmed = Object.fromEntries(texts.map((name) => [name, draft[name].trim()])) as Pick<
    DirectorySettings,
    (typeof texts)[number]
  >;
  const isWhole =
    hosts.length > 0 &&
    trimmed.searchBase !== '' &&
    trimmed.userFilter.includes(USER_NAME_PLACE) &&
    [trimmed.idAttribute, trimmed.nameAttribute].every((name) => ATTRIBUTE.test(name)) &&
    (trimmed.mailAttribute === '' || ATTRIBUTE.test(trimmed.mailAttribute));
  return isWhole ? { ...draft, ...trimmed, hosts, authority: draft.authority.trim() } : null;
}

const ATTRIBUTE = /^[A-Za-z][A-Za-z0-9-]{0,63}$/;
