// Configuration sections of an ONVIF device, one row each; offered if the device supports them.
import { SECTION_NAMES, type SectionName } from '@vedette/contract/config/section-names.ts';
import type { ServiceName } from '@vedette/protocols/onvif/namespaces.ts';
import { mergedSection } from '../../kit/merged-section.ts';
import type { ConfigSections } from '../../kit/config-section.ts';
import { DeviceFault } from '../../kit/device-fault.ts';
import type { PlannedChannel } from '../session/channel-plan.ts';
import type { OnvifSession } from '../session/onvif-session.ts';
import { audioSection } from './audio.ts';
import { humanShapeSection } from './human-shape.ts';
import { imageSection } from './image.ts';
import { ioSection, switchRelay } from './io.ts';
import { maskSection } from './mask.ts';
import { motionSection } from './motion.ts';
import { osdSection } from './osd.ts';
import { rotationPart } from './rotation.ts';
import type { OpenSection } from './section-source.ts';
import { storageSection } from './storage.ts';
import { timeSection } from './time.ts';
import { trackingSection } from './tracking.ts';
import { videoSection } from './video.ts';

interface SectionRow<S extends SectionName> {
  /** Required services; none: the device service is enough. */
  readonly services: readonly ServiceName[];
  readonly open: OpenSection<S>;
}

const rows: { readonly [S in SectionName]?: SectionRow<S> } = {
  image: {
    services: ['imaging', 'media2'],
    open: (source) => mergedSection([imageSection(source), rotationPart(source)]),
  },
  osd: { services: ['media', 'media2'], open: osdSection },
  video: { services: ['media', 'media2'], open: videoSection },
  audio: { services: ['media', 'media2'], open: audioSection },
  motion: { services: ['analytics'], open: motionSection },
  humanShape: { services: ['analytics'], open: humanShapeSection },
  tracking: { services: ['analytics'], open: trackingSection },
  mask: { services: ['media2'], open: maskSection },
  time: { services: [], open: timeSection },
  storage: { services: [], open: storageSection },
  io: { services: [], open: ioSection },
};

/** Candidates; the device's answers decide which exist. */
export const ONVIF_SECTIONS: readonly SectionName[] = SECTION_NAMES.filter((name) => rows[name] !== undefined);

export class OnvifConfig {
  readonly #session: OnvifSession;
  /** By channel; detected once. */
  readonly #names = new Map<number, Promise<readonly SectionName[]>>();
  #isIncomplete = false;

  constructor(session: OnvifSession) {
    this.#session = session;
  }

  of(plan: PlannedChannel): ConfigSections {
    return {
      names: (signal) => this.#namesOf(plan, signal),
      section: (name) => rows[name]?.open({ session: this.#session, plan }) ?? null,
      switchOutput: (id, isOn, signal) => switchRelay(this.#session, id, isOn, signal),
    };
  }

  forget(): void {
    this.#names.clear();
  }

  #namesOf(plan: PlannedChannel, signal?: AbortSignal): Promise<readonly SectionName[]> {
    const known = this.#names.get(plan.channelNo);
    if (known !== undefined) return known;
    const asked = this.#ask(plan, signal);
    this.#names.set(plan.channelNo, asked);
    asked.then(
      () => this.#isIncomplete && this.#names.delete(plan.channelNo),
      () => this.#names.delete(plan.channelNo),
    );
    return asked;
  }

  async #ask(plan: PlannedChannel, signal?: AbortSignal): Promise<readonly SectionName[]> {
    this.#isIncomplete = false;
    const services = await this.#session.services();
    const isThere = await Promise.all(
      SECTION_NAMES.map(async (name) => {
        const row = rows[name];
        if (row === undefined) return false;
        const mayBe = row.services.length === 0 || row.services.some((service) => services.has(service));
        return mayBe && this.#answers(name, plan, signal);
      }),
    );
    return SECTION_NAMES.filter((_, at) => isThere[at]);
  }

  /** A device that fails at a section has it all the same: who opens it sees the fault. Some always fail at texts: those are offered once they answer. */
  async #answers(name: SectionName, plan: PlannedChannel, signal?: AbortSignal): Promise<boolean> {
    try {
      await rows[name]?.open({ session: this.#session, plan }).read(signal);
      return true;
    } catch (error) {
      if (!(error instanceof DeviceFault) || !(error.kind === 'not-supported' || error.kind === 'device')) throw error;
      if (error.kind !== 'device') return false;
      if (name !== 'osd') return true;
      // Who opens the sections next has it asked again.
      this.#isIncomplete = true;
      return false;
    }
  }
}
