// English: one sentence per answer code, and what a device did (reason of 2316 and 2317), and why an account is locked (2031).
import type { DeviceReason, ErrorCode, LockReason } from '@vedette/contract/errors.ts';

export const errors = {
  errCode_200: 'Done',
  errCode_1000: 'The server ran into an error. Try again in a moment.',
  errCode_1001: 'Your session is no longer valid. Sign in again.',
  errCode_1002: 'Your session has expired. Sign in again.',
  errCode_1003: 'Some fields are not right. Check what you entered.',
  errCode_1004: 'You do not have the right to do this.',
  errCode_1005: 'Too many attempts. Wait a moment and try again.',
  errCode_1006: 'The device does not support this function.',
  errCode_1007: 'This no longer exists, or you may not see it.',
  errCode_1008:
    'Another account has this device, and the device lets it in. Ask that account for a transfer or a registration code. If you do not know it, change the password of the device and try again.',
  errCode_1009: 'There is no such device, or you may not see it.',
  errCode_1010: 'Someone changed this meanwhile. Look at the newer values and save again.',
  errCode_1011: 'The quota is used up.',
  errCode_1012: 'The service is busy. Try again in a moment.',
  errCode_1013: 'Complete the verification first.',
  errCode_1014: 'The verification failed. Try again.',
  errCode_1015: 'The verification code is wrong.',
  errCode_1016: 'This name is taken already.',
  errCode_1017: 'The share has ended.',
  errCode_1018: '{userName} is talking to this device.',
  errCode_1021: '{userName} is steering this camera.',
  errCode_1030: 'The organisation is not empty. Say where its content goes.',
  errCode_1040: 'Enter your password again to do this.',
  errCode_1041:
    'Video stays closed for 24 hours after an administrator reset the password. A recovery code opens it at once.',
  errCode_1042: 'Password and second factor of an account cannot be reset within 24 hours of each other.',
  errCode_1043: 'This account has a confirmed address. Send a reset link there instead.',
  errCode_1437: 'You cannot transfer a device to yourself.',
  errCode_2004: 'User name or password is wrong.',
  errCode_2024: 'You have added this device already.',
  errCode_2029: 'This device is shared with you already.',
  errCode_2031: 'This account cannot sign in at the moment.',
  errCode_2076: 'A second factor is needed to sign in.',
  errCode_2316: 'The device refused the request.',
  errCode_2317: 'The device did not answer in time. Check the address, the power and the network.',
} as const satisfies Record<`errCode_${ErrorCode}`, string>;

export const reasons = {
  reason_deviceAuth: 'The camera refused this user name or password. Check the account of the camera itself.',
  reason_unreachable: 'Nothing answers at this address. Check the address, the port and the network.',
  reason_timeout: 'The device did not answer in time. Check the power and the network.',
  reason_offline: 'The device is offline.',
  reason_refusedAddress:
    'This address may not be used for cameras. The administrator can allow its network under System, Camera networks.',
  reason_untrusted:
    'What answers at this address differs from the device that was added: its certificate or its sign-in has changed. If you changed it, enter its password again.',
  reason_misbehaving:
    'The device kept this site too busy, so it is being left alone for a while. Update its firmware or check whether it has been tampered with.',
  reason_wrongProtocol: 'Something answers at this address, but it does not speak ONVIF or RTSP.',
  reason_otherDevice:
    'Another device answers at this address: it reports another serial number than the one that was added.',
  reason_noVideo: 'The device answers, but it offers no video.',
  reason_unsupportedCodec: 'The video uses a codec that is not supported. Use H.264, H.265 or Motion JPEG.',
  reason_noKeyPicture:
    'Pictures come, but none that a viewer could begin with. Set a key picture (I-frame) interval of a few seconds in the camera.',
  reason_fault: 'The device reported a fault.',
  reason_siteAway: 'The site of this device cannot be reached from here. It goes on recording by itself.',
  reason_disabled: 'An administrator disabled this account.',
  reason_tooManyAttempts:
    'Too many wrong passwords. Try again in {minutes} min, or set a new password with a reset link.',
} as const satisfies Record<`reason_${DeviceReason | LockReason}`, string>;
