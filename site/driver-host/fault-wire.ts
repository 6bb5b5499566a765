// Serialises errors between the loops: a DeviceFault keeps its kind, every other error its name and message.
import { DeviceFault } from '@vedette/drivers/kit/device-fault.ts';
import type { WireFault } from './wire.ts';

/** Texts of devices are truncated: they are only for the log. */
const MESSAGE_MAX = 500;
const FAULT_MAX = 100;

export function toWire(error: unknown): WireFault {
  const { name, message, cause } = error instanceof Error ? error : new Error(String(error));
  return {
    name: name.slice(0, FAULT_MAX),
    message: message.slice(0, MESSAGE_MAX),
    kind: error instanceof DeviceFault ? error.kind : null,
    fault: error instanceof DeviceFault ? (error.fault?.slice(0, FAULT_MAX) ?? null) : null,
    cause: cause instanceof Error ? `${cause.name}: ${cause.message}`.slice(0, MESSAGE_MAX) : null,
  };
}

export function fromWire({ name, message, kind, fault, cause }: WireFault): Error {
  if (kind !== null) {
    return new DeviceFault(kind, message, {
      ...(fault !== null && { fault }),
      ...(cause !== null && { cause: new Error(cause) }),
    });
  }
  if (name === 'TypeError') return new TypeError(message);
  if (name === 'TimeoutError' || name === 'AbortError') return new DOMException(message, name);
  const error = new Error(message, cause === null ? undefined : { cause: new Error(cause) });
  error.name = name;
  return error;
}
