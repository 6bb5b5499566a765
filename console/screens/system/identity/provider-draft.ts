// An identity provider as it is being edited, and what it is saved with.
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import type { IdentityProvider } from '@vedette/contract/calls/identity-provider.ts';

export interface MappingDraft {
  /** Names the row while rows move. */
  readonly key: number;
  readonly claim: string;
  readonly value: string;
  /** Null: none is chosen yet, or it was deleted. */
  readonly roleId: string | null;
  readonly organizationId: string | null;
}

export interface ProviderDraft {
  readonly providerName: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: string;
  readonly isEnabled: boolean;
  readonly createsAccounts: boolean;
  readonly linksByEmail: boolean;
  readonly mappingList: readonly MappingDraft[];
}

const NEW: ProviderDraft = {
  providerName: '',
  issuer: 'https://',
  clientId: '',
  clientSecret: '',
  scopes: 'openid email profile',
  isEnabled: true,
  createsAccounts: true,
  linksByEmail: false,
  mappingList: [],
};

export function draftOf(provider: IdentityProvider | null): ProviderDraft {
  if (provider === null) return NEW;
  const { providerName, issuer, clientId, scopes, isEnabled, createsAccounts, linksByEmail } = provider;
  const mappingList = provider.mappingList.map((row, key) => ({ ...row, key }));
  return {
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

/** Null while anything is missing. An empty secret keeps that of a known provider, and means a public client of a new one. */
export function inputOf(
  draft: ProviderDraft,
  provider: IdentityProvider | null,
): CallInput<'identity/provider/save'> | null {
  const { clientSecret, mappingList, ...rest } = draft;
  const rows = mappingList.flatMap(({ key: _key, ...row }) =>
    row.roleId === null || row.claim === '' || row.value === '' ? [] : [{ ...row, roleId: row.roleId }],
  );
  const isWhole = draft.providerName.trim() !== '' && draft.clientId !== '' && rows.length === mappingList.length;
  if (!isWhole || !isIssuerGood(draft.issuer) || !draft.scopes.split(' ').includes('openid')) return null;
  const secret = clientSecret !== '' ? { clientSecret } : provider === null ? { clientSecret: null } : {};
  const known = provider === null ? {} : { providerId: provider.providerId, version: provider.version };
  return { ...rest, ...secret, ...known, mappingList: rows };
}
