// The part of Electron's types that the example uses, written after `electron.d.ts` of electron 45.4.1 (MIT): the package itself would download a browser.
declare module 'electron' {
  interface Cancellable {
    preventDefault(): void;
  }
  type Permission =
    | 'clipboard-sanitized-write'
    | 'display-capture'
    | 'fullscreen'
    | 'geolocation'
    | 'media'
    | 'notifications'
    | 'window-management'
    | 'unknown';
  interface PermissionRequest {
    readonly requestingUrl: string;
  }
  interface MediaAccessPermissionRequest extends PermissionRequest {
    readonly mediaTypes?: ('video' | 'audio')[];
  }
  interface PermissionCheckDetails {
    readonly mediaType?: 'video' | 'audio' | 'unknown';
  }
  export interface WebFrameMain {
    readonly origin: string;
    readonly parent: WebFrameMain | null;
    send(channel: string, ...args: unknown[]): void;
  }
  export interface IpcMainEvent {
    readonly senderFrame: WebFrameMain | null;
  }
  type Hear = (event: IpcMainEvent, ...args: unknown[]) => void;
  interface IpcMain {
    on(channel: string, hear: Hear): this;
    off(channel: string, hear: Hear): this;
  }
  type WindowOpenHandlerResponse =
    | { readonly action: 'deny' }
    | { readonly action: 'allow'; readonly overrideBrowserWindowConstructorOptions?: BrowserWindowConstructorOptions };
  export interface WebContents {
    readonly mainFrame: WebFrameMain;
    readonly ipc: IpcMain;
    isDestroyed(): boolean;
    reload(): void;
    setWindowOpenHandler(handler: (details: { readonly url: string }) => WindowOpenHandlerResponse): void;
    on(event: 'will-frame-navigate', take: (event: Cancellable & { readonly url: string }) => void): this;
    on(event: 'did-create-window', take: (window: BrowserWindow) => void): this;
    on(event: 'will-attach-webview', take: (event: Cancellable) => void): this;
    on(event: 'render-process-gone' | 'destroyed', take: () => void): this;
  }
  export interface Session {
    setPermissionRequestHandler(
      handler: (
        contents: WebContents,
        permission: Permission,
        callback: (isGranted: boolean) => void,
        details: PermissionRequest | MediaAccessPermissionRequest,
      ) => void,
    ): void;
    setPermissionCheckHandler(
      handler: (
        contents: WebContents | null,
        permission: Permission,
        requestingOrigin: string,
        details: PermissionCheckDetails,
      ) => boolean,
    ): void;
    readonly webRequest: {
      onBeforeRequest(
        filter: { readonly urls: string[]; readonly types: ('mainFrame' | 'subFrame')[] },
        judge: (details: { readonly url: string }, callback: (answer: { readonly cancel: boolean }) => void) => void,
      ): void;
    };
  }
  export interface BrowserWindowConstructorOptions {
    readonly width?: number;
    readonly height?: number;
    readonly autoHideMenuBar?: boolean;
    readonly webPreferences?: {
      readonly preload?: string;
      readonly session?: Session;
      readonly sandbox?: boolean;
      readonly contextIsolation?: boolean;
      readonly nodeIntegration?: boolean;
    };
  }
  export class BrowserWindow {
    constructor(options: BrowserWindowConstructorOptions);
    readonly webContents: WebContents;
    loadURL(url: string): Promise<void>;
    isMinimized(): boolean;
    restore(): void;
    show(): void;
    focus(): void;
    on(event: 'closed', take: () => void): this;
  }
  export const app: {
    requestSingleInstanceLock(): boolean;
    setAsDefaultProtocolClient(scheme: string): boolean;
    setAppUserModelId(id: string): void;
    enableSandbox(): void;
    whenReady(): Promise<void>;
    quit(): void;
    getVersion(): string;
    on(event: 'second-instance', take: (event: object, argv: string[]) => void): void;
    on(event: 'open-url', take: (event: Cancellable, url: string) => void): void;
    on(event: 'window-all-closed', take: () => void): void;
  };
  export const session: { fromPartition(partition: string): Session };
  export const shell: { openExternal(url: string): Promise<void> };
  export const contextBridge: { exposeInMainWorld(name: string, api: object): void };
  export const ipcRenderer: {
    send(channel: string, ...args: unknown[]): void;
    on(channel: string, hear: (event: object, ...args: unknown[]) => void): void;
    off(channel: string, hear: (event: object, ...args: unknown[]) => void): void;
  };
}
