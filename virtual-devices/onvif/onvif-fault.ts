// The SOAP faults a virtual device answers with (ONVIF Core 5.8).

import { type FaultParts, faultNode } from '@vedette/protocols/soap/envelope.ts';
import type { XmlNode } from '@vedette/protocols/xml/xml-writer.ts';

export class OnvifFault extends Error {
  override readonly name = 'OnvifFault';
  readonly parts: FaultParts;
  /** HTTP: Receiver faults are the device's own, 500; the others 400. */
  readonly status: number;

  constructor(parts: FaultParts, status = parts.code === 'Receiver' ? 500 : 400) {
    super(parts.reason);
    this.parts = parts;
    this.status = status;
  }

  get node(): XmlNode {
    return faultNode(this.parts);
  }
}

export function notAuthorized(): OnvifFault {
  return new OnvifFault({ code: 'Sender', subcodes: ['ter:NotAuthorized'], reason: 'Sender not authorized' });
}

export function actionNotSupported(): OnvifFault {
  return new OnvifFault({
    code: 'Receiver',
    subcodes: ['ter:ActionNotSupported'],
    reason: 'The requested action is not implemented by the device',
  });
}

export function invalidArgument(subcode: string, reason: string): OnvifFault {
  return new OnvifFault({ code: 'Sender', subcodes: ['ter:InvalidArgVal', subcode], reason });
}

export function noProfile(): OnvifFault {
  return invalidArgument('ter:NoProfile', 'The requested profile token does not exist');
}
