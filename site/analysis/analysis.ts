// Edge intelligence of this site: which tasks it has, and what it says about them.
import type { AnalysisCalls, AnalysisOrder } from '@vedette/contract/site/site-analysis.ts';
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';

/** Most of the machine's processors that pictures may take, percent. */
const CAP_PERCENT = 50;

export class Analysis {
  #orders = new Map<string, readonly AnalysisOrder[]>();

  assign(devices: readonly DeviceAssignment[]): void {
    const channels = devices.flatMap((device) => device.channels);
    this.#orders = new Map(
      channels.flatMap(({ channelId, analysis = [] }) => (analysis.length > 0 ? [[channelId, analysis]] : [])),
    );
  }

  readonly calls = {
    analysisStatus: async (): Promise<AnalysisCalls['analysisStatus']['output']> => ({
      state: 'missing',
      fault: null,
      models: [],
      msPerPicture: null,
      usedPercent: 0,
      capPercent: CAP_PERCENT,
      roomFor: null,
      channels: [...this.#orders.keys()].map((channelId) => ({
        channelId,
        isActive: false,
        picturesPerS: 0,
        dropped: {},
      })),
    }),
  };
}
