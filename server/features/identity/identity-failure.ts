// Why an identity provider signed nobody in: what the protocol library and the connection threw, as one of the contract's reasons.
import { type IdentityReason } from '@vedette/contract/errors.ts';
import * as oauth from 'oauth4webapi';
import { CallError } from '../../core/call-error.ts';
import { OutboundError } from '../../outbound/outbound-fault.ts';

export function identityFailure(reason: IdentityReason, detail = ''): CallError {
  return new CallError('identityFailed', { reason, detail });
}

/** At which step it went wrong: a word that the provider writes badly means another thing in its description than in its token. */
export type ProtocolStep = 'description' | 'answer' | 'token';

const USUAL_REASON: Readonly<Record<ProtocolStep, IdentityReason>> = {
  description: 'identityBadProvider',
  answer: 'identityBadToken',
  token: 'identityBadToken',
};
const BY_CODE: Readonly<Record<string, IdentityReason>> = {
  [oauth.AUTHORIZATION_RESPONSE_ERROR]: 'identityDenied',
  [oauth.RESPONSE_BODY_ERROR]: 'identityRefusedClient',
  [oauth.WWW_AUTHENTICATE_CHALLENGE]: 'identityRefusedClient',
  [oauth.JWT_TIMESTAMP_CHECK]: 'identityClock',
  [oauth.RESPONSE_IS_NOT_CONFORM]: 'identityBadProvider',
  [oauth.RESPONSE_IS_NOT_JSON]: 'identityBadProvider',
  [oauth.PARSE_ERROR]: 'identityBadProvider',
  [oauth.MISSING_SERVER_METADATA]: 'identityBadProvider',
  [oauth.INVALID_SERVER_METADATA]: 'identityBadProvider',
  [oauth.HTTP_REQUEST_FORBIDDEN]: 'identityBadProvider',
};
const OWN_WORD = /^[a-z_]{1,64}$/;

/** Texts of the library are constant; of what the provider wrote only an error word of OAuth is told. */
export function protocolFailure(error: unknown, step: ProtocolStep): CallError {
  if (error instanceof CallError) return error;
  if (error instanceof OutboundError) {
    return identityFailure(error.kind === 'address' ? 'identityRefusedAddress' : 'identityUnreachable', error.message);
  }
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError) {
    return identityFailure(BY_CODE[error.code] ?? USUAL_REASON[step], OWN_WORD.test(error.error) ? error.error : '');
  }
  if (isCoded(error)) return identityFailure(BY_CODE[error.code] ?? USUAL_REASON[step], error.message);
  throw error;
}

/** Errors of the library, and of the platform where a key or a token is malformed. */
function isCoded(error: unknown): error is Error & { readonly code: string } {
  if (!(error instanceof Error)) return false;
  if (error instanceof TypeError || error.name === 'DataError' || error.name === 'OperationError') {
    Object.assign(error, { code: 'code' in error && typeof error.code === 'string' ? error.code : '' });
    return true;
  }
  return 'code' in error && typeof error.code === 'string' && error.code.startsWith('OAUTH_');
}
