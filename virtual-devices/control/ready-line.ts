// The ready line that the virtual devices print when all of them serve.

export interface ReadyDevice {
  readonly name: string;
  readonly kind: 'camera' | 'recorder' | 'offline';
  /** What a console is given to add the device: an ONVIF address or an RTSP URL. */
  readonly target: string;
  readonly user: string;
  readonly password: string;
  /** Folders of the organisation tree, from the top. */
  readonly organization: readonly string[];
}

export interface ReadyLine {
  readonly event: 'ready';
  readonly devices: readonly ReadyDevice[];
  readonly controlUrl: string;
  /** Where Probes are answered; absent: nowhere. */
  readonly discoveryPort?: number;
}

export interface RunningDevices {
  readonly ready: ReadyLine;
  stop(): Promise<void>;
}
