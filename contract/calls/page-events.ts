// Messages of /ws: one socket per page for status, rights and revocation, resumable by sequence number.

import type { RaisedAlarmType } from '../alarm-types.ts';
import type { Alarm } from './alarm.ts';

/** Page to server; `hello` must be the first message, within 5 s. `since` resumes after that sequence number. */
export type PageMessage =
  | { readonly type: 'hello'; readonly accessToken: string; readonly since?: number }
  | { readonly type: 'ping' };

/** Server to page. Numbered events carry `seq`; `reset` says that missed events are no longer available. */
export type PushMessage =
  | { readonly type: 'welcome'; readonly seq: number; readonly now: number }
  | { readonly type: 'pong'; readonly now: number }
  /** Too many events were missed: fetch everything again. */
  | { readonly type: 'reset'; readonly seq: number }
  | { readonly type: 'event'; readonly seq: number; readonly event: PushEvent }
  /** The session is over; `code` is 1001, 1002 or 2031. The socket closes after it. */
  | { readonly type: 'end'; readonly code: number };

export type PushEvent =
  | {
      readonly kind: 'deviceStatus';
      readonly deviceSerial: string;
      readonly status: number;
      readonly statusReason: string | null;
      readonly at: number;
    }
  | {
      readonly kind: 'channelStatus';
      readonly deviceSerial: string;
      readonly channelNo: number;
      readonly status: number;
      readonly isRecording: boolean;
    }
  /** Current state of the alarm; `isNew` if it was just raised. */
  | { readonly kind: 'alarm'; readonly alarm: Alarm; readonly isNew: boolean }
  /** During a burst some alarms were not pushed: fetch lists again, after a random delay. */
  | { readonly kind: 'alarmsMissed' }
  /** A rule shows the channel of an alarm on the wall of this page for so many seconds; asked for at `at`. */
  | {
      readonly kind: 'alarmWindow';
      readonly deviceSerial: string;
      readonly channelNo: number;
      readonly alarmId: string;
      readonly type: RaisedAlarmType;
      readonly at: number;
      readonly seconds: number;
    }
  /** A PTZ move of this operator was ended: taken over (1021, by `userName`), or its right ended. */
  | {
      readonly kind: 'ptzEnded';
      readonly deviceSerial: string;
      readonly channelNo: number;
      readonly operatorId: string;
      readonly code: number;
      readonly userName: string | null;
    }
  /** Devices, organisations, shares or rights changed for this account: lists are to be fetched again. */
  | { readonly kind: 'resourcesChanged' }
  | { readonly kind: 'rightsChanged' };

export const HELLO_TIMEOUT_MS = 5000;
/** Header of every answer: number of the newest event when the call arrived. A page resumes from it in its first hello. */
export const EVENT_HEADER = 'x-vedette-event';
