// Ties a request and an answer schema to a service: one table row per ONVIF operation, for client and server alike.
import type { XmlElement } from '../xml/xml.ts';
import type { XmlNode } from '../xml/xml-writer.ts';
import { type ServiceName, serviceNamespaces, servicePrefixes } from './namespaces.ts';
import { type ContentSchema, type Fields, SchemaError, type StructOf, struct } from './schema.ts';

type OperationKind = 'read' | 'cursor' | 'write' | 'pull';

export interface Operation<Request, Response> {
  readonly service: ServiceName;
  readonly name: string;
  /**
   * `write` changes the device and runs alone; `cursor` reads, but each call gets something new, so equal calls are not
   * shared; `pull` is answered only when there is something to tell, or after the time it names.
   */
  readonly kind: OperationKind;
  /** The SOAP action: some devices route by it. */
  readonly action: string;
  /** Of the request and response elements. */
  readonly prefix: string;
  readonly request: ContentSchema<Request>;
  readonly response: ContentSchema<Response>;
}

export interface OperationParts<Q extends Fields, S extends Fields> {
  readonly service: ServiceName;
  readonly name: string;
  readonly kind: OperationKind;
  /** Where it is not the service's own namespace followed by the name. */
  readonly action?: string;
  /** Where the elements are of another namespace than the service's own. */
  readonly prefix?: string;
  readonly request: Q;
  readonly response: S;
}

export function operation<const Q extends Fields, const S extends Fields>(
  parts: OperationParts<Q, S>,
): Operation<StructOf<Q>, StructOf<S>> {
  const { service, name, kind } = parts;
  const { prefix = servicePrefixes[service], action = `${serviceNamespaces[service]}/${name}` } = parts;
  return {
    service,
    name,
    kind,
    action,
    prefix,
    request: struct(prefix, parts.request),
    response: struct(prefix, parts.response),
  };
}

export function encodeRequest<Q, S>(op: Operation<Q, S>, request: Q): XmlNode {
  return op.request.write(`${op.prefix}:${op.name}`, request);
}

export function encodeResponse<Q, S>(op: Operation<Q, S>, response: S): XmlNode {
  return op.response.write(`${op.prefix}:${op.name}Response`, response);
}

export function decodeRequest<Q, S>(op: Operation<Q, S>, body: XmlElement): Q {
  return decode(op.request, op.name, body);
}

/** An empty body is an empty answer, which suits operations that answer nothing and lists that are empty. */
export function decodeResponse<Q, S>(op: Operation<Q, S>, body: XmlElement): S {
  return decode(op.response, `${op.name}Response`, body);
}

function decode<T>(schema: ContentSchema<T>, expected: string, body: XmlElement): T {
  if (body.name !== expected) throw new SchemaError(body.name, `${expected} was expected`);
  const value = schema.read(body);
  if (value === undefined) throw new SchemaError(body.name, 'unreadable');
  return value;
}
