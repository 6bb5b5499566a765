// How a virtual device answers ONVIF operations: typed ones by the table of `protocols/onvif`, the rest by hand.

import { serviceNamespaces, type ServiceName } from '@vedette/protocols/onvif/namespaces.ts';
import { decodeRequest, encodeResponse, type Operation } from '@vedette/protocols/onvif/operation.ts';
import type { XmlElement } from '@vedette/protocols/xml/xml.ts';
import type { XmlNode } from '@vedette/protocols/xml/xml-writer.ts';

/** What an operation may need to know beside its request. */
export interface OperationCall {
  /** Of the address the request came to. */
  readonly path: string;
  readonly header: XmlElement | null;
  /** What came beside the envelope, by content id. */
  readonly attached: ReadonlyMap<string, Buffer>;
  /** Runs `leave` when the client goes before it is answered. */
  readonly onGone: (leave: () => void) => void;
}

export interface OperationHandler {
  /** `namespace#name` of the request element. */
  readonly key: string;
  run(request: XmlElement, call: OperationCall): XmlNode | Promise<XmlNode>;
}

export function keyOf(namespace: string, name: string): string {
  return `${namespace}#${name}`;
}

export function answer<Q, S>(
  operation: Operation<Q, S>,
  respond: (request: Q, call: OperationCall) => S | Promise<S>,
): OperationHandler {
  return {
    key: keyOf(serviceNamespaces[operation.service], operation.name),
    run: async (request, call) => encodeResponse(operation, await respond(decodeRequest(operation, request), call)),
  };
}

/** For operations our own client never calls: written and read as plain elements. */
export function answerPlain(
  service: ServiceName,
  name: string,
  respond: (request: XmlElement) => XmlNode,
): OperationHandler {
  return { key: keyOf(serviceNamespaces[service], name), run: respond };
}
