// Writes and reads the messages of WS-Discovery April 2005, as ONVIF devices speak it (ONVIF Core 7.3).
import { readEnvelope, SoapError, writeEnvelope } from '../soap/envelope.ts';
import { element, type XmlNode } from '../xml/xml-writer.ts';
import { type QName, type XmlElement, XmlError } from '../xml/xml.ts';

export const discoveryGroup = { address: '239.255.255.250', port: 3702 } as const;

const namespaces = {
  d: 'http://schemas.xmlsoap.org/ws/2005/04/discovery',
  wsa: 'http://schemas.xmlsoap.org/ws/2004/08/addressing',
  dn: 'http://www.onvif.org/ver10/network/wsdl',
  tds: 'http://www.onvif.org/ver10/device/wsdl',
} as const;

const anyone = 'urn:schemas-xmlsoap-org:ws:2005:04:discovery';
const anonymous = `${namespaces.wsa}/role/anonymous`;

/** What ONVIF devices call themselves; a Probe names one at a time, since several types in one mean all of them at once. */
export const deviceTypes = ['dn:NetworkVideoTransmitter', 'tds:Device'] as const;
export type DeviceTypeName = (typeof deviceTypes)[number];

/** One device as it announces itself. */
export interface DiscoveredDevice {
  /** Address of the endpoint reference, for example `urn:uuid:…`: the same for ever, whatever its IP address. */
  readonly endpoint: string;
  readonly types: readonly QName[];
  readonly scopes: readonly string[];
  readonly xAddrs: readonly string[];
}

export type DiscoveryMessage =
  | { readonly kind: 'probe'; readonly messageId: string; readonly types: readonly QName[] }
  | { readonly kind: 'matches'; readonly relatesTo: string; readonly devices: readonly DiscoveredDevice[] }
  | { readonly kind: 'hello' | 'bye'; readonly device: DiscoveredDevice };

/** Of one message; a device needs a tenth of these. */
const limits = { devices: 64, words: 128, textLength: 1024 } as const;

export interface ProbeParts {
  /** A URI of its own: the answers name it. */
  readonly messageId: string;
  readonly type: DeviceTypeName;
}

export function writeProbe({ messageId, type }: ProbeParts): string {
  return write('Probe', { messageId, to: anyone }, element('d:Probe', {}, element('d:Types', {}, type)));
}

/** A device as its own announcement writes it. */
export interface AnnouncedDevice {
  readonly endpoint: string;
  readonly scopes: readonly string[];
  readonly xAddrs: readonly string[];
}

export function writeProbeMatches(parts: {
  readonly messageId: string;
  readonly relatesTo: string;
  readonly device: AnnouncedDevice;
}): string {
  const body = element('d:ProbeMatches', {}, element('d:ProbeMatch', {}, describe(parts.device)));
  return write('ProbeMatches', { messageId: parts.messageId, to: anonymous, relatesTo: parts.relatesTo }, body);
}

export function writeHello(messageId: string, device: AnnouncedDevice): string {
  return write('Hello', { messageId, to: anyone }, element('d:Hello', {}, describe(device)));
}

export function writeBye(messageId: string, device: AnnouncedDevice): string {
  return write('Bye', { messageId, to: anyone }, element('d:Bye', {}, reference(device.endpoint)));
}

function write(
  action: string,
  header: { readonly messageId: string; readonly to: string; readonly relatesTo?: string },
  body: XmlNode,
): string {
  const { messageId, to, relatesTo } = header;
  return writeEnvelope({
    header: [
      element('wsa:MessageID', {}, messageId),
      ...(relatesTo === undefined ? [] : [element('wsa:RelatesTo', {}, relatesTo)]),
      element('wsa:To', {}, to),
      element('wsa:Action', {}, `${namespaces.d}/${action}`),
    ],
    body,
    prefixes: namespaces,
  });
}

function describe(device: AnnouncedDevice): XmlNode[] {
  return [
    reference(device.endpoint),
    element('d:Types', {}, deviceTypes.join(' ')),
    element('d:Scopes', {}, device.scopes.join(' ')),
    element('d:XAddrs', {}, device.xAddrs.join(' ')),
    element('d:MetadataVersion', {}, '1'),
  ];
}

function reference(endpoint: string): XmlNode {
  return element('wsa:EndpointReference', {}, element('wsa:Address', {}, endpoint));
}

/** Null for everything that is no message of discovery: datagrams come from anybody. */
export function readDiscovery(datagram: Uint8Array): DiscoveryMessage | null {
  try {
    const { header, body } = readEnvelope(datagram);
    return header === null || body === null ? null : readBody(header, body);
  } catch (error) {
    if (error instanceof XmlError || error instanceof SoapError) return null;
    throw error;
  }
}

function readBody(header: XmlElement, body: XmlElement): DiscoveryMessage | null {
  switch (body.name) {
    case 'Probe':
      return { kind: 'probe', messageId: textOf(header, 'MessageID'), types: readTypes(body) };
    case 'ProbeMatches':
      return {
        kind: 'matches',
        relatesTo: textOf(header, 'RelatesTo'),
        devices: body.childrenNamed('ProbeMatch').slice(0, limits.devices).map(readDevice).filter(isNamed),
      };
    case 'Hello':
    case 'Bye': {
      const device = readDevice(body);
      return isNamed(device) ? { kind: body.name === 'Hello' ? 'hello' : 'bye', device } : null;
    }
    default:
      return null;
  }
}

function readDevice(parent: XmlElement): DiscoveredDevice {
  return {
    endpoint: clip(parent.path('EndpointReference', 'Address')?.text.trim() ?? ''),
    types: readTypes(parent),
    scopes: wordsOf(parent, 'Scopes'),
    xAddrs: wordsOf(parent, 'XAddrs'),
  };
}

function isNamed(device: DiscoveredDevice): boolean {
  return device.endpoint !== '';
}

function readTypes(parent: XmlElement): QName[] {
  const types = parent.child('Types');
  return types === undefined ? [] : wordsOf(parent, 'Types').map((word) => types.resolveQName(word));
}

function wordsOf(parent: XmlElement, name: string): string[] {
  const text = parent.child(name)?.text ?? '';
  return text
    .split(/\s+/u)
    .filter((word) => word !== '')
    .slice(0, limits.words)
    .map(clip);
}

function textOf(parent: XmlElement, name: string): string {
  return clip(parent.child(name)?.text.trim() ?? '');
}

function clip(text: string): string {
  return text.slice(0, limits.textLength);
}

/** Whether a device that is a network video transmitter answers to this Probe: no types asks for everything. */
export function answersTo(types: readonly QName[]): boolean {
  return types.every(
    ({ namespace, name }) =>
      (namespace === namespaces.dn && name === 'NetworkVideoTransmitter') ||
      (namespace === namespaces.tds && name === 'Device'),
  );
}
