// Calls of devices and their channels: probe, add, list, delete, capabilities.
import { z } from 'zod';
import { call } from '../call.ts';
import { Channel, channelNo, Device, deviceSerial, id, nameText, smallInt } from '../entities.ts';
import { DEVICE_BATCH_CHUNK, PAGE_SIZE } from '../limits.ts';
import { LOCAL_SITE } from '../remote-site.ts';
import { pageNo, pageSize, pageStart } from './user.ts';

/** 25 letters or digits: proves possession of a device that dials out (VA-05). */
const registrationCode = z.string().regex(/^[A-Za-z0-9]{25}$/);
/** The site from whose network the address is reached. */
export const siteId = id.default(LOCAL_SITE);
const deviceUser = z.string().max(64).default('');
const devicePassword = z.string().max(128).default('');

export const CandidateChannel = z.object({
  channelNo: z.number().int(),
  channelName: z.string(),
  streamList: z.array(
    z.object({
      quality: z.number().int(),
      codec: z.string(),
      width: z.number().int(),
      height: z.number().int(),
      fps: z.number().nullable(),
      audio: z.string().nullable(),
    }),
  ),
});

export const Candidate = z.object({
  driver: z.string(),
  deviceSerial: z.string(),
  deviceName: z.string(),
  deviceType: z.number().int(),
  deviceModel: z.string(),
  deviceVersion: z.string(),
  manufacturer: z.string(),
  address: z.string(),
  channelList: z.array(CandidateChannel),
  /** Warnings of a fixed list with a phrase each, for example `noSecondStream`, `clockOffset`. */
  warnings: z.array(z.string()),
  /** Address of a first picture of channel 1, good for one minute; null where there is none. */
  snapshotUrl: z.string().nullable(),
  /** Opens a live view of channel 1 before the device is saved; null where there is no video. */
  liveTicket: z.string().nullable(),
});
export type Candidate = z.infer<typeof Candidate>;

