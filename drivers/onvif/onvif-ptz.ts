// PTZ of one ONVIF channel: continuous moves with a timeout, stops, switches, presets and the device's own tours.
import { getIris, moveFocus, setIris, stopFocus } from '@vedette/protocols/onvif/lens-operations.ts';
import {
  continuousMove,
  getPresets,
  getPresetTours,
  getStatus,
  gotoPreset,
  operatePresetTour,
  removePreset,
  sendAuxiliaryCommand,
  setPreset,
  stopMove,
} from '@vedette/protocols/onvif/ptz-operations.ts';
import { DeviceFault } from '../kit/device-fault.ts';
import type { PtzAxis, PtzController, PtzPresets, PtzSwitch, PtzTours, PtzVelocity } from '../kit/ptz.ts';
import { readDurationMs, writeDuration } from './session/duration.ts';
import type { PtzFacts } from './ptz-facts.ts';
import type { OnvifSession } from './session/onvif-session.ts';

/** Step of the iris per call at full speed, as part of its range. */
const IRIS_STEP = 0.15;

export class OnvifPtz implements PtzController {
  readonly axes: ReadonlySet<PtzAxis>;
  readonly switches: ReadonlySet<PtzSwitch>;
  readonly presets?: PtzPresets;
  readonly tours?: PtzTours;
  readonly #session: OnvifSession;
  readonly #facts: PtzFacts;

  constructor(session: OnvifSession, facts: PtzFacts) {
    this.#session = session;
    this.#facts = facts;
    this.axes = facts.axes;
    this.switches = new Set(facts.switches.keys());
    const { profileToken } = facts;
    if (profileToken !== null && facts.hasPresets) this.presets = presetsOf(session, profileToken);
    if (profileToken !== null && facts.hasTours) this.tours = toursOf(session, profileToken);
  }

  async move(velocity: PtzVelocity, leaseMs: number, signal?: AbortSignal): Promise<void> {
    this.#need(velocity.axis);
    switch (velocity.axis) {
      case 'panTilt':
        return await this.#turn({ PanTilt: { x: velocity.pan, y: velocity.tilt } }, leaseMs, signal);
      case 'zoom':
        return await this.#turn({ Zoom: { x: velocity.speed } }, leaseMs, signal);
      case 'focus': {
        const Focus = { Continuous: { Speed: velocity.speed } };
        await this.#session.call(moveFocus, { VideoSourceToken: this.#facts.sourceToken, Focus }, signal);
        return;
      }
      case 'iris':
        return await this.#stepIris(velocity.speed, signal);
    }
  }

  async stop(axis: PtzAxis, signal?: AbortSignal): Promise<void> {
    this.#need(axis);
    if (axis === 'iris') return;
    if (axis === 'focus') {
      await this.#session.call(stopFocus, { VideoSourceToken: this.#facts.sourceToken }, signal);
      return;
    }
    const which = { PanTilt: axis === 'panTilt', Zoom: axis === 'zoom' };
    await this.#session.call(stopMove, { ProfileToken: this.#profile(), ...which }, signal);
  }

  async turn(which: PtzSwitch, isOn: boolean, signal?: AbortSignal): Promise<void> {
    const words = this.#facts.switches.get(which);
    if (words === undefined) throw new DeviceFault('not-supported', `the camera has no ${which}`);
    const AuxiliaryData = isOn ? words.on : words.off;
    await this.#session.call(sendAuxiliaryCommand, { ProfileToken: this.#profile(), AuxiliaryData }, signal);
  }

  async isMoving(signal?: AbortSignal): Promise<boolean | null> {
    const { PTZStatus } = await this.#session.call(getStatus, { ProfileToken: this.#profile() }, signal);
    const words = [PTZStatus.MoveStatus?.PanTilt, PTZStatus.MoveStatus?.Zoom].filter((word) => word !== undefined);
    // Also if it gives no timeout.
    if (words.every((word) => word === 'UNKNOWN')) return null;
    return words.includes('MOVING');
  }

