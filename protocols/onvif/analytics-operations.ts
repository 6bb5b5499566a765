// Operations of the analytics service on rules and modules, and which configuration a channel has (ONVIF Analytics 5).
import { operation } from './operation.ts';
import { attribute, decimal, integer, many, one, optional, optionalAttribute, struct, text, token } from './schema.ts';

const vector = struct('tt', { x: optionalAttribute(decimal), y: optionalAttribute(decimal) });

const cellLayout = struct('tt', {
  Columns: attribute(integer),
  Rows: attribute(integer),
  Transformation: optional(struct('tt', { Translate: optional(vector), Scale: optional(vector) })),
});

/** At least three corners. */
export const polygon = struct('tt', { Point: many(vector) });
const polygonConfiguration = struct('tt', { Polygon: optional(polygon) });

/** A rule or a module: `Type` is a QName, `tt:CellMotionDetector`. */
export const analyticsItem = struct('tt', {
  Name: attribute(text),
  Type: attribute(token),
  Parameters: one(
    struct('tt', {
      SimpleItem: many(struct('tt', { Name: attribute(token), Value: attribute(text) })),
      ElementItem: many(
        struct('tt', {
          Name: attribute(token),
          CellLayout: optional(cellLayout),
          PolygonConfiguration: optional(polygonConfiguration),
          Polygon: optional(polygon),
        }),
      ),
    }),
  ),
});

const configuration = { ConfigurationToken: one(token) };

export const getRules = operation({
  service: 'analytics',
  name: 'GetRules',
  kind: 'read',
  request: configuration,
  response: { Rule: many(analyticsItem) },
});

const described = struct('tt', { Name: attribute(token), Type: optionalAttribute(token) });

/** The kinds of rules a configuration may have, with their parameters. */
export const getSupportedRules = operation({
  service: 'analytics',
  name: 'GetSupportedRules',
  kind: 'read',
  request: configuration,
  response: {
    SupportedRules: one(
      struct('tt', {
        RuleDescription: many(
          struct('tt', {
            Name: attribute(token),
            maxInstances: optionalAttribute(integer),
            Parameters: optional(
              struct('tt', { SimpleItemDescription: many(described), ElementItemDescription: many(described) }),
            ),
          }),
        ),
      }),
    ),
  },
});

const decimalRange = struct('tt', { Min: one(decimal), Max: one(decimal) });
const integerRange = struct('tt', { Min: one(integer), Max: one(integer) });

/** What a parameter may be. */
export const getRuleOptions = operation({
  service: 'analytics',
  name: 'GetRuleOptions',
  kind: 'read',
  request: { RuleType: optional(token), ...configuration },
  response: {
    RuleOptions: many(
      struct('tt', {
        RuleType: optionalAttribute(token),
        Name: attribute(token),
        StringItems: optional(struct('tt', { Item: many(token) })),
        FloatRange: optional(decimalRange),
        IntRange: optional(integerRange),
        PolygonOptions: optional(struct('tt', { VertexLimits: optional(integerRange) })),
      }),
    ),
  },
});

export const createRules = operation({
  service: 'analytics',
  name: 'CreateRules',
  kind: 'write',
  request: { ...configuration, Rule: many(analyticsItem) },
  response: {},
});

export const modifyRules = operation({
  service: 'analytics',
  name: 'ModifyRules',
  kind: 'write',
  request: { ...configuration, Rule: many(analyticsItem) },
  response: {},
});

export const deleteRules = operation({
  service: 'analytics',
  name: 'DeleteRules',
  kind: 'write',
  request: { ...configuration, RuleName: many(text) },
  response: {},
});

export const getAnalyticsModules = operation({
  service: 'analytics',
  name: 'GetAnalyticsModules',
  kind: 'read',
  request: configuration,
  response: { AnalyticsModule: many(analyticsItem) },
});

export const modifyAnalyticsModules = operation({
  service: 'analytics',
  name: 'ModifyAnalyticsModules',
  kind: 'write',
  request: { ...configuration, AnalyticsModule: many(analyticsItem) },
  response: {},
});

const tokenOnly = struct('tt', { token: attribute(token), SourceToken: optional(token) });

/** The profiles once more, for the analytics behind them. */
export const getAnalyticsProfiles = operation({
  service: 'media',
  name: 'GetProfiles',
  kind: 'read',
  request: {},
  response: {
    Profiles: many(
      struct('tt', {
        token: attribute(token),
        VideoSourceConfiguration: optional(tokenOnly),
        VideoAnalyticsConfiguration: optional(tokenOnly),
      }),
    ),
  },
});

export const getAnalyticsProfiles2 = operation({
  service: 'media2',
  name: 'GetProfiles',
  kind: 'read',
  request: { Type: many(token) },
  response: {
    Profiles: many(
      struct('tr2', {
        token: attribute(token),
        Configurations: optional(struct('tr2', { VideoSource: optional(tokenOnly), Analytics: optional(tokenOnly) })),
      }),
    ),
  },
});
