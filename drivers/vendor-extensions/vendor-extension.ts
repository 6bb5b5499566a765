// What a vendor's own interface adds to the configuration of an ONVIF device: sections, or fields of sections, as data rows.
import type { SectionName } from '@vedette/contract/config/section-names.ts';
import type { SectionReading, SectionValue } from '@vedette/contract/config/sections.ts';
import type { VendorHttp } from './vendor-http.ts';

export interface PartWish<S extends SectionName> {
  /** Only fields of the part that differ. */
  readonly change: SectionValue<S>;
  /** The part as it is to be. */
  readonly whole: SectionValue<S>;
}

/** One source of fields of a section: several may stand in one section, each with a document of its own at the device. */
export interface AddedPart<S extends SectionName> {
  /** It knows more of its fields than ONVIF does, and goes before it. */
  readonly isFirst?: true;
  /** Rejects with DeviceFault `not-supported` where the device has no such thing. */
  read(http: VendorHttp, channelNo: number, signal?: AbortSignal): Promise<SectionReading<S>>;
  write?(http: VendorHttp, channelNo: number, wish: PartWish<S>, signal?: AbortSignal): Promise<void>;
}

export type AddedParts = { readonly [S in SectionName]?: readonly AddedPart<S>[] };

export interface VendorExtension {
  readonly id: 'isapi' | 'dahua-cgi';
  /** Makers whose devices are asked first; others are asked too, since many sell them under their own names. */
  readonly makers: RegExp;
  /** True where the device speaks it. Rejects when it is away. */
  detect(http: VendorHttp, signal?: AbortSignal): Promise<boolean>;
  readonly parts: AddedParts;
  readonly formatDisk: (
    http: VendorHttp,
    id: string,
    onPercent: (percent: number) => void,
    signal?: AbortSignal,
  ) => Promise<void>;
}
