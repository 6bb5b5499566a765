// Renders an external captcha: hCaptcha, Turnstile and reCAPTCHA all offer `render(element, {sitekey, callback})`.

interface OutsideWidget {
  render(
    element: HTMLElement,
    options: {
      readonly sitekey: string;
      readonly callback: (token: string) => void;
      readonly 'expired-callback': () => void;
    },
  ): unknown;
}

const NAMES = ['turnstile', 'hcaptcha', 'grecaptcha'] as const;
const loading = new Map<string, Promise<void>>();

function load(url: string): Promise<void> {
  const known = loading.get(url);
  if (known !== undefined) return known;
  const started = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = url;
    script.async = true;
    script.onload = () => resolve();
    script.onerror = () => {
      loading.delete(url);
      reject(new Error('the script of the check did not load'));
    };
    document.head.append(script);
  });
  loading.set(url, started);
  return started;
}

export async function renderExternalCaptcha(
  element: HTMLElement,
  check: { readonly url: string; readonly appId: string; readonly onToken: (token: string) => void },
): Promise<void> {
  await load(check.url);
  const page = window as unknown as Readonly<Record<string, OutsideWidget | undefined>>;
  const widget = NAMES.map((name) => page[name]).find((one) => typeof one?.render === 'function');
  if (widget === undefined) throw new Error('the script offers no check that is known');
  element.replaceChildren();
  widget.render(element, {
    sitekey: check.appId,
    callback: check.onToken,
    'expired-callback': () => check.onToken(''),
  });
}
