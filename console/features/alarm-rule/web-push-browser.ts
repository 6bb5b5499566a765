// Subscribes this browser to web push: its worker shows the messages, also while no page is open.

export class SubscribeError extends Error {
  override readonly name = 'SubscribeError';
  readonly problem: 'refused' | 'missing';

  constructor(problem: 'refused' | 'missing') {
    super(problem);
    this.problem = problem;
  }
}

export function canSubscribe(): boolean {
  return window.isSecureContext && 'serviceWorker' in navigator && 'PushManager' in window;
}

/** The settings of a web push channel; rejects with SubscribeError. */
export async function subscribeBrowser(vapidPublicKey: string): Promise<Record<string, string>> {
  if (!canSubscribe()) throw new SubscribeError('missing');
  if ((await Notification.requestPermission()) !== 'granted') throw new SubscribeError('refused');
  await navigator.serviceWorker.register('/push-worker.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  // One of another key would be refused by its service.
  await (await pushManager.getSubscription())?.unsubscribe();
  const { endpoint, keys } = (
    await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: vapidPublicKey })
  ).toJSON();
  const { p256dh, auth } = keys ?? {};
  if (endpoint === undefined || p256dh === undefined || auth === undefined) throw new SubscribeError('refused');
  return { endpoint, p256dh, auth };
}
