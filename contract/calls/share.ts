// Calls of sharing: giving rights on a device, channel or organisation to another account, and taking them back.
import { z } from 'zod';
import { call } from '../call.ts';
import {
  channelNo,
  descriptionText,
  Device,
  deviceSerial,
  id,
  nameText,
  ShareInfo,
  smallInt,
  timeMs,
} from '../entities.ts';
import { SHARE_TYPE } from '../enumerations.ts';
import { PAGE_SIZE } from '../limits.ts';
import { SHARE_PERMISSION_NAMES } from '../permissions.ts';
import { pageSize, pageStart } from './user.ts';

export const ShareItem = z.union([
  z.object({ deviceSerial, channelNo }).strict(),
  z.object({ deviceSerial }).strict(),
  z.object({ organizationId: id }).strict(),
]);
export type ShareItem = z.infer<typeof ShareItem>;

export const Share = ShareInfo.extend({
  account: z.string(),
  isShared: z.number().int(),
  deviceSerial: z.string().nullable(),
  organizationId: z.string().nullable(),
  resourceName: z.string(),
});
export type Share = z.infer<typeof Share>;

const paging = { pageStart, pageSize: pageSize(PAGE_SIZE.shares) };

export const shareCalls = {
  'share/add': call({
    summary: 'Share items with another account; none gives more than the giver has',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1004, 1007, 1009],
    input: z
      .object({
        account: z.string().min(1).max(64),
        items: z.array(ShareItem).min(1).max(100),
        shareName: nameText.optional(),
        shareType: z.literal(SHARE_TYPE.fromPermission).default(SHARE_TYPE.fromPermission),
        permission: z.array(z.enum(SHARE_PERMISSION_NAMES)).min(1).max(6),
        startTime: timeMs.optional(),
        endTime: timeMs.optional(),
        description: descriptionText.optional(),
      })
      .strict(),
    output: z.object({ shareId: z.string() }),
  }),
  'share/delete': call({
    summary: 'End a share, from either side; all that runs through it stops within two seconds',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1007],
    input: z.object({ shareId: id, shareType: smallInt }).strict(),
    output: z.object({}),
  }),
  'share/given/list': call({
    summary: 'What I share',
    permission: { kind: 'session' },
    audit: 'read',
    input: z.object(paging).strict(),
    output: z.object({ total: z.number().int(), shareList: z.array(Share) }),
  }),
  'share/received/list': call({
    summary: 'What is shared with me',
    permission: { kind: 'session' },
    audit: 'read',
    input: z.object(paging).strict(),
    output: z.object({ total: z.number().int(), shareList: z.array(Share) }),
  }),
  'share/device/list': call({
    summary: 'Devices shared with me',
    permission: { kind: 'session' },
    audit: 'read',
    input: z
      .object({
        pageStart,
        pageSize: pageSize(PAGE_SIZE.shareDevices),
        deviceSerial: deviceSerial.optional(),
        keyWord: z.string().max(64).optional(),
        channelNo: channelNo.optional(),
        organizationId: id.optional(),
        shareResourceType: z.number().int().min(1).max(3).optional(),
      })
      .strict(),
    output: z.object({ total: z.number().int(), deviceList: z.array(Device) }),
  }),
} as const;
