// PTZ control of the one camera that this page moves: renews the move while it is held, and stops it in every case.
import { SerialQueue } from '@vedette/foundation/concurrency/serial-queue.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { PTZ_MOVE_MAX_MS, PTZ_SPEED, type PtzCommand } from '@vedette/contract/ptz.ts';
import { create } from 'zustand';
import { CallFailure } from '../../calls/call-failure.ts';
import type { Caller } from '../../calls/caller.ts';
import { codeText, failureText } from '../../calls/failure-text.ts';

export interface PtzChannel {
  readonly deviceSerial: string;
  readonly channelNo: number;
}

export type PtzError =
  | { readonly kind: 'failure'; readonly failure: unknown }
  | { readonly kind: 'ended'; readonly code: number; readonly userName: string | null }
  | { readonly kind: 'lost' };

interface PtzControl {
  /** The tile in PTZ mode; null: none. */
  readonly channel: PtzChannel | null;
  readonly speed: number;
  readonly held: ReadonlySet<PtzCommand>;
  readonly trouble: PtzError | null;
  /** This session, as the server names it in events. */
  readonly operatorId: string | null;
}

export const usePtzControl = create<PtzControl>(() => ({
  channel: null,
  speed: PTZ_SPEED.usual,
  held: new Set(),
  trouble: null,
  operatorId: null,
}));

const AGAIN_MS = PTZ_MOVE_MAX_MS * 0.4;

/** One after the other: a stop must not overtake its start. */
const orders = new SerialQueue();
const timers = new Map<PtzCommand, number>();

export function isControlled(channel: PtzChannel): boolean {
  const { channel: controlled } = usePtzControl.getState();
  return controlled?.deviceSerial === channel.deviceSerial && controlled.channelNo === channel.channelNo;
}

export function takeControl(caller: Caller, channel: PtzChannel | null): void {
  stopAllMoves(caller);
  const next = channel && { deviceSerial: channel.deviceSerial, channelNo: channel.channelNo };
  usePtzControl.setState({ channel: next, trouble: null });
}

export function startMove(caller: Caller, command: PtzCommand, speed = usePtzControl.getState().speed): void {
  const { channel } = usePtzControl.getState();
  if (channel === null) return;
  clearInterval(timers.get(command));
  usePtzControl.setState(({ held }) => ({ held: new Set([...held, command]), trouble: null }));
  const send = (isFirst: boolean): void => {
    order(async () => {
      // A tap is a short move, however late its turn comes; what is let go is not begun again.
      if (!isFirst && !usePtzControl.getState().held.has(command)) return;
      const input = { ...channel, command, speed };
      const { operatorId } = await caller.ask('ptz/start', input, { showError: false });
      usePtzControl.setState({ operatorId });
    });
  };
  send(true);
  timers.set(
    command,
    window.setInterval(() => send(false), AGAIN_MS),
  );
}

export function stopMove(caller: Caller, command: PtzCommand): void {
  const { channel, held } = usePtzControl.getState();
  if (channel === null || !held.has(command)) return;
  forget(command);
  order(async () => {
    // Another press of the same key came first: it is held again.
    if (usePtzControl.getState().held.has(command)) return;
    await caller.ask('ptz/stop', { ...channel, command }, { showError: false });
  });
}

export function stopAllMoves(caller: Caller): void {
  for (const command of usePtzControl.getState().held) stopMove(caller, command);
}

/** A light is switched, not held. */
export function switchOnce(caller: Caller, command: PtzCommand, isOn: boolean): void {
  const { channel, speed } = usePtzControl.getState();
  if (channel === null) return;
  order(async () => {
    if (isOn) await caller.ask('ptz/start', { ...channel, command, speed }, { showError: false });
    else await caller.ask('ptz/stop', { ...channel, command }, { showError: false });
  });
}

export function withPtzError(trouble: PtzError | null): void {
  for (const command of usePtzControl.getState().held) forget(command);
  usePtzControl.setState({ trouble });
}

export function ptzErrorText(t: Translate, trouble: PtzError): string {
  switch (trouble.kind) {
    case 'lost':
      return t('ptz.lost');
    case 'ended':
      if (trouble.userName !== null) return t('ptz.taken', { userName: trouble.userName });
      return codeText(t, trouble.code, '', null);
    case 'failure':
      return failureText(t, trouble.failure);
  }
}

function forget(command: PtzCommand): void {
  clearInterval(timers.get(command));
  timers.delete(command);
  usePtzControl.setState(({ held }) => ({ held: new Set([...held].filter((other) => other !== command)) }));
}

function order(work: () => Promise<void>): void {
  orders.run(work).catch((failure: unknown) => {
    const isCall = failure instanceof CallFailure;
    withPtzError(isCall ? { kind: 'failure', failure } : { kind: 'lost' });
  });
}
