// A site that keeps unacknowledged events and resends them after a reconnect, as the real one does.
import type { DeviceEventReport, SiteEvent } from '@vedette/contract/site/site.ts';
import { waitFor } from '../harness/wait-for.ts';
import { deviceEvent, ScriptedSite } from './scripted-site.ts';
import type { ServerUnderTest } from './server-under-test.ts';

/** A killed server is on its way back: it needs the processor more than new connections do. */
const AGAIN_AFTER_MS = 20;

export class ResendingSite {
  readonly #server: ServerUnderTest;
  #site: ScriptedSite;
  /** Not acknowledged, oldest first. */
  #unacknowledged: { seq: number | null; readonly event: SiteEvent }[] = [];
  #isClosed = false;
  dials = 1;

  private constructor(server: ServerUnderTest, site: ScriptedSite) {
    this.#server = server;
    this.#site = site;
  }

  static async dial(server: ServerUnderTest): Promise<ResendingSite> {
    const site = new ResendingSite(server, await ScriptedSite.dial(server));
    site.#follow();
    return site;
  }

  reportEvent(deviceSerial: string, event: Partial<DeviceEventReport> & { readonly topic: string }): void {
    this.report(deviceEvent(deviceSerial, event));
  }

  report(event: SiteEvent): void {
    this.#unacknowledged.push({ seq: this.#site.isOpen ? this.#site.report(event) : null, event });
  }

  /** All is acknowledged. */
  async settled(timeoutMs = 30_000): Promise<void> {
    await waitFor(
      'all events to be acknowledged',
      () => {
        const upTo = this.#site.acknowledged.at(-1) ?? 0;
        this.#unacknowledged = this.#unacknowledged.filter(({ seq }) => seq === null || seq > upTo);
        return this.#unacknowledged.length === 0;
      },
      timeoutMs,
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#site.isOpen) await this.#site.hangUp();
  }

  #follow(): void {
    const site = this.#site;
    void site.closed.then(async () => {
      const upTo = site.acknowledged.at(-1) ?? 0;
      this.#unacknowledged = this.#unacknowledged.filter(({ seq }) => seq === null || seq > upTo);
      while (!this.#isClosed) {
        try {
          this.#site = await ScriptedSite.dial(this.#server, site);
          this.dials += 1;
          break;
        } catch {
          // The server is gone, or has no database yet: it lets nobody in.
          await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
        }
      }
      if (this.#isClosed) return;
      for (const kept of this.#unacknowledged) kept.seq = this.#site.report(kept.event);
      this.#follow();
    });
  }
}
