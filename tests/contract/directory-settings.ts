// The usual settings of a directory in tests, as the operator saves them.
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { BASE, type DirectoryServer, SEARCHER } from '../harness/directory-server.ts';

export type ProviderInput = CallInput<'identity/provider/save'>;
export type DirectoryInput = NonNullable<ProviderInput['directory']>;

export function directoryOf(server: DirectoryServer, more: Partial<DirectoryInput> = {}): DirectoryInput {
  return {
    hosts: [`localhost:${server.tlsPort}`],
    security: 'ldaps',
    authority: server.authority,
    searchBase: BASE,
    userFilter: '(uid={username})',
    idAttribute: 'entryUUID',
    nameAttribute: 'uid',
    mailAttribute: 'mail',
    groupsBy: 'memberOf',
    groupBase: '',
    ...more,
  };
}

export function directoryInput(directory: DirectoryInput, more: Partial<ProviderInput> = {}): ProviderInput {
  return {
    providerName: 'Head office',
    clientId: SEARCHER.name,
    clientSecret: SEARCHER.password,
    isEnabled: true,
    createsAccounts: true,
    linksByEmail: false,
    mappingList: [],
    directory,
    ...more,
  };
}
