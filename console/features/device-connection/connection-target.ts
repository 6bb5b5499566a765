// The device whose connection is being edited, chosen anywhere in the console; the dialog itself stands in the shell.
import { create } from 'zustand';
import type { DeviceReason } from '@vedette/contract/errors.ts';

export interface ConnectionTarget {
  readonly deviceSerial: string;
  readonly name: string;
}

export const useConnectionTarget = create<{ readonly target: ConnectionTarget | null }>(() => ({ target: null }));

export function openConnection(target: ConnectionTarget): void {
  useConnectionTarget.setState({ target });
}
export function closeConnection(): void {
  useConnectionTarget.setState({ target: null });
}

/** Reasons that another address or account may remove. */
const MENDABLE: ReadonlySet<string> = new Set<DeviceReason>([
  'deviceAuth',
  'unreachable',
  'timeout',
  'offline',
  'refusedAddress',
  'untrusted',
  'wrongProtocol',
  'otherDevice',
  'noVideo',
]);

export function isConnectionReason(reason: string | null): boolean {
  return reason !== null && MENDABLE.has(reason);
}
