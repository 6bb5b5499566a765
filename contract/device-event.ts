// Events of devices as reported in their own protocol; the server maps topics to alarm types.

/** Known topic namespaces and their usual prefixes. */
export const topicNamespaces = {
  tns1: 'http://www.onvif.org/ver10/topics',
  tnsaxis: 'http://www.axis.com/2009/event/topics',
  tnshik: 'http://www.hikvision.com/2011/event/topics',
  tnssamsung: 'http://www.samsungcctv.com/2011/event/topics',
  /** Topics of our virtual devices for alarms without an ONVIF topic: `tnsvdt:Alarm/<alarm type>`. */
  tnsvdt: 'urn:vedette:virtual-device:topics',
} as const;

/**
 * `start` and `end` are the two states of a property as the device sends them, without interpretation: `Link` true is
 * `start` although nothing is wrong. A repeated `start` is passed on at most every 10 s. `pulse` is an event without
 * an end; devices that send a state without naming a property give `pulse` for true and `end` for false.
 */
export const deviceEventPhases = ['start', 'end', 'pulse'] as const;
export type DeviceEventPhase = (typeof deviceEventPhases)[number];

export interface DeviceEvent {
  /**
   * Topic path. Well-known namespaces carry their usual prefix whatever the device called them (`tns1`, `tnsaxis`,
   * `tnshik`, `tnsvdt`), written once: `tns1:RuleEngine/CellMotionDetector/Motion`, `tns1:AudioSource/tnsaxis:TriggerLevel`.
   * An unknown namespace stands in braces: `{http://example.com/topics}Door/Open`.
   */
  readonly topic: string;
  readonly phase: DeviceEventPhase;
  /** 0: the device itself. */
  readonly channelNo: number;
  /** Names the source within the topic (rule, input, disk …); '' where there is only one. Equal for `start` and its `end`. */
  readonly key: string;
  /** Milliseconds since 1970 UTC by the site's clock. */
  readonly at: number;
  /** The time the device gave, ms since 1970 UTC by its clock; null where it gave none. */
  readonly deviceAt: number | null;
  /** Items of the source and the key, names and values as sent. */
  readonly source: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, string>>;
}
