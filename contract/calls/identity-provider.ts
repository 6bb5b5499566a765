// Calls of identity providers (OpenID Connect, and directories by LDAP): those of the installation, signing in by one, and what an account is linked to.
import { z } from 'zod';
import { call } from '../call.ts';
import { id, nameText, smallInt, timeMs } from '../entities.ts';
import { USER_TYPE } from '../enumerations.ts';
import { IDENTITY_REASONS } from '../errors.ts';
import { DIRECTORY_LIMITS, IDENTITY_LIMITS } from '../limits.ts';
import { browserId, password, SignedIn } from './account.ts';
import { DirectorySettings } from './directory-settings.ts';

const operatorOnly = { kind: 'userType', userTypes: [USER_TYPE.super] } as const;

/** As the provider writes it in its tokens: an address without query, fragment and credentials. */
const issuer = z
  .string()
  .max(IDENTITY_LIMITS.issuerLength)
  .regex(/^https?:\/\/[^\s?#@\\]+$/);
const scopes = z
  .string()
  .max(IDENTITY_LIMITS.scopesLength)
  .regex(/^[A-Za-z0-9:/._~*@+-]+(?: [A-Za-z0-9:/._~*@+-]+)*$/);
const claimText = z.string().min(1).max(IDENTITY_LIMITS.claimLength);

/** Of a directory the distinguished name by which it is searched; absent: without a name. */
const clientId = z.string().min(1).max(DIRECTORY_LIMITS.nameLength).optional();
/**
 * Absent: that of `providerId` stays, if the issuer does, or the hosts of the directory and how they are reached; null: the client has
 * none. Of a directory the password to its name.
 */
const clientSecret = z.string().min(1).max(IDENTITY_LIMITS.secretLength).nullable().optional();

/** Whoever has the value in the claim gets the role, in the organisation where one is named. */
const identityMapping = z
  .object({
    claim: claimText,
    value: claimText,
    /** Null: the role was deleted. The row gives nothing, and still decides. */
    roleId: id.nullable(),
    organizationId: id.nullable(),
  })
  .strict();

export const IdentityProvider = z.object({
  providerId: z.string(),
  providerName: z.string(),
  /** Of a directory one that the server made: half of who its users are. */
  issuer: z.string(),
  /** Of a directory the name by which it is searched; empty: without a name. */
  clientId: z.string(),
  hasSecret: z.boolean(),
  scopes: z.string(),
  isEnabled: z.boolean(),
  /** Who has no account gets one. */
  createsAccounts: z.boolean(),
  /** Accounts with the same e-mail address are linked, where the provider says that it is verified. */
  linksByEmail: z.boolean(),
  /** The first row that fits decides. */
  mappingList: z.array(identityMapping),
  /** To register with the provider, for the address that the console was opened by. */
  redirectUrl: z.string(),
  linkTotal: z.number().int(),
  /** Null: an identity provider of OpenID Connect. */
  directory: DirectorySettings.nullable(),
  version: z.number().int(),
  createTime: timeMs,
});
export type IdentityProvider = z.infer<typeof IdentityProvider>;

export const IdentityLink = z.object({
  providerId: z.string(),
  providerName: z.string(),
  /** As the provider called the user last; empty: it did not. */
  userLabel: z.string(),
  createTime: timeMs,
  lastUsedAt: timeMs,
});
export type IdentityLink = z.infer<typeof IdentityLink>;

/** What the provider put behind the redirect address, without `?`. */
const parameters = z.string().max(IDENTITY_LIMITS.answerLength);
const address = z.object({ url: z.string() });
/** 256 bits, base64url. */
const word = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

export const identityProviderCalls = {
  'identity/provider/list': call({
    summary: 'Identity providers of the installation, without their secrets',
    permission: operatorOnly,
    audit: 'none',
    input: z.object({}).strict(),
    output: z.object({ total: z.number().int(), providerList: z.array(IdentityProvider) }),
  }),
  'identity/provider/save': call({
    summary: 'Add an identity provider, or change the one that `providerId` and `version` name',
    permission: operatorOnly,
    audit: 'write',
    stepUp: 'session',
    errors: [1007, 1010, 1011, 1016, 1040],
    input: z
      .object({
        providerId: id.optional(),
        version: smallInt.optional(),
        providerName: nameText,
        /** Required of OpenID Connect, as `clientId` and `scopes` are; directories have none. */
        issuer: issuer.optional(),
        clientId,
        clientSecret,
        scopes: scopes.optional(),
        /** A directory; absent: an identity provider of OpenID Connect. The kind of one that is saved stays. */
        directory: DirectorySettings.optional(),
        isEnabled: z.boolean(),
        createsAccounts: z.boolean(),
        linksByEmail: z.boolean(),
        mappingList: z.array(identityMapping).max(IDENTITY_LIMITS.mappings),
      })
      .strict(),
    output: z.object({ provider: IdentityProvider }),
  }),
  'identity/provider/delete': call({
    summary: 'Forget an identity provider with its links; accounts stay',
    permission: operatorOnly,
    audit: 'write',
    stepUp: 'session',
    errors: [1007, 1040],
    input: z.object({ providerId: id }).strict(),
    output: z.object({}),
  }),
  'identity/provider/test': call({
    summary: 'Fetch the description of the identity provider with this issuer, or search a directory',
    permission: operatorOnly,
    audit: 'write',
    errors: [1007],
    input: z
      .object({
        issuer: issuer.optional(),
        /** Whose password is used where `clientSecret` is absent. */
        providerId: id.optional(),
        clientId,
        clientSecret,
        directory: DirectorySettings.optional(),
        /** Who is looked for in the directory; absent: anybody. */
        userName: z.string().min(1).max(64).optional(),
      })
      .strict(),
    output: z.object({
      /** Null: it can be used. */
      reason: z.enum(IDENTITY_REASONS).nullable(),
      /** What was wrong in more words; empty for none. */
      detail: z.string(),
      /** Where users are sent to sign in; empty: unknown. */
      authorizationUrl: z.string(),
      /** Whom the directory has; null: nobody, or no directory. */
      user: z
        .object({
          subject: z.string(),
          name: z.string(),
          email: z.string(),
          /** Those that name the user. */
          groups: z.array(z.string()),
          /** Those that the user is in through others. */
          nestedGroups: z.array(z.string()),
          /** There are more than count. */
          hasMoreGroups: z.boolean(),
        })
        .nullable(),
    }),
  }),
  'identity/signIn/begin': call({
    summary: 'Address of an identity provider to send the browser to; binds the sign-in to the browser by a cookie',
    permission: { kind: 'public' },
    audit: 'none',
    errors: [1007, 1044],
    input: z
      .object({
        providerId: id,
        /** Of a native client that waits: SHA-256 of the word by which it takes the sign-in over, base64url. */
        challenge: word.optional(),
      })
      .strict(),
    output: address,
  }),
  'identity/signIn/finish': call({
    summary: 'Sign in with what the identity provider answered',
    permission: { kind: 'public' },
    audit: 'write',
    errors: [1011, 1044, 2031],
    input: z.object({ providerId: id, parameters, browserId }).strict(),
    output: SignedIn,
  }),
  'identity/signIn/handOver': call({
    summary: 'Hand what the identity provider answered to the native client that waits: a ticket in place of a session',
    permission: { kind: 'public' },
    audit: 'write',
    errors: [1011, 1044, 2031],
    input: z.object({ providerId: id, parameters }).strict(),
    output: z.object({ ticket: z.string() }),
  }),
  'identity/signIn/redeem': call({
    summary: 'Sign a native client in by the ticket that the browser handed to it, once and within a minute',
    permission: { kind: 'public' },
    audit: 'write',
    errors: [1044, 2031],
    input: z.object({ providerId: id, ticket: word, verifier: word, browserId }).strict(),
    output: SignedIn,
  }),
  'identity/link/list': call({
    summary: 'Identity providers that sign the account in, and those that it may be linked to',
    permission: { kind: 'session' },
    audit: 'read',
    input: z.object({}).strict(),
    output: z.object({
      linkList: z.array(IdentityLink),
      offerList: z.array(
        z.object({
          providerId: z.string(),
          providerName: z.string(),
          /** Linked by `identity/link/directory`; else by `identity/link/begin`. */
          isDirectory: z.boolean(),
        }),
      ),
      /** False: the links are the only way in, and stay. */
      hasPassword: z.boolean(),
    }),
  }),
  'identity/link/begin': call({
    summary: 'Address of an identity provider to link the account to',
    permission: { kind: 'session' },
    audit: 'none',
    stepUp: 'session',
    errors: [1007, 1040, 1044],
    input: z.object({ providerId: id }).strict(),
    output: address,
  }),
  'identity/proof/begin': call({
    summary:
      'Address of the identity provider where an account without a password signs in again, in place of `account/stepUp`',
    permission: { kind: 'session' },
    audit: 'none',
    errors: [1006, 1007, 1044],
    input: z.object({}).strict(),
    output: address,
  }),
  'identity/link/finish': call({
    summary: 'What `identity/link/begin` or `identity/proof/begin` of this session led to',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1016, 1044],
    input: z.object({ providerId: id, parameters }).strict(),
    output: z.object({
      /** The session has proved itself until then; 0: the account was linked. */
      provedUntil: timeMs,
    }),
  }),
  'identity/link/directory': call({
    summary: 'Link the account to the user of a directory whose name and password these are',
    permission: { kind: 'session' },
    audit: 'write',
    stepUp: 'session',
    errors: [1007, 1040, 1044, 2004, 2031],
    input: z.object({ providerId: id, userName: z.string().min(1).max(64), password }).strict(),
    output: z.object({}),
  }),
  'identity/link/delete': call({
    summary: 'Let the account be signed in by this identity provider no more; refused where it has no password',
    permission: { kind: 'session' },
    audit: 'write',
    stepUp: 'session',
    errors: [1006, 1007, 1040],
    input: z.object({ providerId: id }).strict(),
    output: z.object({}),
  }),
} as const;
