// What a device tells of itself, in the words of its own protocol: which alarm type a topic stands for is decided by the server.

/** `start` and `end` are the two states of a property; `pulse` is something that happened and has no end of its own. */
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
