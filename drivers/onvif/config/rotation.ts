// Rotation for section `image`, which belongs to the video source, not to imaging (ONVIF Media2 5.2).
import type { SectionReading } from '@vedette/contract/config/sections.ts';
import {
  getVideoSourceConfigurationOptions2,
  getVideoSourceConfigurations2,
  setVideoSourceConfiguration2,
} from '@vedette/protocols/onvif/media2-operations.ts';
import type { ConfigSection } from '../../kit/config-section.ts';
import { DeviceFault } from '../../kit/device-fault.ts';
import type { SectionSource } from './section-source.ts';

const UPRIGHT = '0';
/** Assumed if the device rotates and does not say how far. */
const USUAL_DEGREES = [180];

export function rotationPart({ session, plan }: SectionSource): ConfigSection<'image'> {
  const read = async (signal?: AbortSignal) => {
    const services = await session.services();
    if (!services.has('media2')) throw new DeviceFault('not-supported', 'media 1 turns no picture');
    const { Configurations } = await session.call(getVideoSourceConfigurations2, {}, signal);
    const held = Configurations.find(({ SourceToken, token }) => (SourceToken ?? token) === plan.sourceToken);
    if (held === undefined) throw new DeviceFault('not-supported', 'the channel has no configuration of its source');
    const { Options } = await session.call(
      getVideoSourceConfigurationOptions2,
      { ConfigurationToken: held.token },
      signal,
    );
    const { Rotate: offered } = Options.Extension ?? {};
    if (offered === undefined || !['ON', 'OFF'].every((mode) => offered.Mode.includes(mode)))
      throw new DeviceFault('not-supported', 'the camera turns no picture');
    const degrees = offered.DegreeList?.Items ?? USUAL_DEGREES;
    return { held, degrees: degrees.filter((degree) => degree > 0 && degree < 360) };
  };
  return {
    read: async (signal): Promise<SectionReading<'image'>> => {
      const { held, degrees } = await read(signal);
      const { Rotate: turned } = held.Extension ?? {};
      const rotation = turned?.Mode === 'ON' ? String(turned.Degree ?? USUAL_DEGREES[0]) : UPRIGHT;
      const options = [...new Set([UPRIGHT, ...degrees.map(String), rotation])];
      return { value: { rotation }, capabilities: { rotation: { options } } };
    },
    write: async ({ rotation }, before, signal) => {
      if (rotation === undefined || rotation === before.value.rotation) return;
      const { held } = await read(signal);
      const Rotate = rotation === UPRIGHT ? { Mode: 'OFF' } : { Mode: 'ON', Degree: Number(rotation) };
      await session.call(
        setVideoSourceConfiguration2,
        { Configuration: { ...held, Extension: { ...held.Extension, Rotate } } },
        signal,
      );
    },
  };
}
