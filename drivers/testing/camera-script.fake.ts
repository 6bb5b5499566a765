// The script of an ordinary camera with two streams, written by hand in XML so that codec errors cannot cancel out.
import type { Script } from './scripted-device.fake.ts';

const namespaces = 'xmlns:d="http://www.onvif.org/ver10/device/wsdl" xmlns:m="http://www.onvif.org/ver10/media/wsdl"';

export interface CameraParts {
  readonly serial?: string;
  readonly profiles?: string;
  readonly sources?: string;
  readonly mediaAddress?: string;
  readonly streamUri?: string;
  readonly snapshotUri?: string;
  readonly clock?: Date;
}

export function profileXml(token: string, source: string, size: string, more = ''): string {
  const [width, height] = size.split('x');
  return `<m:Profiles token="${token}"><tt:Name>${token}</tt:Name>
    <tt:VideoSourceConfiguration token="vsc-${source}"><tt:Name>Source ${source}</tt:Name><tt:SourceToken>${source}</tt:SourceToken></tt:VideoSourceConfiguration>
    <tt:VideoEncoderConfiguration token="ve-${token}"><tt:Encoding>H264</tt:Encoding>
      <tt:Resolution><tt:Width>${width}</tt:Width><tt:Height>${height}</tt:Height></tt:Resolution>
      <tt:RateControl><tt:FrameRateLimit>25</tt:FrameRateLimit><tt:BitrateLimit>2048</tt:BitrateLimit></tt:RateControl>
    </tt:VideoEncoderConfiguration>${more}</m:Profiles>`;
}

export function clockXml(now: Date): string {
  return `<d:GetSystemDateAndTimeResponse ${namespaces}><d:SystemDateAndTime><tt:UTCDateTime>
    <tt:Time><tt:Hour>${now.getUTCHours()}</tt:Hour><tt:Minute>${now.getUTCMinutes()}</tt:Minute><tt:Second>${now.getUTCSeconds()}</tt:Second></tt:Time>
    <tt:Date><tt:Year>${now.getUTCFullYear()}</tt:Year><tt:Month>${now.getUTCMonth() + 1}</tt:Month><tt:Day>${now.getUTCDate()}</tt:Day></tt:Date>
    </tt:UTCDateTime></d:SystemDateAndTime></d:GetSystemDateAndTimeResponse>`;
}

export function cameraScript(parts: CameraParts = {}): Script {
  const {
    serial = 'CAM0001',
    profiles = profileXml('sub', 'vs0', '640x360') + profileXml('main', 'vs0', '1920x1080'),
    sources = '<m:VideoSources token="vs0"/>',
    mediaAddress = 'http://127.0.0.1/onvif/media_service',
    streamUri = 'rtsp://127.0.0.1:554/main',
    snapshotUri = 'http://127.0.0.1/snapshot.jpg',
  } = parts;
  return {
    GetSystemDateAndTime: () => ({ body: clockXml(parts.clock ?? new Date()) }),
    GetDeviceInformation: {
      body: `<d:GetDeviceInformationResponse ${namespaces}><d:Manufacturer>Maker</d:Manufacturer><d:Model>M-1</d:Model><d:FirmwareVersion>1.2.3</d:FirmwareVersion><d:SerialNumber>${serial}</d:SerialNumber></d:GetDeviceInformationResponse>`,
    },
    GetScopes: {
      body: `<d:GetScopesResponse ${namespaces}><d:Scopes><tt:ScopeItem>onvif://www.onvif.org/name/Front%20door%20%E5%A4%A7%E9%97%A8</tt:ScopeItem></d:Scopes></d:GetScopesResponse>`,
    },
    GetServices: {
      body: `<d:GetServicesResponse ${namespaces}><d:Service><d:Namespace>http://www.onvif.org/ver10/media/wsdl</d:Namespace><d:XAddr>${mediaAddress}</d:XAddr></d:Service></d:GetServicesResponse>`,
    },
    GetProfiles: { body: `<m:GetProfilesResponse ${namespaces}>${profiles}</m:GetProfilesResponse>` },
    GetVideoSources: { body: `<m:GetVideoSourcesResponse ${namespaces}>${sources}</m:GetVideoSourcesResponse>` },
    GetStreamUri: {
      body: `<m:GetStreamUriResponse ${namespaces}><m:MediaUri><tt:Uri>${streamUri}</tt:Uri></m:MediaUri></m:GetStreamUriResponse>`,
    },
    GetSnapshotUri: {
      body: `<m:GetSnapshotUriResponse ${namespaces}><m:MediaUri><tt:Uri>${snapshotUri}</tt:Uri></m:MediaUri></m:GetSnapshotUriResponse>`,
    },
    SetSynchronizationPoint: { body: `<m:SetSynchronizationPointResponse ${namespaces}/>` },
    SystemReboot: {
      body: `<d:SystemRebootResponse ${namespaces}><d:Message>soon</d:Message></d:SystemRebootResponse>`,
    },
    '/snapshot.jpg': { headers: { 'content-type': 'image/jpeg' }, body: Buffer.from([0xff, 0xd8, 0xff, 0xd9]) },
  };
}
