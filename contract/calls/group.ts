// Calls of groups: devices of an owner by name; a device is in exactly one group.
import { z } from 'zod';
import { call } from '../call.ts';
import { deviceSerial, Group, id, nameText, smallInt } from '../entities.ts';
import { PAGE_SIZE, PAGE_SIZE_MAX } from '../limits.ts';
import { pageSize, pageStart } from './user.ts';

/** The group of all devices without a group; it has no name and cannot be changed. */
export const DEFAULT_GROUP_ID = '0';

export const ListedGroup = Group.extend({
  /** Devices in it that the caller may see. */
  deviceTotal: z.number().int(),
  version: z.number().int(),
});
export type ListedGroup = z.infer<typeof ListedGroup>;

export const groupCalls = {
  'group/list': call({
    summary: 'Groups of devices, the default group first',
    permission: { kind: 'session' },
    audit: 'read',
    input: z
      .object({ pageStart, pageSize: pageSize(PAGE_SIZE.groups), groupName: z.string().max(64).optional() })
      .strict(),
    output: z.object({ total: z.number().int(), groupList: z.array(ListedGroup) }),
  }),
  'group/add': call({
    summary: 'Create a group',
    permission: { kind: 'account', action: 'DeviceManage' },
    audit: 'write',
    errors: [1011, 1016],
    input: z.object({ groupName: nameText }).strict(),
    output: z.object({ groupId: z.string() }),
  }),
  'group/update': call({
    summary: 'Rename the version of a group that was seen; the default group answers 1004',
    permission: { kind: 'account', action: 'DeviceManage' },
    audit: 'write',
    errors: [1007, 1010, 1016],
    input: z.object({ groupId: id, groupName: nameText, version: smallInt }).strict(),
    output: z.object({ group: ListedGroup }),
  }),
  'group/delete': call({
    summary: 'Delete a group; its devices stand in the default group again, which itself answers 1004',
    permission: { kind: 'account', action: 'DeviceManage' },
    audit: 'write',
    errors: [1007],
    input: z.object({ groupId: id }).strict(),
    output: z.object({}),
  }),
  'group/device/set': call({
    summary: 'Put devices into a group; each leaves the one it was in',
    permission: { kind: 'account', action: 'DeviceManage' },
    audit: 'write',
    errors: [1007, 1009],
    input: z.object({ groupId: id, deviceSerialList: z.array(deviceSerial).min(1).max(PAGE_SIZE_MAX) }).strict(),
    output: z.object({}),
  }),
} as const;