  async #turn(
    Velocity: { readonly PanTilt?: { x: number; y: number }; readonly Zoom?: { x: number } },
    leaseMs: number,
    signal?: AbortSignal,
  ): Promise<void> {
    const { least, most } = this.#facts.timeout;
    const Timeout = writeDuration(Math.min(Math.max(leaseMs, least), most));
    await this.#session.call(continuousMove, { ProfileToken: this.#profile(), Velocity, Timeout }, signal);
  }

  /** ONVIF has no continuous iris move: it is set step by step. */
  async #stepIris(speed: number, signal?: AbortSignal): Promise<void> {
    const { iris, sourceToken } = this.#facts;
    if (iris === null) return;
    const { ImagingSettings } = await this.#session.call(getIris, { VideoSourceToken: sourceToken }, signal);
    const now = ImagingSettings.Exposure?.Iris ?? (iris.least + iris.most) / 2;
    // Opening reduces the attenuation.
    const next = Math.min(iris.most, Math.max(iris.least, now - speed * (iris.most - iris.least) * IRIS_STEP));
    const Exposure = { Mode: 'MANUAL', Iris: Math.round(next * 100) / 100 };
    await this.#session.call(setIris, { VideoSourceToken: sourceToken, ImagingSettings: { Exposure } }, signal);
  }

  #need(axis: PtzAxis): void {
    if (!this.axes.has(axis)) throw new DeviceFault('not-supported', `the camera has no ${axis}`);
  }

  #profile(): string {
    const { profileToken } = this.#facts;
    if (profileToken === null) throw new DeviceFault('not-supported', 'the camera has no head');
    return profileToken;
  }
}

function presetsOf(session: OnvifSession, ProfileToken: string): PtzPresets {
  return {
    list: async (signal) => {
      const { Preset } = await session.call(getPresets, { ProfileToken }, signal);
      return Preset.flatMap(({ token, Name }) => (token === undefined ? [] : [{ token, name: Name ?? '' }]));
    },
    add: async (name, signal) => {
      try {
        return (await session.call(setPreset, { ProfileToken, PresetName: name }, signal)).PresetToken;
      } catch (error) {
        if (!isFaultOf(error, /Invalid(?:Preset)?Name|PresetExist|InvalidArg/u)) throw error;
        // Devices accept few characters and no duplicate names: our table keeps the full name.
        return (await session.call(setPreset, { ProfileToken }, signal)).PresetToken;
      }
    },
    remove: async (token, signal) => {
      try {
        await session.call(removePreset, { ProfileToken, PresetToken: token }, signal);
      } catch (error) {
        if (!isFaultOf(error, /NoToken|NoPreset/u)) throw error;
      }
    },
    goto: async (token, signal) => {
      await session.call(gotoPreset, { ProfileToken, PresetToken: token }, signal);
    },
  };
}

const TOUR_ORDERS = { start: 'Start', stop: 'Stop' } as const;

function toursOf(session: OnvifSession, ProfileToken: string): PtzTours {
  return {
    list: async (signal) => {
      const { PresetTour } = await session.call(getPresetTours, { ProfileToken }, signal);
      return PresetTour.flatMap(({ token, Name, Status, TourSpot }) => {
        if (token === undefined) return [];
        const stops = TourSpot.flatMap(({ PresetDetail, StayTime }) => {
          const stop = PresetDetail?.PresetToken;
          return stop === undefined ? [] : [{ token: stop, stayMs: readDurationMs(StayTime) ?? 0 }];
        });
        return [{ token, name: Name ?? '', isRunning: Status?.State === 'Touring', stops }];
      });
    },
    operate: async (token, order, signal) => {
      const Operation = TOUR_ORDERS[order];
      await session.call(operatePresetTour, { ProfileToken, PresetTourToken: token, Operation }, signal);
    },
  };
}

function isFaultOf(error: unknown, pattern: RegExp): boolean {
  return error instanceof DeviceFault && error.fault !== null && pattern.test(error.fault);
}
