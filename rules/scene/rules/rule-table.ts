// The rule of each algorithm of edge intelligence. A further one is a file and a row.
import type { AnalysisAlgorithm } from '@vedette/contract/enumerations.ts';
import type { SceneRegion } from '@vedette/contract/site/site-analysis.ts';
import { CountingRule } from './counting-rule.ts';
import { CrowdDensityRule } from './crowd-density-rule.ts';
import { IntrusionRule } from './intrusion-rule.ts';
import { LineCrossingRule } from './line-crossing-rule.ts';
import { LoiteringRule } from './loitering-rule.ts';
import { ObjectLeftRule } from './object-left-rule.ts';
import { ObjectRemovedRule } from './object-removed-rule.ts';
import { lineOf, zoneOf, type SceneLine, type SceneZone } from './region-geometry.ts';
import type { RegionRule, RuleSetting } from './region-rule.ts';
import { ZoneEdgeRule } from './zone-edge-rule.ts';

type MakeRule = (region: SceneRegion, setting: RuleSetting) => RegionRule | null;

const MAKE: Readonly<Record<AnalysisAlgorithm, MakeRule>> = {
  lineCrossing: ofLine((line, region, setting) => new LineCrossingRule(line, region, setting)),
  intrusion: ofZone((zone, setting) => new IntrusionRule(zone, setting)),
  entrance: ofZone((zone, setting) => new ZoneEdgeRule(zone, setting)),
  exit: ofZone((zone, setting) => new ZoneEdgeRule(zone, setting)),
  loitering: ofZone((zone, setting) => new LoiteringRule(zone, setting)),
  crowdDensity: ofZone((zone, setting) => new CrowdDensityRule(zone, setting)),
  counting: ofLine((line, region, setting) => new CountingRule(line, region, setting)),
  objectLeft: ofZone((zone, setting) => new ObjectLeftRule(zone, setting)),
  objectRemoved: ofZone((zone, setting) => new ObjectRemovedRule(zone, setting)),
};

/** The rule of a task in one of its regions. Null: the region is a mask, of another kind than the rule needs, or has no size. */
export function regionRule(region: SceneRegion, setting: RuleSetting): RegionRule | null {
  return MAKE[setting.order.algorithm](region, setting);
}

function ofLine(make: (line: SceneLine, region: SceneRegion, setting: RuleSetting) => RegionRule): MakeRule {
  return (region, setting) => {
    const line = region.kind === 'line' ? lineOf(region.points) : null;
    return line === null ? null : make(line, region, setting);
  };
}

function ofZone(make: (zone: SceneZone, setting: RuleSetting) => RegionRule): MakeRule {
  return (region, setting) => {
    const zone = region.kind === 'zone' ? zoneOf(region.points) : null;
    return zone === null ? null : make(zone, setting);
  };
}
