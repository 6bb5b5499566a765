// All answer codes by number and name; phrases hold one sentence per code and language.

export const SUCCESS = 200;

export const ERROR_CODES = {
  success: 200,
  serverInternalError: 1000,
  tokenInvalid: 1001,
  tokenExpired: 1002,
  paramInvalid: 1003,
  permissionDenied: 1004,
  tooManyRequests: 1005,
  functionNotSupported: 1006,
  notFound: 1007,
  ownership: 1008,
  devNotExist: 1009,
  stale: 1010,
  quotaExceeded: 1011,
  serviceBusy: 1012,
  captchaRequired: 1013,
  captchaFailed: 1014,
  verifyCodeWrong: 1015,
  alreadyExists: 1016,
  shareEnded: 1017,
  /** `data.userName` says who talks. */
  talkBusy: 1018,
  /** `data.userName` is the operator who controls the camera. */
  ptzBusy: 1021,
  /** `data.organizationTotal` and `data.deviceTotal` count its content. */
  organizationNotEmpty: 1030,
  /** Requires `account/stepUp` first; `data.methods` names the second factors, none if the password is enough; `data.providerName` the identity provider that stands for a password. */
  stepUpRequired: 1040,
  /** Video is closed after a reset by the operator; `data.until` says how long. */
  videoClosed: 1041,
  /** Password and two-factor may not be reset shortly after each other; `data.until` says when the other may be. */
  resetTooSoon: 1042,
  /** The account has a confirmed address: use `user/password/reset`, which sends a link there. */
  resetByLink: 1043,
  /** `data.reason` says why an identity provider signed nobody in; `data.detail` what it said itself, if anything. */
  identityFailed: 1044,
  untransferSelf: 1437,
  userPWDIncorrect: 2004,
  exitDev: 2024,
  exitShareDev: 2029,
  userLocked: 2031,
  twofactorAuth: 2076,
  devInternalErr: 2316,
  devResponseTimeOut: 2317,
} as const;

export type ErrorName = keyof typeof ERROR_CODES;
export type ErrorCode = (typeof ERROR_CODES)[ErrorName];

/** Name of a code, or undefined for a number outside the table. */
export function errorName(code: number): ErrorName | undefined {
  // Nothing is computed ahead, so whoever imports another row of this file does not load the table.
  return (Object.keys(ERROR_CODES) as ErrorName[]).find((name) => ERROR_CODES[name] === code);
}

/** Codes after which the console logs out, one second later (ST-05). */
export const SESSION_ENDING_CODES: ReadonlySet<number> = new Set([1001, 1002, 2031]);

/** `data.reason` of 2316 and 2317: what the device did, chosen by the driver's error map. */
export const DEVICE_REASONS = [
  'deviceAuth',
  'unreachable',
  'timeout',
  'offline',
  'refusedAddress',
  /** Its certificate changed, or it asks for Basic where it used digest before. */
  'untrusted',
  /** Quarantined: its answers took more time or bytes than allowed. */
  'misbehaving',
  'wrongProtocol',
  /** What answers at the new address says that it is another device than the one that was added. */
  'otherDevice',
  'noVideo',
  'unsupportedCodec',
  /** Its video starts without a keyframe, and none can be requested. */
  'noKeyPicture',
  'fault',
  /** The remote site that has the device cannot be reached from here. */
  'siteAway',
] as const;
export type DeviceReason = (typeof DEVICE_REASONS)[number];

/** `data.reason` of 1044. */
export const IDENTITY_REASONS = [
  /** Its address may not be dialled under the network policy. */
  'identityRefusedAddress',
  /** It does not answer in time, or breaks off. */
  'identityUnreachable',
  /** What answers there is no identity provider with that issuer, or lacks what is needed. */
  'identityBadProvider',
  /** It refused the code or the client. */
  'identityRefusedClient',
  /** It sent the user back without a sign-in. */
  'identityDenied',
  /** Its token is not for us, not from it, not of this sign-in, or not signed as it must be. */
  'identityBadToken',
  /** Its token is over or not valid yet: the clocks differ. */
  'identityClock',
  /** The sign-in was begun in another browser, too long ago, or is finished already. */
  'identityExpired',
  /** The provider was disabled or deleted. */
  'identityClosed',
  /** Nobody here is linked to that user, and none may be made. */
  'identityNoAccount',
  /** An account has that address and must be linked by who it belongs to. */
  'identityNotLinked',
  /** Another account, or another user of the provider, is linked already. */
  'identityOtherLink',
  /** It did not ask the user to sign in again. */
  'identityNotFresh',
  /** A directory: TLS failed, or its certificate is not trusted. */
  'identityNoTls',
  /** What answers there does not speak LDAP. */
  'identityNoDirectory',
  /** A directory refused the name or the password by which we search. */
  'identityRefusedBind',
  /** A directory refused the search: its base, its filter or the right to it. */
  'identityBadSearch',
  /** The search of a directory found nobody. */
  'identityNoUser',
  /** It found more than one user of that name. */
  'identitySeveralUsers',
  /** The user has no value, or several, in the attribute that tells users apart. */
  'identityNoId',
] as const;
export type IdentityReason = (typeof IDENTITY_REASONS)[number];

/** `data.reason` of 2031; `tooManyAttempts` comes with `retryAfter` in seconds, and never ends a session. */
export const LOCK_REASONS = ['disabled', 'tooManyAttempts'] as const;
export type LockReason = (typeof LOCK_REASONS)[number];
