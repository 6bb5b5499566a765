// Writes and reads SOAP 1.2 envelopes and faults (W3C SOAP 1.2 part 1, sections 5.1 to 5.4); SOAP 1.1 faults are read too.
import { type QName, type XmlElement, parseXml } from '../xml/xml.ts';
import { type XmlNode, element, serializeXml } from '../xml/xml-writer.ts';

export const soapNamespace = 'http://www.w3.org/2003/05/soap-envelope';
export const soapContentType = 'application/soap+xml; charset=utf-8';

/** Prefix to namespace for everything below the envelope; only the used ones are declared. */
type PrefixTable = Readonly<Record<string, string>>;

export interface EnvelopeParts {
  readonly header?: readonly XmlNode[];
  readonly body: XmlNode | undefined;
  readonly prefixes: PrefixTable;
}

export function writeEnvelope({ header = [], body, prefixes }: EnvelopeParts): string {
  const used = new Set<string>();
  for (const node of [...header, ...(body === undefined ? [] : [body])]) collectPrefixes(node, used);
  const declarations: Record<string, string> = { 'xmlns:s': soapNamespace };
  for (const prefix of used) {
    const namespace = prefixes[prefix];
    if (namespace !== undefined) declarations[`xmlns:${prefix}`] = namespace;
  }
  const headerNode = header.length === 0 ? undefined : element('s:Header', {}, header);
  return serializeXml(element('s:Envelope', declarations, headerNode, element('s:Body', {}, body)));
}

/** Prefixes also occur in text (`tt:Wiper`, topics), so short prefixed words of text count as uses. */
function collectPrefixes(node: XmlNode, used: Set<string>): void {
  const values = [node.name, ...Object.keys(node.attributes), ...Object.values(node.attributes)];
  for (const child of node.children) {
    if (typeof child === 'string') values.push(child);
    else collectPrefixes(child, used);
  }
  for (const value of values) {
    for (const match of value.slice(0, 1000).matchAll(/(?<![\w.-])([A-Za-z][\w.-]*):(?=[A-Za-z_])/gu)) {
      if (match[1] !== undefined) used.add(match[1]);
    }
  }
}

export interface Envelope {
  readonly header: XmlElement | null;
  /** First element of the body; null when the body is empty. */
  readonly body: XmlElement | null;
  readonly fault: SoapFault | null;
}

/** Everything a fault says; nothing is dropped, since the subcodes decide what we tell the user. */
export interface SoapFault {
  /** Local name: `Sender`, `Receiver`, `MustUnderstand` … */
  readonly code: string;
  /** From the outermost to the innermost. */
  readonly subcodes: readonly QName[];
  readonly reason: string;
  readonly detail: string;
}

export class SoapError extends Error {
  override readonly name = 'SoapError';
}

/** Throws XmlError for what is no XML and SoapError for XML that is no envelope. */
export function readEnvelope(input: string | Uint8Array): Envelope {
  const root = parseXml(input);
  if (root.name !== 'Envelope') throw new SoapError(`root element is ${root.name}, not Envelope`);
  const body = root.child('Body');
  if (body === undefined) throw new SoapError('envelope without body');
  const first = body.children[0] ?? null;
  const fault = first?.name === 'Fault' ? readFault(first) : null;
  return { header: root.child('Header') ?? null, body: first, fault };
}

function readFault(fault: XmlElement): SoapFault {
  const code = fault.child('Code');
  if (code === undefined) return readSoap11Fault(fault);
  const subcodes: QName[] = [];
  for (let at = code.child('Subcode'); at !== undefined; at = at.child('Subcode')) {
    const value = at.child('Value');
    if (value !== undefined) subcodes.push(value.resolveQName(value.text));
  }
  return {
    code: localName(code.child('Value')),
    subcodes,
    reason: textBelow(fault.child('Reason')),
    detail: textBelow(fault.child('Detail')),
  };
}

function readSoap11Fault(fault: XmlElement): SoapFault {
  return {
    code: localName(fault.child('faultcode')),
    subcodes: [],
    reason: textBelow(fault.child('faultstring')),
    detail: textBelow(fault.child('detail')),
  };
}

function localName(value: XmlElement | undefined): string {
  return value === undefined ? '' : value.resolveQName(value.text).name;
}

function textBelow(parent: XmlElement | undefined): string {
  if (parent === undefined) return '';
  const parts = [parent.text.trim(), ...parent.children.map(textBelow)];
  return parts.filter((part) => part !== '').join(' ');
}

export interface FaultParts {
  readonly code: 'Sender' | 'Receiver' | 'MustUnderstand' | 'VersionMismatch' | 'DataEncodingUnknown';
  /** Qualified names such as `ter:NotAuthorized`, outermost first. */
  readonly subcodes?: readonly string[];
  readonly reason: string;
  readonly detail?: string;
}

/** The body element of a fault answer, for servers. */
export function faultNode({ code, subcodes = [], reason, detail }: FaultParts): XmlNode {
  const nested = subcodes.reduceRight<XmlNode | undefined>(
    (inner, subcode) => element('s:Subcode', {}, element('s:Value', {}, subcode), inner),
    undefined,
  );
  return element(
    's:Fault',
    {},
    element('s:Code', {}, element('s:Value', {}, `s:${code}`), nested),
    element('s:Reason', {}, element('s:Text', { 'xml:lang': 'en' }, reason)),
    detail === undefined ? undefined : element('s:Detail', {}, element('s:Text', {}, detail)),
  );
}
