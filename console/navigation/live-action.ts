// What begins with a camera when another screen leads to the wall. It travels in the history and not in the address:
// a link from elsewhere must neither open the microphone nor move a camera.

export type LiveAction = 'replay' | 'ptz' | 'talk';

export function liveActionState(liveAction: LiveAction): { readonly liveAction: LiveAction } {
  return { liveAction };
}

export function readLiveAction(state: unknown): LiveAction | null {
  if (typeof state !== 'object' || state === null || !('liveAction' in state)) return null;
  const { liveAction } = state;
  return liveAction === 'replay' || liveAction === 'ptz' || liveAction === 'talk' ? liveAction : null;
}
