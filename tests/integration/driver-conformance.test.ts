// Driver conformance against whole devices: GStreamer's RTSP server, open and with digest, and the virtual devices.
import { type ConformanceSubject, driverConformance } from '../../drivers/conformance/conformance-suite.ts';
import { startGstreamer } from '../harness/gstreamer.ts';
import { startVirtualSite } from '../harness/virtual-site.ts';

driverConformance({
  name: '[DM-01] rtsp against GStreamer',
  driver: 'rtsp',
  channels: 1,
  asksPassword: false,
  start: async () => {
    const peer = await startGstreamer();
    return { target: peer.url('/h264-aac'), credentials: null, stop: () => peer.stop() };
  },
});

driverConformance({
  name: '[DM-01] rtsp against GStreamer with digest',
  driver: 'rtsp',
  channels: 1,
  asksPassword: true,
  start: async () => {
    const credentials = { user: 'viewer', password: 'canary-camera-5' };
    const peer = await startGstreamer(credentials);
    return { target: peer.url('/h265'), credentials, stop: () => peer.stop() };
  },
});

async function virtualDevice(kind: 'camera' | 'recorder'): Promise<ConformanceSubject> {
  const site = await startVirtualSite();
  const device = site.devices.find((one) => one.kind === kind);
  if (device === undefined) throw new Error(`no virtual ${kind}`);
  return {
    target: device.target,
    credentials: { user: device.user, password: device.password },
    stop: () => site.stop(),
    raiseInput: async (key) => {
      const state = (await (await fetch(`${site.controlUrl}/state`)).json()) as {
        devices: { serial: string; target: string }[];
      };
      const serial = state.devices.find(({ target }) => target === device.target)?.serial;
      const body = JSON.stringify({ topic: 'tns1:Device/Trigger/DigitalInput', key });
      await fetch(`${site.controlUrl}/devices/${serial}/raise`, { method: 'POST', body });
    },
  };
}

driverConformance({
  name: '[DM-01] onvif against a virtual camera',
  driver: 'onvif',
  channels: 1,
  asksPassword: true,
  start: () => virtualDevice('camera'),
});

driverConformance({
  name: '[DM-01] onvif against a virtual recorder',
  driver: 'onvif',
  channels: 4,
  asksPassword: true,
  start: () => virtualDevice('recorder'),
});
