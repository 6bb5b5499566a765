// Messages of /ws: one socket per page for status, rights and revocation, resumable by sequence number.

import type { Alarm } from './alarm.ts';

/** Page to server; `hello` must be the first message, within 5 s. `since` resumes after that sequence number. */
export type PageMessage =
  | { readonly type: 'hello'; readonly accessToken: string; readonly since?: number }
  | { readonly type: 'ping' };

/** Server to page. Numbered events carry `seq`; a gap that the server no longer holds is told by `reset`. */
export type PushMessage =
  | { readonly type: 'welcome'; readonly seq: number; readonly now: number }
  | { readonly type: 'pong'; readonly now: number }
  /** Too much was missed: fetch everything again. */
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
  /** As it is now; `isNew` where it was raised, else it ended, was acknowledged or commented on. */
  | { readonly kind: 'alarm'; readonly alarm: Alarm; readonly isNew: boolean }
  /** In a flood of alarms some were not pushed one by one: lists are to be fetched again, not at once by everybody. */
  | { readonly kind: 'alarmsMissed' }
  /** A move of the named operator ended without it: taken over (1021, `userName` says by whom), or its right is gone. */
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
/** Header of every answer to a call: number of the newest event when the call came, to be resumed after by a page that says its first hello. */
export const EVENT_HEADER = 'x-vedette-event';
