// PTZ service of a virtual device, and the part of imaging that moves the lens (ONVIF PTZ 5, Imaging 5).

import { getMoveOptions, moveFocus, stopFocus } from '@vedette/protocols/onvif/lens-operations.ts';
import {
  continuousMove,
  getNodes,
  getPresets,
  getPresetTours,
  getPtzConfigurationOptions,
  getStatus,
  gotoPreset,
  operatePresetTour,
  removePreset,
  sendAuxiliaryCommand,
  setPreset,
  stopMove,
} from '@vedette/protocols/onvif/ptz-operations.ts';
import { type CameraPtz, type PtzPreset, MOST_PRESETS } from '../ptz/camera-ptz.ts';
import { ptzNodeToken, profileOf, sourceToken } from './media-profiles.ts';
import type { OnvifDevice } from './onvif-device.ts';
import { actionNotSupported, invalidArgument } from './onvif-fault.ts';
import { answer, type OperationHandler } from './operation-handler.ts';

const range = { Min: -1, Max: 1 };
const SPACES = {
  ContinuousPanTiltVelocitySpace: [
    {
      URI: 'http://www.onvif.org/ver10/tptz/PanTiltSpaces/VelocityGenericSpace',
      XRange: range,
      YRange: range,
    },
  ],
  ContinuousZoomVelocitySpace: [
    { URI: 'http://www.onvif.org/ver10/tptz/ZoomSpaces/VelocityGenericSpace', XRange: range },
  ],
};
const LONGEST_S = 10;
const TOUR = 'tour_1';
const MOST_NAME = 32;
const AUXILIARY: Readonly<Record<string, keyof CameraPtz['switches']>> = {
  'tt:Wiper': 'wiper',
  'tt:WhiteLight': 'light',
};

export function ptzHandlers(device: OnvifDevice): OperationHandler[] {
  const of = (profileToken: string): CameraPtz => {
    const head = device.ptzOf(profileOf(device, profileToken).channelNo);
    if (head === null) throw invalidArgument('ter:NoPTZProfile', 'The profile has no PTZ configuration');
    return head;
  };
  return [
    ...nodeHandlers(device),
    ...moveHandlers(of),
    ...presetHandlers(of),
    ...tourHandlers(of),
    ...lensHandlers(device),
  ];
}

type PtzOf = (profileToken: string) => CameraPtz;

function nodeHandlers(device: OnvifDevice): OperationHandler[] {
  return [
    answer(getNodes, () => ({
      PTZNode: device.plan.channels.flatMap((_, index) =>
        device.ptzOf(index + 1) === null
          ? []
          : [
              {
                token: ptzNodeToken(index + 1),
                Name: `Head ${index + 1}`,
                SupportedPTZSpaces: SPACES,
                MaximumNumberOfPresets: MOST_PRESETS,
                HomeSupported: false,
                AuxiliaryCommands: Object.keys(AUXILIARY).flatMap((name) => [`${name}|On`, `${name}|Off`]),
                Extension: { SupportedPresetTour: { MaximumNumberOfPresetTours: 1 } },
              },
            ],
      ),
    })),
    answer(getPtzConfigurationOptions, () => ({
      PTZConfigurationOptions: { Spaces: SPACES, PTZTimeout: { Min: 'PT0.1S', Max: `PT${LONGEST_S}S` } },
    })),
  ];
}

function moveHandlers(of: PtzOf): OperationHandler[] {
  return [
    answer(continuousMove, ({ ProfileToken, Velocity, Timeout }) => {
      const { PanTilt, Zoom } = Velocity;
      const speeds = { ...(PanTilt && { pan: PanTilt.x, tilt: PanTilt.y }), ...(Zoom && { zoom: Zoom.x }) };
      if (Object.values(speeds).some((speed) => Math.abs(speed) > 1)) {
        throw invalidArgument('ter:InvalidVelocity', 'A velocity is out of range');
      }
      of(ProfileToken).move(speeds, timeoutMs(Timeout));
      return {};
    }),
    answer(stopMove, ({ ProfileToken, PanTilt = true, Zoom = true }) => {
      of(ProfileToken).stop([...(PanTilt ? (['pan', 'tilt'] as const) : []), ...(Zoom ? (['zoom'] as const) : [])]);
      return {};
    }),
    answer(getStatus, ({ ProfileToken }) => {
      const head = of(ProfileToken);
      const { pan, tilt, zoom } = head.place;
      const word = (isMoving: boolean): string => (isMoving ? 'MOVING' : 'IDLE');
      return {
        PTZStatus: {
          Position: { PanTilt: { x: pan, y: tilt }, Zoom: { x: zoom } },
          MoveStatus: {
            PanTilt: word(head.isMovingOn('pan') || head.isMovingOn('tilt')),
            Zoom: word(head.isMovingOn('zoom')),
          },
        },
      };
    }),
    answer(sendAuxiliaryCommand, ({ ProfileToken, AuxiliaryData }) => {
      const [name = '', state] = AuxiliaryData.split('|');
      const which = AUXILIARY[name];
      if (which === undefined || (state !== 'On' && state !== 'Off')) {
        throw invalidArgument('ter:SpaceNotSupported', 'There is no such auxiliary command');
      }
      of(ProfileToken).switches[which] = state === 'On';
      return { AuxiliaryResponse: AuxiliaryData };
    }),
  ];
}