export const deviceCalls = {
  'device/probe': call({
    summary: 'Look at a device by address or RTSP URL without adding it',
    permission: { kind: 'account', action: 'DeviceManage' },
    audit: 'write',
    opensVideo: true,
    errors: [1006, 1007, 2316, 2317],
    input: z
      .object({ target: z.string().min(1).max(512), user: deviceUser, password: devicePassword, siteId })
      .strict(),
    output: z.object({ candidate: Candidate }),
  }),
  'device/add': call({
    summary: 'Add a device by address or RTSP URL, or one that waits to be claimed by its serial and registration code',
    permission: { kind: 'account', action: 'DeviceManage' },
    audit: 'write',
    errors: [1005, 1006, 1007, 1008, 1009, 2024, 2029, 2316, 2317],
    input: z
      .object({
        /** Either this, or serial and registration code. */
        target: z.string().min(1).max(512).optional(),
        deviceSerial: deviceSerial.optional(),
        registrationCode: registrationCode.optional(),
        user: deviceUser,
        password: devicePassword,
        deviceName: nameText,
        organizationId: id.default('0'),
        deviceType: smallInt.optional(),
        siteId,
      })
      .strict()
      .refine(({ target, deviceSerial: serial }) => (target === undefined) !== (serial === undefined), {
        path: ['target'],
      })
      .refine(({ deviceSerial: serial, registrationCode: code }) => (serial === undefined) === (code === undefined), {
        path: ['registrationCode'],
      }),
    output: z.object({ device: Device }),
  }),
  'device/list': call({
    summary: 'Devices that the caller may see',
    permission: { kind: 'session' },
    audit: 'read',
    input: z
      .object({
        pageNo,
        pageSize: pageSize(PAGE_SIZE.devices),
        keyWord: z.string().max(64).optional(),
        status: smallInt.optional(),
        deviceType: smallInt.optional(),
        /** With all below. */
        organizationId: id.optional(),
        groupId: id.optional(),
        /** `statusSince`: since when the status is what it is. */
        sortBy: z
          .enum(['deviceName', 'deviceSerial', 'status', 'latestOnline', 'deviceModel', 'statusSince'])
          .default('deviceName'),
        sortOrder: z.enum(['asc', 'desc']).default('asc'),
      })
      .strict(),
    output: z.object({ total: z.number().int(), onlineTotal: z.number().int(), deviceList: z.array(Device) }),
  }),
  'device/get': call({
    summary: 'One device',
    permission: { kind: 'session' },
    audit: 'read',
    errors: [1009],
    input: z.object({ deviceSerial }).strict(),
    output: z.object({ device: Device }),
  }),
  'device/batch': call({
    summary: 'Up to 100 devices by serial; those not visible are left out',
    permission: { kind: 'session' },
    audit: 'read',
    input: z
      .object({
        deviceSerialList: z.array(deviceSerial).min(1).max(DEVICE_BATCH_CHUNK),
        recorderOnly: z.boolean().default(false),
      })
      .strict(),
    output: z.object({ deviceList: z.array(Device) }),
  }),
  'device/update': call({
    summary: 'Rename a device, or give a new address or new credentials',
    permission: { kind: 'device', action: 'DeviceManage' },
    audit: 'write',
    errors: [1009, 1010, 2024, 2316, 2317],
    input: z
      .object({
        deviceSerial,
        deviceName: nameText.optional(),
        /** New address; the stored password is never sent to it, so give credentials too if it needs any. */
        target: z.string().min(1).max(512).optional(),
        user: z.string().max(64).optional(),
        password: z.string().max(128).optional(),
        /** The caller vouches that what answers at the new address is the same device, whatever serial it reports. */
        isSameDevice: z.boolean().optional(),
        version: smallInt.optional(),
      })
      .strict(),
    output: z.object({ device: Device }),
  }),
  'device/move': call({
    summary: 'Put a device into another organisation',
    permission: { kind: 'device', action: 'DeviceManage' },
    audit: 'write',
    errors: [1007, 1009],
    input: z.object({ deviceSerial, organizationId: id }).strict(),
    output: z.object({}),
  }),
  'device/delete': call({
    summary: 'Remove a device; its recordings go with it after the retention grace',
    permission: { kind: 'device', action: 'DeviceManage' },
    audit: 'write',
    errors: [1009],
    input: z.object({ deviceSerial }).strict(),
    output: z.object({}),
  }),
  'device/capacity': call({
    summary: 'What the device can do',
    permission: { kind: 'session' },
    audit: 'none',
    errors: [1009],
    input: z.object({ deviceSerial, channelNo: channelNo.optional() }).strict(),
    output: z.object({ capabilities: z.array(z.string()) }),
  }),
  'channel/capacity': call({
    summary: 'What the channel offers to viewers',
    permission: { kind: 'session' },
    audit: 'none',
    errors: [1009],
    input: z.object({ deviceSerial, channelNo }).strict(),
    output: z.object({
      mediaCapacity: z.object({ supportCdn: z.boolean(), supportLive: z.boolean() }),
      capabilities: z.array(z.string()),
    }),
  }),
  'channel/list': call({
    summary: 'Channels of a device, by pageNo from 1 or by pageStart from 0',
    permission: { kind: 'session' },
    audit: 'read',
    errors: [1009],
    input: z
      .object({
        deviceSerial,
        pageNo: pageNo.optional(),
        pageStart: pageStart.optional(),
        pageSize: pageSize(PAGE_SIZE.channels),
      })
      .strict(),
    output: z.object({ total: z.number().int(), channelList: z.array(Channel) }),
  }),
  'channel/update': call({
    summary: 'Rename a channel',
    permission: { kind: 'device', action: 'DeviceManage' },
    audit: 'write',
    errors: [1009],
    input: z.object({ deviceSerial, channelNo, channelName: nameText }).strict(),
    output: z.object({ channel: Channel }),
  }),
  'capture/get': call({
    summary: 'A still picture of a channel',
    permission: { kind: 'device', action: 'Realplay' },
    audit: 'watch',
    opensVideo: true,
    errors: [1006, 1009, 2316, 2317],
    input: z.object({ deviceSerial, channelNo }).strict(),
    output: z.object({ url: z.string() }),
  }),
} as const;
