// Calls of roles: rights of an owner's sub-accounts, and where they hold.
import { z } from 'zod';
import { call } from '../call.ts';
import { channelNo, deviceSerial, id, nameText, Role, smallInt } from '../entities.ts';
import { USER_TYPE } from '../enumerations.ts';
import { PAGE_SIZE, ROLE_LIMITS } from '../limits.ts';
import { PERMISSIONS } from '../permissions.ts';
import { pageSize, pageStart } from './user.ts';

const OWNERS = [USER_TYPE.super, USER_TYPE.manage, USER_TYPE.ordinary];

/** A place of the tree: an organisation with all below, a device, or one of its channels. */
export const RoleResource = z.union([
  z.object({ deviceSerial, channelNo }).strict(),
  z.object({ deviceSerial }).strict(),
  z.object({ organizationId: id }).strict(),
]);
export type RoleResource = z.infer<typeof RoleResource>;

/** null: wherever the accounts of the role are placed. */
const resources = z.array(RoleResource).max(ROLE_LIMITS.resources).nullable().default(null);
const permissions = z.array(z.enum(PERMISSIONS)).max(PERMISSIONS.length);

export const RoleDetails = Role.extend({
  permissions: z.array(z.enum(PERMISSIONS)),
  resources: z
    .array(
      z.object({
        organizationId: z.string().nullable(),
        deviceSerial: z.string().nullable(),
        channelNo: z.number().int().nullable(),
        name: z.string(),
      }),
    )
    .nullable(),
  /** Accounts that have it. */
  userTotal: z.number().int(),
  version: z.number().int(),
});
export type RoleDetails = z.infer<typeof RoleDetails>;

export const roleCalls = {
  'role/list': call({
    summary: 'The own roles by name',
    permission: { kind: 'userType', userTypes: OWNERS },
    audit: 'read',
    input: z.object({ pageStart, pageSize: pageSize(PAGE_SIZE.roles) }).strict(),
    output: z.object({ total: z.number().int(), roleList: z.array(RoleDetails) }),
  }),
  'role/add': call({
    summary: 'Create a role',
    permission: { kind: 'userType', userTypes: OWNERS },
    audit: 'write',
    opensVideo: true,
    errors: [1007, 1009, 1011, 1016],
    input: z.object({ roleName: nameText, permissions, resources }).strict(),
    output: z.object({ roleId: z.string() }),
  }),
  'role/update': call({
    summary: 'Change the version of a role that was seen; reaches running sessions at once',
    permission: { kind: 'userType', userTypes: OWNERS },
    audit: 'write',
    opensVideo: true,
    errors: [1007, 1009, 1010, 1016],
    input: z.object({ roleId: id, roleName: nameText, permissions, resources, version: smallInt }).strict(),
    output: z.object({ role: RoleDetails }),
  }),
  'role/delete': call({
    summary: 'Delete a role; who had it loses what it gave at once',
    permission: { kind: 'userType', userTypes: OWNERS },
    audit: 'write',
    errors: [1007],
    input: z.object({ roleId: id }).strict(),
    output: z.object({}),
  }),
} as const;
