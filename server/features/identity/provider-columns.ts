// What an identity provider is stored as, of either kind, and what its settings must not be.
import type { CallParsed } from '@vedette/contract/calls/calls.ts';
import { fieldError } from '../../core/call-error.ts';
import type { SecretBox } from '../../core/secret-box.ts';
import type { ProviderColumns, ProviderWithTotal } from '../../database/account/identity-provider.queries.ts';
import { isUserFilter } from '../../directory/directory-filter.ts';
import { hostAndPort } from '../../directory/directory-socket.ts';
import { isCertificateList } from './certificate-list.ts';
import { secretRow } from './identity-flows.ts';

type Given = CallParsed<'identity/provider/save'>;
type Settings = NonNullable<Given['directory']>;
/** What decides where a kept password goes. */
type Asked = Pick<Given, 'issuer' | 'clientId' | 'clientSecret' | 'directory'>;

/** What the contract's schema cannot express. Throws 1003 by field. */
export function refuseBadSettings({ issuer, clientId, scopes, directory }: Given): void {
  if (directory !== undefined) return refuseBadDirectory(directory);
  refuseBadIssuer(issuer);
  if (clientId === undefined) throw fieldError({ clientId: 'required' });
  if (scopes === undefined || !scopes.split(' ').includes('openid')) throw fieldError({ scopes: 'format' });
}

export function refuseBadIssuer(issuer: string | undefined): asserts issuer is string {
  if (issuer === undefined) throw fieldError({ issuer: 'required' });
  const url = URL.canParse(issuer) ? new URL(issuer) : null;
  if (url === null || url.username !== '' || url.password !== '') throw fieldError({ issuer: 'format' });
}

export function refuseBadDirectory({ hosts, security, authority, userFilter }: Settings): void {
  const arePorts = hosts.every((host) => {
    const { port } = hostAndPort({ host, security });
    return port >= 1 && port <= 65_535;
  });
  if (!arePorts) throw fieldError({ hosts: 'format' });
  if (authority.trim() !== '' && !isCertificateList(authority)) throw fieldError({ authority: 'format' });
  if (!isUserFilter(userFilter)) throw fieldError({ userFilter: 'format' });
}

/** Its users and its password belong to the other kind, and known users to the attribute that told them apart. */
export function refuseOtherKind({ directory }: Given, known: ProviderWithTotal | undefined): void {
  if (known === undefined) return;
  const before = known.directory;
  if ((before === null) !== (directory === undefined)) throw fieldError({ directory: 'notAllowed' });
  const isRenamed = before !== null && before.idAttribute !== directory?.idAttribute;
  if (isRenamed && known.link_total > 0) throw fieldError({ idAttribute: 'notAllowed' });
}

export function columnsOf(
  box: SecretBox,
  input: Given,
  { providerId, known }: { readonly providerId: string; readonly known: ProviderWithTotal | undefined },
): ProviderColumns {
  const { directory } = input;
  const secret = secretOf(input, known);
  return {
    provider_name: input.providerName.trim(),
    // Hosts may change: they are not who a user is.
    issuer: directory === undefined ? (input.issuer ?? '') : `ldap:${providerId}`,
    client_id: input.clientId ?? '',
    client_secret: typeof secret === 'string' ? box.seal(secret, secretRow({ provider_id: providerId })) : secret,
    scopes: input.scopes ?? '',
    is_enabled: input.isEnabled,
    creates_accounts: input.createsAccounts,
    links_by_email: input.linksByEmail,
    directory: directory === undefined ? null : JSON.stringify(directory),
  };
}

/** The given one in clear text, or the kept one, sealed. A kept secret goes only where it was kept for: elsewhere it is asked for anew. */
export function secretOf(input: Asked, known: ProviderWithTotal | undefined): string | Buffer | null {
  const secret = input.clientSecret === undefined ? keptSecret(input, known) : input.clientSecret;
  // The name of a directory proves itself by a password; a client of OpenID Connect may be public.
  const isMissing = input.directory !== undefined && input.clientId !== undefined && secret === null;
  if (isMissing) throw fieldError({ clientSecret: 'required' });
  return secret;
}

function keptSecret(input: Asked, known: ProviderWithTotal | undefined): Buffer | null {
  const kept = known?.client_secret ?? null;
  const isUnsaid = known === undefined && input.directory === undefined;
  const isElsewhere = known !== undefined && kept !== null && !goesToSame(input, known);
  if (isUnsaid || isElsewhere) throw fieldError({ clientSecret: 'required' });
  return kept;
}

function goesToSame({ issuer, clientId, directory }: Asked, known: ProviderWithTotal): boolean {
  const before = known.directory;
  if (directory === undefined) return before === null && known.issuer === issuer;
  return (
    before !== null &&
    known.client_id === (clientId ?? '') &&
    before.hosts.join(' ') === directory.hosts.join(' ') &&
    before.security === directory.security &&
    before.authority === directory.authority
  );
}
