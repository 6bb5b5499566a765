// The demo scenario: the devices, their scenes and their names in the two languages of the console.

import type { ChannelPlan, DevicePlan } from './device/device-plan.ts';

type Unclaimed = Omit<DevicePlan, 'user' | 'password'>;

const HARBOUR = 'Harbour Campus';
const NORTH = 'North Depot';
const SOUTH = '城南园区';

function camera(serial: string, channel: ChannelPlan, ...organization: readonly string[]): Unclaimed {
  return {
    name: channel.name,
    kind: 'camera',
    serial,
    model: 'VD-C2',
    organization,
    channels: [channel],
    hasHistory: true,
  };
}

/** Few of them watch for something: an inbox that fills by the second teaches nothing. */
const devices: readonly Unclaimed[] = [
  camera(
    'VDGATE0001',
    {
      name: 'Gate House',
      label: 'Gate House',
      scene: 'gate',
      variant: 0,
      hasAudio: true,
      talk: 'pcmu',
      watches: ['line'],
    },
    HARBOUR,
    'Entrance',
  ),
  {
    ...camera(
      'VDPARK0002',
      { name: 'Car Park', label: 'Car Park', scene: 'carPark', variant: 0, watches: ['field'] },
      HARBOUR,
      'Entrance',
    ),
    vendor: 'isapi',
  },
  camera(
    'VDLOBBY003',
    { name: 'Main Lobby', label: 'Main Lobby', scene: 'lobby', variant: 0, hasAudio: true, talk: 'pcma', watches: [] },
    HARBOUR,
    'Main Building',
  ),
  camera(
    'VDSERV0004',
    { name: 'Server Room', label: 'Server Room', scene: 'serverRoom', variant: 0, watches: ['motion'] },
    HARBOUR,
    'Main Building',
  ),
  camera(
    'VDROOF0005',
    { name: 'Roof', label: 'Roof', scene: 'roof', variant: 0, hasPtz: true, watches: [] },
    HARBOUR,
    'Main Building',
  ),
  camera(
    'VDDOCK0006',
    { name: 'Dock 3', label: 'Dock 3', scene: 'dock', variant: 0, watches: [] },
    HARBOUR,
    'Waterfront',
  ),
  {
    ...camera(
      'VDWARE0007',
      { name: 'Warehouse A', label: 'Warehouse A', scene: 'warehouse', variant: 0, watches: ['motion'] },
      NORTH,
      'Halls',
    ),
    vendor: 'cgi',
  },
  camera(
    'VDSTRT0008',
    { name: '西门街道', label: 'West Gate Street', scene: 'street', variant: 0, watches: [] },
    SOUTH,
    '西门',
  ),
  {
    name: '园区录像机',
    kind: 'recorder',
    serial: 'VDNVR00009',
    model: 'VD-R4',
    organization: [SOUTH, '一号楼'],
    hasHistory: true,
    vendor: 'isapi',
    channels: [
      { name: '一号楼大厅', label: 'Lobby 1', scene: 'lobby', variant: 1, watches: [] },
      { name: '二号仓库', label: 'Store 2', scene: 'warehouse', variant: 1, watches: [] },
      { name: '地面停车场', label: 'Car Park South', scene: 'carPark', variant: 1, hasPtz: true, watches: [] },
      { name: '南门', label: 'South Gate', scene: 'gate', variant: 1, watches: ['line'] },
    ],
  },
];

/** Not part of the demo's tree: a search of the network finds them, and they are added without a password. */
const spare: readonly Unclaimed[] = [
  camera('VDPIER0014', { name: 'North Pier', label: 'North Pier', scene: 'dock', variant: 1, watches: [] }),
  camera('VDYARD0015', { name: 'Back Yard', label: 'Back Yard', scene: 'street', variant: 1, watches: [] }),
];

/** Kinds that browsers do not list, and a box that looks at others' pictures: beside the demo, where they are asked for. */
const special: readonly Unclaimed[] = [
  {
    ...camera(
      'VDRADAR011',
      { name: 'Yard Radar', label: 'Yard Radar', scene: 'dock', variant: 1, watches: ['motion'] },
      HARBOUR,
      'Waterfront',
    ),
    model: 'VD-RD1',
    special: 'radar',
  },
  {
    ...camera(
      'VDDOOR0012',
      { name: 'Server Room Door', label: 'Server Room Door', scene: 'serverRoom', variant: 1, watches: [] },
      HARBOUR,
      'Main Building',
    ),
    model: 'VD-A1',
    special: 'access',
  },
  {
    name: 'Analytics Box',
    kind: 'recorder',
    serial: 'VDAIBOX013',
    model: 'VD-B2',
    organization: [NORTH, 'Halls'],
    hasHistory: false,
    special: 'aiBox',
    channels: [
      { name: 'Hall People', label: 'Hall People', scene: 'lobby', variant: 1, watches: ['field'] },
      { name: 'Gate Plates', label: 'Gate Plates', scene: 'gate', variant: 1, watches: ['line'] },
    ],
  },
];

/** A radar, a door controller with its camera, and an AI box. */
export function specialDevices(password: string): DevicePlan[] {
  return special.map((device) => ({ ...device, user: 'admin', password }));
}

/** One password for all devices, made anew for each start: the demo has no default password either. */
export function demoDevices(password: string): DevicePlan[] {
  return devices.map((device) => ({ ...device, user: 'admin', password }));
}

/** Cameras that nobody has added yet. */
export function spareDevices(): DevicePlan[] {
  return spare.map((device) => ({ ...device, hasHistory: false, isOpen: true, user: '', password: '' }));
}

/** Cameras that differ in name and serial alone: for searches and imports of many. */
export function plainCameras(count: number, password: string): DevicePlan[] {
  return Array.from({ length: count }, (_, index) => {
    const number = String(index + 1).padStart(4, '0');
    const channel: ChannelPlan = { name: `Camera ${number}`, label: `Camera ${number}`, scene: 'gate', variant: 0 };
    return { ...camera(`VDCAM${number}`, channel), hasHistory: false, user: 'admin', password };
  });
}

/** A recorder of so many channels with recordings of its own; each looks at another of the scenes. */
export function plainRecorder(count: number, password: string): DevicePlan {
  const scenes = [...new Set(devices.flatMap(({ channels }) => channels.map(({ scene }) => scene)))];
  return {
    name: `Recorder of ${count}`,
    kind: 'recorder',
    serial: `VDNVR${String(count).padStart(5, '0')}`,
    model: `VD-R${count}`,
    organization: [],
    hasHistory: true,
    channels: Array.from({ length: count }, (_, index) => {
      const name = `Channel ${index + 1}`;
      return { name, label: name, scene: scenes[index % scenes.length] ?? 'gate', variant: 0 };
    }),
    user: 'admin',
    password,
  };
}

/** Nothing listens at its address. */
export const offlineCamera = { name: 'Pier Camera', organization: [HARBOUR, 'Waterfront'] } as const;
