// Tries an identity provider before it is saved: its description, or the search of a directory; what fails is told as the step that failed.
import type { CallOutput, CallParsed } from '@vedette/contract/calls/calls.ts';
import type { IdentityReason } from '@vedette/contract/errors.ts';
import { DIRECTORY_LIMITS } from '@vedette/contract/limits.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { CallError } from '../../core/call-error.ts';
import type { ProviderWithTotal } from '../../database/account/identity-provider.queries.ts';
import { DirectoryError } from '../../directory/directory-fault.ts';
import { askDirectory, type DirectoryAccessDeps, type DirectoryQuestion } from './directory-access.ts';
import { secretRow } from './identity-flows.ts';
import { IdentityProtocol } from './identity-protocol.ts';
import { refuseBadDirectory, refuseBadIssuer, secretOf } from './provider-columns.ts';

export interface ProviderTestDeps extends DirectoryAccessDeps {
  readonly clock: Clock;
}

type Given = CallParsed<'identity/provider/test'>;
type Tried = CallOutput<'identity/provider/test'>;

const NOTHING: Tried = { reason: null, detail: '', authorizationUrl: '', user: null };

/** Throws 1003 by field. */
export async function tryProvider(
  deps: ProviderTestDeps,
  input: Given,
  known: ProviderWithTotal | undefined,
): Promise<Tried> {
  if (input.directory !== undefined) return await tryDirectory(deps, { ...input, settings: input.directory }, known);
  const { issuer } = input;
  refuseBadIssuer(issuer);
  try {
    const description = await new IdentityProtocol(deps, issuer).describe();
    return { ...NOTHING, authorizationUrl: description.authorization_endpoint ?? '' };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    const { reason, detail } = error.data as { readonly reason: IdentityReason; readonly detail: string };
    return { ...NOTHING, reason, detail };
  }
}

async function tryDirectory(
  { box, ownPorts }: ProviderTestDeps,
  input: Given & { readonly settings: DirectoryQuestion['settings'] },
  known: ProviderWithTotal | undefined,
): Promise<Tried> {
  const { settings, clientId, userName } = input;
  refuseBadDirectory(settings);
  const secret = secretOf(input, known);
  const password = Buffer.isBuffer(secret) && known !== undefined ? box.open(secret, secretRow(known)) : secret;
  const bind = { name: clientId ?? '', password: typeof password === 'string' ? password : '' };
  const signal = AbortSignal.timeout(DIRECTORY_LIMITS.answerMs);
  try {
    const user = await askDirectory({ settings, bind, further: [] }, { ownPorts, signal }, async (users) =>
      users.user(await (userName === undefined ? users.anybody() : users.entryNamed(userName))),
    );
    const { subject, name, email, groups } = user;
    const { direct, nested, isCut } = groups;
    const found = { groups: [...direct], nestedGroups: [...nested], hasMoreGroups: isCut };
    return { ...NOTHING, user: { subject, name, email, ...found } };
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error;
    return { ...NOTHING, reason: error.reason, detail: error.detail };
  }
}
