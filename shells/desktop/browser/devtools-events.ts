// The events of Chromium's DevTools protocol that the shell listens to, with the fields that it reads.

export interface TargetInfo {
  readonly targetId: string;
  readonly type: string;
  readonly url: string;
  /** The window that opened it; absent where the shell did. */
  readonly openerId?: string;
}

interface ContextDescription {
  readonly id: number;
  /** Origin of the document that the context belongs to. */
  readonly origin: string;
  readonly name: string;
  readonly auxData?: { readonly frameId?: string };
}

export interface DevtoolsEvents {
  'Target.attachedToTarget': { sessionId: string; targetInfo: TargetInfo; waitingForDebugger: boolean };
  'Target.detachedFromTarget': { sessionId: string };
  'Target.targetInfoChanged': { targetInfo: TargetInfo };
  'Inspector.targetCrashed': Record<string, never>;
  'Runtime.executionContextCreated': { context: ContextDescription };
  'Runtime.executionContextDestroyed': { executionContextId: number };
  'Runtime.executionContextsCleared': Record<string, never>;
  'Runtime.bindingCalled': { name: string; payload: string; executionContextId: number };
  'Fetch.requestPaused': { requestId: string; request: { url: string }; frameId: string };
  'Page.frameNavigated': { frame: { id: string; parentId?: string; url: string } };
}

/** `sessionId`: of the window that it is about; empty for the browser. */
export type DevtoolsEvent = {
  readonly [M in keyof DevtoolsEvents]: {
    readonly method: M;
    readonly params: DevtoolsEvents[M];
    readonly sessionId: string;
  };
}[keyof DevtoolsEvents];
