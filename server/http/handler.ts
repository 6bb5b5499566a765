// Handler types: one per call, each given the objects that its permission rule has checked.
import type { CallOutput, CallParsed, CallPath, calls } from '@vedette/contract/calls/calls.ts';
import type { AuthorizedDevice } from '../auth/authorize.ts';
import type { KeyProof } from '../auth/key-proofs.ts';
import type { Principal } from '../auth/principal.ts';
import type { Rights } from '../auth/rights.ts';
import type { OrganizationRow } from '../database/schema/schema.ts';
import type { AuditTrail } from './audit-trail.ts';
import type { PublicOrigin } from './public-origin.ts';

type RuleKind<P extends CallPath> = (typeof calls)[P]['permission']['kind'];

interface CommonContext<P extends CallPath> {
  readonly input: CallParsed<P>;
  readonly now: number;
  /** Address of the caller as the gateway saw it. */
  readonly address: string;
  /** Browser and system of the caller in plain words. */
  readonly agent: string;
  /** What the caller sent as its session; for public calls that say more to who has one. */
  readonly token: string | null;
  /** Of RFC 9449, for tokens of apps that are bound to a key; null: none was sent. */
  readonly proof: KeyProof | null;
  readonly origin: PublicOrigin;
  /** The `Cookie` header; empty for none. */
  readonly cookies: string;
  /** Adds a `Set-Cookie` header to the answer. */
  readonly setCookie: (header: string) => void;
  /** Filled in by a handler that knows more than the input tells, for the audit line. */
  readonly audit: Pick<AuditTrail, 'accountId' | 'object' | 'ownerIds' | 'parts' | 'isPreview'>;
}

export interface SignedInContext {
  readonly principal: Principal;
  /** When the session ends if it is not used any more. */
  readonly expireTime: number;
  /** Signed in from a browser: lists then leave out what PM-05 hides. */
  readonly isWeb: boolean;
  /** When the session proved itself last; 0: never since it was opened. */
  readonly provedAt: number;
  /** Until then the account is shown no pictures; 0 or past: it is. */
  readonly videoClosedUntil: number;
  /** Loaded on first use. */
  readonly rights: () => Promise<Rights>;
}

interface RuleContexts {
  public: object;
  session: SignedInContext;
  account: SignedInContext;
  userType: SignedInContext;
  device: SignedInContext & { readonly device: AuthorizedDevice };
  /** null is the caller's own root. */
  organization: SignedInContext & { readonly organization: OrganizationRow | null };
}

export type CallRequest<P extends CallPath> = CommonContext<P> & RuleContexts[RuleKind<P>];
export type Handler<P extends CallPath> = (request: CallRequest<P>) => Promise<CallOutput<P>>;
/** Handlers of some calls: a missing or a misspelt one does not compile. */
export type Handlers<P extends CallPath> = { readonly [Path in P]: Handler<Path> };
export type AllHandlers = Handlers<CallPath>;
