// Which sites of recorder groups are silent, and who takes their cameras, spread by free capacity.

/** A site that said nothing for so long is taken over. Recording goes on within ten seconds, so four are left to connect and for a keyframe. */
export const SILENT_MS = 6000;
/** Sites are asked for a sign of life this often. */
export const LIFE_SIGN_MS = 1500;
/** Two signs of life: a site that was heard within this time is there. */
export const HEARD_WITHIN_MS = 2 * LIFE_SIGN_MS;
/** After a start or an outage of the server sites need this long at most to dial it again (15 s between two attempts). */
export const DIAL_AGAIN_MS = 45_000;
/** A site that returned must be there for so long before its cameras go back by themselves. */
export const STEADY_MS = 60_000;

/** A device moves as a whole, with all its channels. */
export interface GroupDevice {
  readonly deviceId: string;
  readonly cameras: number;
  /** Any of its channels is recorded. */
  readonly isRecorded: boolean;
}

export interface GroupMember {
  readonly siteId: string;
  readonly groupId: string;
  readonly isSpare: boolean;
  /** The site beside the server: that it is heard says nothing about the network of the server. */
  readonly isLocal: boolean;
  /** How long it has said nothing; Infinity: never heard. */
  readonly silentMs: number;
  /** How long its connection has held; 0 without one. */
  readonly steadyMs: number;
  readonly cameraMax: number;
  /** False while its disk takes no recordings. */
  readonly canStore: boolean;
  readonly devices: readonly GroupDevice[];
}

export interface Move {
  readonly deviceId: string;
  readonly from: string;
  readonly to: string;
}

export interface TakeOver {
  readonly siteId: string;
  readonly moves: readonly Move[];
  /** Cameras that no member had room for. */
  readonly withoutRoom: number;
}

export interface Verdict {
  /** No remote site is heard while several were: the server is cut off, and has to begin its watch again. */
  readonly isCutOff: boolean;
  readonly takeOvers: readonly TakeOver[];
}

/** How long without a break, by the clock of the database. */
export interface WatchAge {
  /** Connected sites have been heard. */
  readonly heardMs: number;
  /** Others could dial. */
  readonly openMs: number;
}

export function judgeGroups(members: readonly GroupMember[], watch: WatchAge): Verdict {
  const remote = members.filter((member) => !member.isLocal);
  const isCutOff = remote.length > 1 && !remote.some(isHeard);
  if (isCutOff || watch.heardMs < SILENT_MS) return { isCutOff, takeOvers: [] };
  const room = new Map(members.map((member) => [member.siteId, roomOf(member)]));
  const groupsHeard = new Set(members.filter(isHeard).map(({ groupId }) => groupId));
  const takeOvers = members
    // Where nobody of a group is heard, its place is cut off, and its sites record on by themselves.
    .filter(({ groupId }) => groupsHeard.has(groupId))
    .filter((member) => member.devices.length > 0 && isSilent(member, watch))
    .map((silent) => takeOver(silent, members, room));
  return { isCutOff, takeOvers };
}

export function isHeard({ silentMs }: Pick<GroupMember, 'silentMs'>): boolean {
  return silentMs <= HEARD_WITHIN_MS;
}

/** One that was not heard since it can dial may still be at it. */
function isSilent({ silentMs }: GroupMember, { openMs }: WatchAge): boolean {
  const hasDialled = silentMs < openMs;
  return silentMs > SILENT_MS && (hasDialled || openMs > DIAL_AGAIN_MS);
}

function roomOf({ cameraMax, devices }: GroupMember): number {
  return cameraMax - devices.reduce((sum, { cameras }) => sum + cameras, 0);
}

/** Takes from `room` what it gives away. Devices that record come first, then small ones, so that the most cameras find room. */
function takeOver(silent: GroupMember, members: readonly GroupMember[], room: Map<string, number>): TakeOver {
  const takers = members.filter((one) => one.groupId === silent.groupId && isHeard(one) && one.canStore);
  const moves: Move[] = [];
  let withoutRoom = 0;
  for (const device of silent.devices.toSorted(byUrgency)) {
    const taker = roomiest(takers, room, device.cameras);
    if (taker === null) {
      withoutRoom += device.cameras;
      continue;
    }
    room.set(taker.siteId, (room.get(taker.siteId) ?? 0) - device.cameras);
    moves.push({ deviceId: device.deviceId, from: silent.siteId, to: taker.siteId });
  }
  return { siteId: silent.siteId, moves, withoutRoom };
}

function byUrgency(one: GroupDevice, other: GroupDevice): number {
  return (
    Number(other.isRecorded) - Number(one.isRecorded) ||
    one.cameras - other.cameras ||
    (one.deviceId < other.deviceId ? -1 : 1)
  );
}

/** Spares before others, then the largest free share of what it may record. */
function roomiest(
  takers: readonly GroupMember[],
  room: ReadonlyMap<string, number>,
  cameras: number,
): GroupMember | null {
  const share = ({ siteId, cameraMax }: GroupMember): number => (room.get(siteId) ?? 0) / cameraMax;
  return (
    takers
      .filter(({ siteId }) => (room.get(siteId) ?? 0) >= cameras)
      .toSorted(
        (one, other) =>
          Number(other.isSpare) - Number(one.isSpare) ||
          share(other) - share(one) ||
          (one.siteId < other.siteId ? -1 : 1),
      )[0] ?? null
  );
}

/** A device that another site has. */
export interface AwayDevice {
  readonly deviceId: string;
  readonly siteId: string;
  readonly homeSiteId: string;
}

/** Devices that go back to a site that is there again for good, and whose disk takes recordings; also from a site that left the group. */
export function dueReturns(members: readonly GroupMember[], away: readonly AwayDevice[]): readonly Move[] {
  const steady = new Set(
    members.flatMap((one) => (isHeard(one) && one.canStore && one.steadyMs >= STEADY_MS ? [one.siteId] : [])),
  );
  return away
    .filter(({ homeSiteId }) => steady.has(homeSiteId))
    .map(({ deviceId, siteId, homeSiteId }) => ({ deviceId, from: siteId, to: homeSiteId }));
}
