// English: one sentence per answer code, what a device did (reason of 2316 and 2317), why an account is locked (2031), and why an identity provider signed nobody in (1044).
import type { DeviceReason, ErrorCode, IdentityReason, LockReason } from '@vedette/contract/errors.ts';

export const errors = {
  errCode_200: 'Done',
  errCode_1000: 'Server error. Try again in a moment.',
  errCode_1001: 'Your session is no longer valid. Sign in again.',
  errCode_1002: 'Your session has expired. Sign in again.',
  errCode_1003: 'Some fields are invalid. Check your input.',
  errCode_1004: 'You have no permission to do this.',
  errCode_1005: 'Too many attempts. Wait a moment and try again.',
  errCode_1006: 'The device does not support this function.',
  errCode_1007: 'This does not exist, or you have no access to it.',
  errCode_1008:
    'This device belongs to another account. Ask that account for a transfer or a registration code. If you do not know it, change the device’s password and try again.',
  errCode_1009: 'This device does not exist, or you have no access to it.',
  errCode_1010: 'Someone else changed this. Check the newer values and save again.',
  errCode_1011: 'The limit has been reached.',
  errCode_1012: 'The service is busy. Try again in a moment.',
  errCode_1013: 'Complete the verification first.',
  errCode_1014: 'The verification failed. Try again.',
  errCode_1015: 'The verification code is wrong.',
  errCode_1016: 'This name is already taken.',
  errCode_1017: 'The share has ended.',
  errCode_1018: '{userName} is talking to this device.',
  errCode_1021: '{userName} is controlling this camera.',
  errCode_1030: 'The organisation is not empty. Choose where to move its contents.',
  errCode_1040: 'Enter your password again to continue.',
  errCode_1041:
    'Video is locked for 24 hours after an administrator reset the password. A recovery code unlocks it now.',
  errCode_1042: 'Password and two-factor authentication cannot both be reset within 24 hours.',
  errCode_1043: 'This account has a confirmed address. Send a reset link there instead.',
  errCode_1044: 'The identity provider signed nobody in.',
  errCode_1437: 'You cannot transfer a device to yourself.',
  errCode_2004: 'Wrong user name or password.',
  errCode_2024: 'You have already added this device.',
  errCode_2029: 'This device is already shared with you.',
  errCode_2031: 'This account cannot sign in at the moment.',
  errCode_2076: 'Two-factor authentication is required to sign in.',
  errCode_2316: 'The device refused the request.',
  errCode_2317: 'The device did not respond in time. Check its address, power and network.',
} as const satisfies Record<`errCode_${ErrorCode}`, string>;

export const reasons = {
  reason_deviceAuth: 'The camera rejected the user name or password. Check the account on the camera.',
  reason_unreachable: 'No response at this address. Check the address, port and network.',
  reason_timeout: 'The device did not respond in time. Check its power and network.',
  reason_offline: 'The device is offline.',
  reason_refusedAddress:
    'This address is not allowed for cameras. An administrator can allow its network under System > Camera networks.',
  reason_untrusted:
    'The certificate or sign-in of this device has changed since it was added. If you changed it, enter the password again.',
  reason_misbehaving:
    'The device overloaded this site and is paused for a while. Update its firmware, and check for tampering.',
  reason_wrongProtocol: 'Something responds at this address, but not with ONVIF or RTSP.',
  reason_otherDevice:
    'Another device responds at this address. If it is the same camera with a new serial number, confirm it.',
  reason_noVideo: 'The device responds but provides no video.',
  reason_unsupportedCodec: 'This video codec is not supported. Use H.264, H.265 or Motion JPEG.',
  reason_noKeyPicture:
    'The stream has no usable keyframes. Set a keyframe (I-frame) interval of a few seconds on the camera.',
  reason_fault: 'The device reported a fault.',
  reason_siteAway: 'The device’s site cannot be reached. It continues to record on its own.',
  reason_disabled: 'An administrator disabled this account.',
  reason_tooManyAttempts:
    'Too many wrong passwords. Try again in {minutes} min, or set a new password with a reset link.',
  reason_identityRefusedAddress: 'The address of the identity provider is not allowed here.',
  reason_identityUnreachable: 'The identity provider does not answer. Try again in a moment.',
  reason_identityBadProvider:
    'What answers there is not the identity provider that was set up. An administrator has to check its issuer.',
  reason_identityRefusedClient:
    'The identity provider refused this server. An administrator has to check client ID and secret.',
  reason_identityDenied: 'The identity provider ended the sign-in. Try again, or ask who runs it.',
  reason_identityBadToken: 'The answer of the identity provider was not valid, so nobody was signed in. Try again.',
  reason_identityClock: 'The clocks of the identity provider and this server differ. An administrator has to set them.',
  reason_identityExpired:
    'This sign-in took too long, is finished already, or was begun in another browser. Begin again.',
  reason_identityClosed: 'This identity provider is not in use any more.',
  reason_identityNoAccount: 'You have no account here. Ask an administrator to create one.',
  reason_identityNotLinked:
    'An account with your address exists. Sign in with its password, and link it under My account.',
  reason_identityOtherLink: 'This is linked to somebody else already.',
  reason_identityNotFresh: 'The identity provider did not ask you to sign in again, or does not say when you did.',
  reason_identityNoTls:
    'The directory answers, but TLS failed. Check the certificate authority, the name of the host and the kind of connection.',
  reason_identityNoDirectory:
    'Something answers there that does not speak LDAP. Check host, port and kind of connection.',
  reason_identityRefusedBind:
    'The directory was reached and refused the name or the password that this server searches with.',
  reason_identityBadSearch:
    'The directory refused the search. Check search base, filter, and what the search name may read.',
  reason_identityNoUser: 'The search works and found nobody. Check search base and user filter.',
  reason_identitySeveralUsers: 'The search found more than one user of that name. Make the user filter stricter.',
  reason_identityNoId: 'The user has no value, or several, in the attribute that tells users apart.',
} as const satisfies Record<`reason_${DeviceReason | IdentityReason | LockReason}`, string>;
