// Calls of the organisation tree and its content.
import { z } from 'zod';
import { call } from '../call.ts';
import { Device, id, nameText, Organization, Resource, smallInt } from '../entities.ts';
import { PAGE_SIZE, PAGE_SIZE_MAX } from '../limits.ts';
import { pageSize, pageStart } from './user.ts';

export const SearchHit = z.object({
  type: z.enum(['organization', 'device', 'channel']),
  organizationId: z.string(),
  deviceSerial: z.string().nullable(),
  channelNo: z.number().int().nullable(),
  name: z.string(),
  /** Organisation ids from the root to the hit. */
  path: z.array(z.string()),
});

export const organizationCalls = {
  'org/list': call({
    summary: 'Organisations right below one; 0 is the root',
    permission: { kind: 'session' },
    audit: 'read',
    errors: [1007],
    input: z
      .object({ organizationId: id.default('0'), pageStart, pageSize: pageSize(PAGE_SIZE.organizations) })
      .strict(),
    output: z.object({ total: z.number().int(), orgList: z.array(Organization) }),
  }),
  'org/add': call({
    summary: 'Create an organisation',
    permission: { kind: 'organization', action: 'OrganizationManage' },
    audit: 'write',
    errors: [1007],
    input: z.object({ organizationName: nameText, parentOrgId: id.default('0') }).strict(),
    output: z.object({ organizationId: z.string() }),
  }),
  'org/update': call({
    summary: 'Rename the version of an organisation that was seen',
    permission: { kind: 'organization', action: 'OrganizationManage' },
    audit: 'write',
    errors: [1007, 1010],
    input: z.object({ organizationId: id, organizationName: nameText, version: smallInt }).strict(),
    output: z.object({ organization: Organization }),
  }),
  'org/move': call({
    summary: 'Put an organisation with all below under another one, or under the root (0); never under itself',
    permission: { kind: 'organization', action: 'OrganizationManage' },
    audit: 'write',
    errors: [1007, 1010],
    input: z.object({ organizationId: id, parentOrgId: id, version: smallInt.optional() }).strict(),
    output: z.object({ organization: Organization }),
  }),
  'org/order': call({
    summary: 'The order of the organisations right below one; those left out follow by name',
    permission: { kind: 'organization', action: 'OrganizationManage' },
    audit: 'write',
    errors: [1007],
    input: z.object({ parentOrgId: id, organizationIdList: z.array(id).max(PAGE_SIZE_MAX) }).strict(),
    output: z.object({}),
  }),
  'org/delete': call({
    summary:
      'Delete an organisation; what stands right in it goes to `moveTo`, without which 1030 says how much that is',
    permission: { kind: 'organization', action: 'OrganizationManage' },
    audit: 'write',
    errors: [1007, 1030],
    input: z.object({ organizationId: id, moveTo: id.optional() }).strict(),
    output: z.object({ organizationTotal: z.number().int(), deviceTotal: z.number().int() }),
  }),
  'org/device/list': call({
    summary: 'Devices of one organisation',
    permission: { kind: 'session' },
    audit: 'read',
    errors: [1007],
    input: z.object({ organizationId: id, pageStart, pageSize: pageSize(PAGE_SIZE.organizationDevices) }).strict(),
    output: z.object({ total: z.number().int(), deviceList: z.array(Device) }),
  }),
  'org/resource/list': call({
    summary: 'All that the caller may see, organisations before devices, for the tree',
    permission: { kind: 'session' },
    audit: 'read',
    input: z.object({ pageStart, pageSize: pageSize(PAGE_SIZE.allResources) }).strict(),
    output: z.object({ total: z.number().int(), resourceList: z.array(Resource) }),
  }),
  'org/resource/sub': call({
    summary: 'Resources of one organisation, by queryMode with all below or itself alone',
    permission: { kind: 'session' },
    audit: 'read',
    errors: [1007],
    input: z
      .object({
        organizationId: id,
        pageStart,
        pageSize: pageSize(PAGE_SIZE.subOrganizationResources),
        deviceName: z.string().max(64).default(''),
        queryMode: z.number().int().min(0).max(1).default(0),
      })
      .strict(),
    output: z.object({ total: z.number().int(), resourceList: z.array(Resource) }),
  }),
  'org/search': call({
    summary: 'Find organisations, devices and channels by name or serial; of each kind 1,000 are counted at most',
    permission: { kind: 'session' },
    audit: 'read',
    input: z
      .object({
        keyWord: z.string().min(1).max(64),
        types: z
          .array(z.enum(['organization', 'device', 'channel']))
          .max(3)
          .optional(),
        pageSize: pageSize(PAGE_SIZE.organizations),
      })
      .strict(),
    output: z.object({ total: z.number().int(), hitList: z.array(SearchHit) }),
  }),
} as const;
