// Extends a driver with vendor-specific configuration: detected once per device, merged field by field.
import { SECTION_NAMES, type SectionName } from '@vedette/contract/config/section-names.ts';
import type { ConfigSection, ConfigSections } from '../kit/config-section.ts';
import { DeviceFault } from '../kit/device-fault.ts';
import type { ChannelDriver, Driver, DriverModule, OpenRequest } from '../kit/driver.ts';
import type { AddedPart, VendorExtension } from './vendor-extension.ts';
import { mergedSection } from '../kit/merged-section.ts';
import { VendorHttp } from './vendor-http.ts';

export function withVendorExtensions(module: DriverModule, extensions: readonly VendorExtension[]): DriverModule {
  return { ...module, open: (request) => addTo(module.open(request), request, extensions) };
}

function addTo(
  driver: Driver,
  { native, credentials, context }: OpenRequest,
  extensions: readonly VendorExtension[],
): Driver {
  const url = URL.parse(String(native['url'] ?? ''));
  if (url === null) return driver;
  const http = new VendorHttp({ context, credentials, origin: url.origin });
  let asked: Promise<VendorExtension | null> | null = null;
  const added = async (signal?: AbortSignal): Promise<VendorExtension | null> => {
    asked ??= (async () => find(extensions, (await driver.describe(signal)).info.manufacturer, http))();
    asked.catch(() => {
      asked = null;
    });
    return await asked;
  };
  return overriding(driver, {
    refresh: () => {
      asked = null;
      driver.refresh();
    },
    channel: async (channelNo: number, signal?: AbortSignal): Promise<ChannelDriver> => {
      const channel = await driver.channel(channelNo, signal);
      const { config } = channel;
      if (config === undefined) return channel;
      const more = new AddedConfig({ http, channelNo, config, added });
      return overriding(channel, { config: more.sections() });
    },
  });
}

/** Known makers are asked first; the others after, since what they sell is often made by one of them. */
async function find(
  extensions: readonly VendorExtension[],
  maker: string,
  http: VendorHttp,
): Promise<VendorExtension | null> {
  const sorted = extensions.toSorted((a, b) => Number(b.makers.test(maker)) - Number(a.makers.test(maker)));
  for (const extension of sorted) {
    try {
      if (await extension.detect(http)) return extension;
    } catch (error) {
      if (!(error instanceof DeviceFault)) throw error;
      // Asking on with credentials that are refused brings a lock-out nearer.
      if (error.kind === 'auth') return null;
      if (error.kind === 'unreachable' || error.kind === 'timeout') throw error;
    }
  }
  return null;
}

interface AddedConfigOptions {
  readonly http: VendorHttp;
  readonly channelNo: number;
  readonly config: ConfigSections;
  readonly added: (signal?: AbortSignal) => Promise<VendorExtension | null>;
}

class AddedConfig {
  readonly #options: AddedConfigOptions;
  #names: Promise<readonly SectionName[]> | null = null;

  constructor(options: AddedConfigOptions) {
    this.#options = options;
  }

  sections(): ConfigSections {
    const { config } = this.#options;
    return {
      ...config,
      names: (signal) => {
        this.#names ??= this.#ask(signal);
        this.#names.catch(() => {
          this.#names = null;
        });
        return this.#names;
      },
      section: (name) => this.#section(name),
      formatDisk: async (id, onPercent, signal) => {
        const { http, added } = this.#options;
        const extension = await added(signal);
        if (extension === null) throw new DeviceFault('not-supported', 'the device formats nothing');
        await extension.formatDisk(http, id, onPercent, signal);
      },
    };
  }

  #section<S extends SectionName>(name: S): ConfigSection<S> {
    const { http, channelNo, config, added } = this.#options;
    const own = config.section(name);
    const opened = async (signal?: AbortSignal) => {
      const extension = await added(signal);
      const parts = (extension?.parts[name] ?? []) as readonly AddedPart<S>[];
      const more = parts.map((part) => asSection(part, http, channelNo));
      return mergedSection(
        own === null
          ? more
          : [
              ...more.filter((_, at) => parts[at]?.isFirst === true),
              own,
              ...more.filter((_, at) => parts[at]?.isFirst !== true),
            ],
      );
    };
    return {
      read: async (signal) => (await opened(signal)).read(signal),
      write: async (next, before, signal) => (await opened(signal)).write(next, before, signal),
    };
  }

  async #ask(signal?: AbortSignal): Promise<readonly SectionName[]> {
    const { config, added } = this.#options;
    const [names, extension] = await Promise.all([config.names(signal), added(signal)]);
    const isThere = await Promise.all(
      SECTION_NAMES.map(async (name) => {
        if (names.includes(name)) return true;
        return extension?.parts[name] !== undefined && (await this.#answers(name, signal));
      }),
    );
    return SECTION_NAMES.filter((_, at) => isThere[at]);
  }

  async #answers(name: SectionName, signal?: AbortSignal): Promise<boolean> {
    try {
      await this.#section(name).read(signal);
      return true;
    } catch (error) {
      if (!(error instanceof DeviceFault) || !(error.kind === 'not-supported' || error.kind === 'device')) throw error;
      return false;
    }
  }
}

function asSection<S extends SectionName>(part: AddedPart<S>, http: VendorHttp, channelNo: number): ConfigSection<S> {
  return {
    read: (signal) => part.read(http, channelNo, signal),
    write: async (next, before, signal) => {
      await part.write?.(http, channelNo, { change: next, whole: { ...before.value, ...next } }, signal);
    },
  };
}

/** The same object with some members replaced; methods keep their own `this`. */
function overriding<T extends object>(target: T, members: Partial<T>): T {
  return new Proxy(target, {
    get: (from, name) => {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name);
      const value: unknown = Reflect.get(from, name, from);
      return typeof value === 'function' ? value.bind(from) : value;
    },
  });
}
