// Endpoint references and message headers of WS-Addressing 1.0: where a subscription lives, and what must be said to reach it.
import type { XmlElement } from '../xml/xml.ts';
import { type XmlNode, element } from '../xml/xml-writer.ts';
import { type ContentSchema, one, optional, struct, token } from './schema.ts';

const anonymous = 'http://www.w3.org/2005/08/addressing/anonymous';

/** Children as they came, each with the namespaces it needs, to be sent back unread. */
const opaqueChildren: ContentSchema<readonly XmlNode[]> = {
  read: (source) => writable(source.children),
  write: (name, children) => element(name, {}, children),
};

export const endpointReference = struct('wsa', {
  Address: one(token),
  ReferenceParameters: optional(opaqueChildren),
});

export interface EndpointReference {
  readonly Address: string;
  readonly ReferenceParameters?: readonly XmlNode[] | undefined;
}

function selfContained({ namespace, name, attributes, children, text }: XmlElement): XmlNode {
  const declared = namespace === '' ? {} : { 'xmlns:ref': namespace };
  const plain = attributes.filter((one) => one.namespace === '' && isPlainName(one.name));
  return element(
    namespace === '' ? name : `ref:${name}`,
    { ...declared, ...Object.fromEntries(plain.map((one) => [one.name, one.value])) },
    text.trim() === '' ? undefined : text,
    writable(children),
  );
}

function writable(children: readonly XmlElement[]): XmlNode[] {
  return children.filter(({ name }) => isPlainName(name)).map((child) => selfContained(child));
}

/** Our writer takes no other names; no device was seen to use one. */
function isPlainName(name: string): boolean {
  return /^[A-Za-z_][\w.-]*$/u.test(name);
}

export interface AddressingParts {
  readonly action: string;
  readonly messageId: string;
  readonly to: EndpointReference;
}

/** Header blocks of a request (WS-Addressing SOAP binding 2): some devices refuse events without `wsa:To`, Axis without its parameters. */
export function addressingHeader({ action, messageId, to }: AddressingParts): XmlNode[] {
  const parameters = (to.ReferenceParameters ?? []).map((node) => ({
    ...node,
    attributes: { ...node.attributes, 'wsa:IsReferenceParameter': 'true' },
  }));
  return [
    element('wsa:Action', {}, action),
    element('wsa:MessageID', {}, messageId),
    element('wsa:ReplyTo', {}, element('wsa:Address', {}, anonymous)),
    element('wsa:To', {}, to.Address),
    ...parameters,
  ];
}
