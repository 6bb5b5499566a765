// Calls of floor plans: a picture of a place of an organisation, with the cameras that stand there.
import { z } from 'zod';
import { call } from '../call.ts';
import { channelNo, deviceSerial, id, nameText, smallInt, timeMs } from '../entities.ts';
import { FLOOR_PLAN_LIMITS, PAGE_SIZE } from '../limits.ts';
import { pageSize, pageStart } from './user.ts';

/** Never SVG, which is a document. */
export const FLOOR_PLAN_PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;

/** Of the width or height of the picture, from its upper left corner. */
const fraction = z.number().min(0).max(1);

export const FloorPlanCamera = z
  .object({
    deviceSerial,
    channelNo,
    x: fraction,
    y: fraction,
    /** Whole degrees, clockwise from the upper edge of the picture. */
    direction: z.number().int().min(0).max(359),
    /** Whole degrees that the camera sees. */
    viewAngle: z.number().int().min(FLOOR_PLAN_LIMITS.viewAngle.least).max(FLOOR_PLAN_LIMITS.viewAngle.most),
  })
  .strict();
export type FloorPlanCamera = z.infer<typeof FloorPlanCamera>;

export const FloorPlanPicture = z
  .object({
    contentType: z.enum(FLOOR_PLAN_PICTURE_TYPES),
    /** Base64. */
    data: z
      .string()
      .max(FLOOR_PLAN_LIMITS.pictureLength)
      .regex(/^[A-Za-z0-9+/]+={0,2}$/),
  })
  .strict();
export type FloorPlanPicture = z.infer<typeof FloorPlanPicture>;

export const FloorPlanEntry = z.object({
  floorPlanId: z.string(),
  organizationId: z.string(),
  name: z.string(),
  /** Pixels of the picture. */
  width: z.number().int(),
  height: z.number().int(),
  /** When the picture was last replaced. */
  pictureTime: timeMs,
  /** The caller may change and delete it: it manages the organisation. */
  isEditable: z.boolean(),
  version: z.number().int(),
  changedAt: timeMs,
});
export type FloorPlanEntry = z.infer<typeof FloorPlanEntry>;

/** Cameras that the caller may not see are left out, without a trace. */
export const FloorPlan = FloorPlanEntry.extend({ cameraList: z.array(FloorPlanCamera) });
export type FloorPlan = z.infer<typeof FloorPlan>;

const cameraList = z.array(FloorPlanCamera).max(FLOOR_PLAN_LIMITS.cameras);

/** What an exported plan consists of, as one JSON file. */
export const FloorPlanFile = z.object({
  format: z.literal('vedette-floor-plan'),
  version: z.literal(1),
  name: nameText,
  picture: FloorPlanPicture,
  cameraList,
});
export type FloorPlanFile = z.infer<typeof FloorPlanFile>;

export const floorPlanCalls = {
  'floorPlan/list': call({
    summary: 'Floor plans of all organisations that the caller may see, by name',
    permission: { kind: 'session' },
    audit: 'none',
    input: z.object({ pageStart, pageSize: pageSize(PAGE_SIZE.floorPlans) }).strict(),
    output: z.object({ total: z.number().int(), floorPlanList: z.array(FloorPlanEntry) }),
  }),
  'floorPlan/get': call({
    summary: 'A floor plan with those of its cameras that the caller may see',
    permission: { kind: 'session' },
    audit: 'none',
    errors: [1007],
    input: z.object({ floorPlanId: id }).strict(),
    output: z.object({ floorPlan: FloorPlan }),
  }),
  'floorPlan/picture': call({
    summary: 'The picture of a floor plan',
    permission: { kind: 'session' },
    audit: 'none',
    errors: [1007],
    input: z.object({ floorPlanId: id }).strict(),
    output: z.object({ picture: FloorPlanPicture }),
  }),
  'floorPlan/save': call({
    summary:
      'Keep a floor plan: a new one without floorPlanId, else a change of the version that was seen; cameras that the caller may not see stay',
    permission: { kind: 'organization', action: 'OrganizationManage' },
    audit: 'write',
    errors: [1007, 1009, 1010, 1011, 1016],
    input: z
      .object({
        organizationId: id,
        floorPlanId: id.optional(),
        /** Needed with `floorPlanId`. */
        version: smallInt.optional(),
        name: nameText,
        /** Needed without `floorPlanId`; the stored one stays without it. */
        picture: FloorPlanPicture.optional(),
        cameraList,
      })
      .strict()
      .refine(({ floorPlanId, version }) => floorPlanId === undefined || version !== undefined, { path: ['version'] })
      .refine(({ floorPlanId, picture }) => floorPlanId !== undefined || picture !== undefined, { path: ['picture'] })
      .refine((plan) => areDistinct(plan.cameraList), { path: ['cameraList'] }),
    output: z.object({ floorPlan: FloorPlan }),
  }),
  'floorPlan/delete': call({
    summary: 'Delete a floor plan',
    permission: { kind: 'organization', action: 'OrganizationManage' },
    audit: 'write',
    errors: [1007],
    input: z.object({ organizationId: id, floorPlanId: id }).strict(),
    output: z.object({}),
  }),
} as const;

/** No camera stands on a plan twice. */
function areDistinct(cameras: readonly FloorPlanCamera[]): boolean {
  return new Set(cameras.map((camera) => `${camera.deviceSerial}:${camera.channelNo}`)).size === cameras.length;
}
