// An identity provider as it is being edited, and what it is saved with.
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import type { IdentityProvider } from '@vedette/contract/calls/identity-provider.ts';
import { type DirectoryDraft, directoryDraftOf, directoryOf, NEW_DIRECTORY } from './directory-draft.ts';

export interface MappingDraft {
  /** Names the row while rows move. */
  readonly key: number;
  readonly claim: string;
  readonly value: string;
  /** Null: none is chosen yet, or it was deleted. */
  readonly roleId: string | null;
  readonly organizationId: string | null;
}

export const PROVIDER_KINDS = ['oidc', 'ldap'] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

export interface ProviderDraft {
  readonly kind: ProviderKind;
  readonly providerName: string;
  readonly issuer: string;
  /** Of a directory the name by which it is searched. */
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: string;
  readonly isEnabled: boolean;
  readonly createsAccounts: boolean;
  readonly linksByEmail: boolean;
  readonly mappingList: readonly MappingDraft[];
  readonly directory: DirectoryDraft;
}

const NEW: ProviderDraft = {
  kind: 'oidc',
  providerName: '',
  issuer: 'https://',
  clientId: '',
  clientSecret: '',
  scopes: 'openid email profile',
  isEnabled: true,
  createsAccounts: true,
  linksByEmail: false,
  mappingList: [],
  directory: NEW_DIRECTORY,
};

export function draftOf(provider: IdentityProvider | null): ProviderDraft {
  if (provider === null) return NEW;
  const { providerName, issuer, clientId, scopes, isEnabled, createsAccounts, linksByEmail, directory } = provider;
  const mappingList = provider.mappingList.map((row, key) => ({ ...row, key }));
  return {
    kind: directory === null ? 'oidc' : 'ldap',
    directory: directory === null ? NEW_DIRECTORY : directoryDraftOf(directory),
    providerName,
    issuer,
    clientId,
    clientSecret: '',
    scopes,
    isEnabled,
    createsAccounts,
    linksByEmail,
    mappingList,
  };
}

export function newRow(rows: readonly MappingDraft[]): MappingDraft {
  const key = Math.max(-1, ...rows.map((row) => row.key)) + 1;
  return { key, claim: rows.at(-1)?.claim ?? 'groups', value: '', roleId: null, organizationId: null };
}

/** With its place taken by the row above. */
export function movedUp(rows: readonly MappingDraft[], index: number): readonly MappingDraft[] {
  const [row, above] = [rows[index], rows[index - 1]];
  if (row === undefined || above === undefined) return rows;
  return rows.map((one, at) => (at === index - 1 ? row : at === index ? above : one));
}

export function isIssuerGood(issuer: string): boolean {
  return /^https?:\/\/[^\s?#@\\]+$/.test(issuer) && URL.canParse(issuer);
}

/** Null while anything is missing. An empty secret keeps that of a known provider; a new one has none then. */
export function inputOf(
  draft: ProviderDraft,
  provider: IdentityProvider | null,
): CallInput<'identity/provider/save'> | null {
  const { providerName, isEnabled, createsAccounts, linksByEmail, mappingList } = draft;
  const rows = mappingList.flatMap(({ key: _key, ...row }) =>
    row.roleId === null || row.claim === '' || row.value === '' ? [] : [{ ...row, roleId: row.roleId }],
  );
  const place = draft.kind === 'ldap' ? directoryPlace(draft) : openIdPlace(draft);
  if (place === null || providerName.trim() === '' || rows.length !== mappingList.length) return null;
  const known = provider === null ? {} : { providerId: provider.providerId, version: provider.version };
  const settings = { providerName, isEnabled, createsAccounts, linksByEmail, mappingList: rows };
  return { ...settings, ...place, ...secretOf(draft, provider), ...known };
}

/** What a test asks with; null while anything is missing. */
export function testOf(
  draft: ProviderDraft,
  provider: IdentityProvider | null,
  userName: string,
): CallInput<'identity/provider/test'> | null {
  if (draft.kind === 'oidc') return isIssuerGood(draft.issuer) ? { issuer: draft.issuer } : null;
  const place = directoryPlace(draft);
  if (place === null) return null;
  const known = provider === null ? {} : { providerId: provider.providerId };
  const user = userName.trim() === '' ? {} : { userName: userName.trim() };
  return { ...place, ...secretOf(draft, provider), ...known, ...user };
}

function openIdPlace({ issuer, clientId, scopes }: ProviderDraft) {
  const isWhole = clientId !== '' && isIssuerGood(issuer) && scopes.split(' ').includes('openid');
  return isWhole ? { issuer, clientId, scopes } : null;
}

function directoryPlace(draft: ProviderDraft) {
  const directory = directoryOf(draft.directory);
  const name = draft.clientId.trim();
  return directory === null ? null : { directory, ...(name !== '' && { clientId: name }) };
}

function secretOf({ kind, clientId, clientSecret }: ProviderDraft, provider: IdentityProvider | null) {
  // Without a name there is no password.
  if (kind === 'ldap' && clientId.trim() === '') return { clientSecret: null };
  if (clientSecret !== '') return { clientSecret };
  return provider === null ? { clientSecret: null } : {};
}
