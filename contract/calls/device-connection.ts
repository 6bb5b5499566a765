// Calls of the connection of a device: its address and account as they are stored, and trying others without saving.
import { z } from 'zod';
import { call } from '../call.ts';
import { deviceSerial } from '../entities.ts';

export const deviceConnectionCalls = {
  'device/connection/get': call({
    summary: 'Address and account name of a device as they are stored; never its password',
    permission: { kind: 'device', action: 'DeviceManage' },
    audit: 'read',
    errors: [1009],
    input: z.object({ deviceSerial }).strict(),
    output: z.object({
      /** As it was given; a password inside it is shown as `•••`. */
      target: z.string(),
      user: z.string(),
      hasPassword: z.boolean(),
    }),
  }),
  'device/connection/test': call({
    summary: 'Look at a device with another address or account, without saving either',
    permission: { kind: 'device', action: 'DeviceManage' },
    audit: 'write',
    errors: [1009, 2316, 2317],
    input: z
      .object({
        deviceSerial,
        /** As in `device/update`: what is left out is taken from what is stored, but no password for a new address. */
        target: z.string().min(1).max(512).optional(),
        user: z.string().max(64).optional(),
        password: z.string().max(128).optional(),
      })
      .strict(),
    output: z.object({
      manufacturer: z.string(),
      deviceModel: z.string(),
      driver: z.string(),
      channelTotal: z.number().int(),
      /** False where it says that it is another device than the one that was added. */
      isSameDevice: z.boolean(),
    }),
  }),
} as const;
