// Namespaces of the ONVIF services under the prefixes the specifications use (ONVIF Core 5.3).
import { xopPrefixes } from '../soap/mtom.ts';
import { securityPrefixes } from '../soap/ws-security.ts';

export const serviceNamespaces = {
  device: 'http://www.onvif.org/ver10/device/wsdl',
  media: 'http://www.onvif.org/ver10/media/wsdl',
  media2: 'http://www.onvif.org/ver20/media/wsdl',
  recording: 'http://www.onvif.org/ver10/recording/wsdl',
  search: 'http://www.onvif.org/ver10/search/wsdl',
  replay: 'http://www.onvif.org/ver10/replay/wsdl',
  events: 'http://www.onvif.org/ver10/events/wsdl',
  ptz: 'http://www.onvif.org/ver20/ptz/wsdl',
  imaging: 'http://www.onvif.org/ver20/imaging/wsdl',
  analytics: 'http://www.onvif.org/ver20/analytics/wsdl',
  deviceIo: 'http://www.onvif.org/ver10/deviceIO/wsdl',
} as const;

export type ServiceName = keyof typeof serviceNamespaces;

export const servicePrefixes: Readonly<Record<ServiceName, string>> = {
  device: 'tds',
  media: 'trt',
  media2: 'tr2',
  recording: 'trc',
  search: 'tse',
  replay: 'trp',
  events: 'tev',
  ptz: 'tptz',
  imaging: 'timg',
  analytics: 'tan',
  deviceIo: 'tmd',
};

export const errorNamespace = 'http://www.onvif.org/ver10/error';
export const topicNamespace = 'http://www.onvif.org/ver10/topics';

/** Every prefix our envelopes may use. */
export const onvifPrefixes: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(serviceNamespaces).map(([service, namespace]) => [
      servicePrefixes[service as ServiceName],
      namespace,
    ]),
  ),
  ...securityPrefixes,
  ...xopPrefixes,
  tt: 'http://www.onvif.org/ver10/schema',
  ter: errorNamespace,
  tns1: topicNamespace,
  wsnt: 'http://docs.oasis-open.org/wsn/b-2',
  wstop: 'http://docs.oasis-open.org/wsn/t-1',
  wsa: 'http://www.w3.org/2005/08/addressing',
};
