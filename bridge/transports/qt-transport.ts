// The transport of Qt WebChannel: an object `vedette` with the method `receive(QString)` and the signal `message(QString)`, spoken to in QWebChannel's own messages (qwebchannel.js of Qt 6).
import type { Transport } from './transport.ts';

export interface QtChannel {
  send(json: string): void;
  onmessage: ((message: { readonly data: unknown }) => void) | null;
}

/** Message types of qwebchannel.js. */
const TYPE = {
  signal: 1,
  propertyUpdate: 2,
  init: 3,
  idle: 4,
  invokeMethod: 6,
  connectToSignal: 7,
  response: 10,
} as const;
const OBJECT = 'vedette';
const INIT_ID = 0;

interface QtMessage {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly object?: unknown;
  readonly signal?: unknown;
  readonly args?: unknown;
  readonly data?: unknown;
}

/** Numbers by which Qt calls the two members. */
interface QtMembers {
  readonly receive: number;
  readonly message: number;
}

export function qtTransport(channel: QtChannel): Transport {
  let members: QtMembers | null = null;
  let early: string[] = [];
  let lastId = INIT_ID;
  let listener: ((value: unknown) => void) | null = null;
  const post = (message: object): void => channel.send(JSON.stringify(message));
  const invoke = (receive: number, json: string): void =>
    post({ type: TYPE.invokeMethod, id: (lastId += 1), object: OBJECT, method: receive, args: [json] });
  const begin = (found: QtMembers): void => {
    members = found;
    post({ type: TYPE.connectToSignal, object: OBJECT, signal: found.message });
    post({ type: TYPE.idle });
    for (const json of early) invoke(found.receive, json);
    early = [];
  };
  channel.onmessage = ({ data }) => {
    const message = readQtMessage(data);
    if (message.type === TYPE.propertyUpdate) post({ type: TYPE.idle });
    else if (message.type === TYPE.signal) takeSignal(message, members, (value) => listener?.(value));
    else if (message.type === TYPE.response && message.id === INIT_ID && members === null) {
      const found = membersOf(message.data);
      if (found !== null) begin(found);
    }
  };
  post({ type: TYPE.init, id: INIT_ID });
  return {
    // Any script of the page can call `onmessage`.
    isOwn: false,
    send: (json) => {
      if (members === null) early.push(json);
      else invoke(members.receive, json);
    },
    onMessage: (take) => {
      listener = take;
      return () => {
        listener = null;
      };
    },
  };
}

function takeSignal(
  { object, signal, args }: QtMessage,
  members: QtMembers | null,
  take: (value: unknown) => void,
): void {
  if (object === OBJECT && members !== null && signal === members.message && Array.isArray(args)) take(args[0]);
}

function readQtMessage(data: unknown): QtMessage {
  try {
    const value: unknown = typeof data === 'string' ? JSON.parse(data) : data;
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function membersOf(objects: unknown): QtMembers | null {
  const { methods, signals } =
    (objects as { [OBJECT]?: { methods?: unknown; signals?: unknown } } | null)?.[OBJECT] ?? {};
  const [receive, message] = [numberOf(methods, 'receive'), numberOf(signals, 'message')];
  return receive === null || message === null ? null : { receive, message };
}

/** Qt lists members as `[name, number]`. */
function numberOf(list: unknown, name: string): number | null {
  if (!Array.isArray(list)) return null;
  const member: unknown = list.find((one) => Array.isArray(one) && one[0] === name);
  const [, number] = (member ?? []) as unknown[];
  return typeof number === 'number' ? number : null;
}
