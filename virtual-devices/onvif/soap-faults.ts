// Faults of the SOAP services on demand: what a test asks for in place of the right answer.

import type { ServerResponse } from 'node:http';

export const soapFaultKinds = [
  /** The right answer, late. */
  'delay',
  /** None, with the line left open. */
  'hang',
  /** The line is reset. */
  'reset',
  /** A status without a body. */
  'status',
  /** 200 without a body. */
  'empty',
  /** A SOAP fault with given subcodes, at the status such faults have. */
  'fault',
  /** The same at 200. */
  'fault-200',
  /** The right answer, cut in the middle. */
  'truncated',
  /** The right answer behind a DOCTYPE. */
  'doctype',
  /** An answer without end. */
  'flood',
] as const;
export type SoapFaultKind = (typeof soapFaultKinds)[number];

export interface PlannedSoapFault {
  readonly kind: SoapFaultKind;
  /** Local name; null: any. */
  readonly operation: string | null;
  readonly delayMs: number;
  readonly status: number;
  readonly subcodes: readonly string[];
  /** That many requests more. */
  times: number;
}

export class SoapFaults {
  private planned: PlannedSoapFault | null = null;

  /** Null ends it. */
  plan(fault: PlannedSoapFault | null): void {
    this.planned = fault;
  }

  take(operation: string): PlannedSoapFault | null {
    const { planned } = this;
    if (planned === null || (planned.operation !== null && planned.operation !== operation)) return null;
    planned.times -= 1;
    if (planned.times <= 0) this.planned = null;
    return planned;
  }
}

/** True when the answer needs nothing more. */
export function spoilResponse({ kind, status }: PlannedSoapFault, response: ServerResponse): boolean {
  if (kind === 'hang') return true;
  if (kind === 'reset') {
    response.socket?.resetAndDestroy();
    return true;
  }
  if (kind === 'flood') {
    flood(response);
    return true;
  }
  if (kind !== 'status' && kind !== 'empty') return false;
  response.writeHead(kind === 'status' ? status : 200, { 'Content-Length': 0 }).end();
  return true;
}

export function spoilText({ kind }: PlannedSoapFault, text: string): string {
  if (kind === 'truncated') return text.slice(0, text.length / 2);
  return kind === 'doctype' ? text.replace(/^<\?xml[^>]*\?>/u, '$&<!DOCTYPE x [<!ENTITY e "x">]>') : text;
}

function flood(response: ServerResponse): void {
  const filler = Buffer.alloc(65_536, 0x20);
  response.writeHead(200, { 'Content-Type': 'application/soap+xml' });
  const more = () => {
    while (!response.destroyed && response.write(filler));
  };
  response.on('drain', more);
  more();
}
