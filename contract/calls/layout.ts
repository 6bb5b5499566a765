// Calls of saved layouts of the live wall, private or shared with all accounts of the owner.
import { z } from 'zod';
import { call } from '../call.ts';
import { channelNo, deviceSerial, id, nameText, smallInt, timeMs } from '../entities.ts';
import { PAGE_SIZE, WALL_SPLITS, WALL_WINDOWS_MAX } from '../limits.ts';
import { pageSize, pageStart } from './user.ts';

/** A window that shows a channel; windows without one are left out. */
export const LayoutTile = z
  .object({
    /** Window in reading order, from 0. */
    position: z
      .number()
      .int()
      .min(0)
      .max(WALL_WINDOWS_MAX - 1),
    deviceSerial,
    channelNo,
  })
  .strict();
export type LayoutTile = z.infer<typeof LayoutTile>;

const split = z.literal([...WALL_SPLITS]);

export const Layout = z.object({
  layoutId: z.string(),
  name: z.string(),
  split,
  tiles: z.array(LayoutTile),
  /** Number of tiles left out because the caller may not view their channels. */
  hiddenTotal: z.number().int(),
  shared: z.boolean(),
  /** Name of the account that made it. */
  creator: z.string(),
  /** Whether the caller may change and delete it: its creator, and the owner of the sub-account that made it. */
  isEditable: z.boolean(),
  version: z.number().int(),
  changedAt: timeMs,
});
export type Layout = z.infer<typeof Layout>;

export const layoutCalls = {
  'layout/list': call({
    summary: 'My layouts of the live wall and those shared with me, by name',
    permission: { kind: 'session' },
    audit: 'none',
    input: z.object({ pageStart, pageSize: pageSize(PAGE_SIZE.layouts) }).strict(),
    output: z.object({ total: z.number().int(), layoutList: z.array(Layout) }),
  }),
  'layout/save': call({
    summary: 'Keep a layout: a new one without layoutId, else a change of the version that was seen',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1004, 1007, 1009, 1010, 1011, 1016],
    input: z
      .object({
        layoutId: id.optional(),
        /** Needed with `layoutId`. */
        version: smallInt.optional(),
        name: nameText,
        split,
        tiles: z.array(LayoutTile).max(WALL_WINDOWS_MAX),
        shared: z.boolean().default(false),
      })
      .strict()
      .refine(({ layoutId, version }) => layoutId === undefined || version !== undefined, { path: ['version'] })
      .refine((layout) => isDrawable(layout), { path: ['tiles'] }),
    output: z.object({ layout: Layout }),
  }),
  'layout/delete': call({
    summary: 'Delete a layout',
    permission: { kind: 'session' },
    audit: 'write',
    errors: [1004, 1007],
    input: z.object({ layoutId: id }).strict(),
    output: z.object({}),
  }),
} as const;

/** One tile per window, and each channel at most once. */
function isDrawable(layout: { readonly split: number; readonly tiles: readonly LayoutTile[] }): boolean {
  const { split: windows, tiles } = layout;
  const positions = new Set(tiles.map((tile) => tile.position));
  const channels = new Set(tiles.map((tile) => `${tile.deviceSerial}:${tile.channelNo}`));
  const isInside = tiles.every((tile) => tile.position < windows);
  return isInside && positions.size === tiles.length && channels.size === tiles.length;
}