function timeoutMs(text: string | undefined): number {
  if (text === undefined) return LONGEST_S * 1000;
  const [, seconds] = /^PT(\d+(?:\.\d+)?)S$/.exec(text) ?? [];
  if (seconds === undefined || Number(seconds) > LONGEST_S) {
    throw invalidArgument('ter:TimeoutNotSupported', 'The timeout is out of range');
  }
  return Number(seconds) * 1000;
}

function presetHandlers(of: PtzOf): OperationHandler[] {
  const find = (head: CameraPtz, token: string): PtzPreset => {
    const preset = head.presets.find((one) => one.token === token);
    if (preset === undefined) throw invalidArgument('ter:NoToken', 'The preset does not exist');
    return preset;
  };
  return [
    answer(getPresets, ({ ProfileToken }) => ({
      Preset: of(ProfileToken).presets.map(({ token, name, place }) => ({
        token,
        Name: name,
        PTZPosition: { PanTilt: { x: place.pan, y: place.tilt }, Zoom: { x: place.zoom } },
      })),
    })),
    answer(setPreset, ({ ProfileToken, PresetName = '', PresetToken }) => {
      const head = of(ProfileToken);
      if (PresetName.length > MOST_NAME) throw invalidArgument('ter:InvalidPresetName', 'The name is too long');
      if (PresetToken !== undefined) {
        const moved = { ...find(head, PresetToken), place: head.place, ...(PresetName !== '' && { name: PresetName }) };
        head.presets = head.presets.map((one) => (one.token === PresetToken ? moved : one));
        return { PresetToken };
      }
      if (head.presets.length >= MOST_PRESETS) throw invalidArgument('ter:TooManyPresets', 'No preset is free');
      return { PresetToken: head.addPreset(PresetName).token };
    }),
    answer(removePreset, ({ ProfileToken, PresetToken }) => {
      const head = of(ProfileToken);
      const { token } = find(head, PresetToken);
      head.presets = head.presets.filter((one) => one.token !== token);
      return {};
    }),
    answer(gotoPreset, ({ ProfileToken, PresetToken }) => {
      const head = of(ProfileToken);
      head.endTour();
      head.goto(find(head, PresetToken).place);
      return {};
    }),
  ];
}

function tourHandlers(of: PtzOf): OperationHandler[] {
  return [
    answer(getPresetTours, ({ ProfileToken }) => {
      const { presets, isTouring } = of(ProfileToken);
      const TourSpot = presets.map(({ token }) => ({ PresetDetail: { PresetToken: token }, StayTime: 'PT3S' }));
      const State = isTouring ? 'Touring' : 'Idle';
      return { PresetTour: [{ token: TOUR, Name: 'Round', Status: { State }, TourSpot }] };
    }),
    answer(operatePresetTour, ({ ProfileToken, PresetTourToken, Operation }) => {
      const head = of(ProfileToken);
      if (PresetTourToken !== TOUR) throw invalidArgument('ter:NoToken', 'The tour does not exist');
      if (Operation === 'Start') head.startTour();
      else head.endTour();
      return {};
    }),
  ];
}

function lensHandlers(device: OnvifDevice): OperationHandler[] {
  const of = (token: string): CameraPtz => {
    const index = device.plan.channels.findIndex((_, at) => sourceToken(at + 1) === token);
    const head = index < 0 ? null : device.ptzOf(index + 1);
    if (head === null) throw actionNotSupported();
    return head;
  };
  return [
    answer(getMoveOptions, ({ VideoSourceToken }) => {
      of(VideoSourceToken);
      return { MoveOptions: { Continuous: { Speed: range } } };
    }),
    answer(moveFocus, ({ VideoSourceToken, Focus }) => {
      of(VideoSourceToken).move({ focus: Focus.Continuous?.Speed ?? 0 }, LONGEST_S * 1000);
      return {};
    }),
    answer(stopFocus, ({ VideoSourceToken }) => {
      of(VideoSourceToken).stop(['focus']);
      return {};
    }),
  ];
}
