// Inputs and relays of a virtual device (ONVIF DeviceIO 5, Core 8.5).

import {
  getDigitalInputOptions,
  getDigitalInputs,
  getRelayOutputOptions,
  getRelayOutputs,
  setDigitalInputs,
  setRelayOutputSettings,
  setRelayOutputState,
} from '@vedette/protocols/onvif/io-operations.ts';
import type { OnvifDevice } from './onvif-device.ts';
import { invalidArgument } from './onvif-fault.ts';
import { answer, type OperationHandler } from './operation-handler.ts';

const DELAY_S = { least: 1, most: 120 };

export function ioHandlers({ contacts }: OnvifDevice): OperationHandler[] {
  return [
    answer(getDigitalInputs, () => ({
      DigitalInputs: [...contacts.inputs].map(([token, IdleState]) => ({ token, IdleState })),
    })),
    answer(getDigitalInputOptions, () => ({ DigitalInputOptions: { IdleState: ['open', 'closed'] } })),
    answer(setDigitalInputs, ({ DigitalInputs }) => {
      for (const { token, IdleState } of DigitalInputs) {
        if (!contacts.inputs.has(token)) throw invalidArgument('ter:DigitalInputToken', 'No such input');
        contacts.inputs.set(token, IdleState === 'closed' ? 'closed' : 'open');
      }
      return {};
    }),
    answer(getRelayOutputs, () => ({
      RelayOutputs: contacts.relays.map(({ token, mode, delayMs, idle }) => ({
        token,
        Properties: { Mode: mode, DelayTime: `PT${delayMs / 1000}S`, IdleState: idle },
      })),
    })),
    answer(getRelayOutputOptions, () => ({
      RelayOutputOptions: contacts.relays.map(({ token }) => ({
        token,
        Mode: ['Bistable', 'Monostable'],
        DelayTimes: `${DELAY_S.least} ${DELAY_S.most}`,
      })),
    })),
    answer(setRelayOutputSettings, ({ RelayOutputToken, Properties: { Mode, DelayTime, IdleState } }) => {
      const seconds = Number(/^PT(\d+(?:\.\d+)?)S$/u.exec(DelayTime ?? '')?.[1]);
      if (!contacts.relays.some(({ token }) => token === RelayOutputToken)) throw noRelay();
      if (Mode === 'Monostable' && !(seconds >= DELAY_S.least && seconds <= DELAY_S.most))
        throw invalidArgument('ter:ModeError', 'The delay is not possible');
      contacts.relays = contacts.relays.map((relay) =>
        relay.token === RelayOutputToken
          ? {
              token: relay.token,
              mode: Mode === 'Monostable' ? 'Monostable' : 'Bistable',
              delayMs: Number.isFinite(seconds) ? seconds * 1000 : relay.delayMs,
              idle: IdleState === 'closed' ? 'closed' : 'open',
            }
          : relay,
      );
      return {};
    }),
    answer(setRelayOutputState, ({ RelayOutputToken, LogicalState }) => {
      if (!contacts.turn(RelayOutputToken, LogicalState === 'active')) throw noRelay();
      return {};
    }),
  ];
}

function noRelay() {
  return invalidArgument('ter:RelayToken', 'No such relay');
}
