// English: what an account has and uses.
export const resources = {
  'screen.resources': 'Resources',
  'keys.goResources': 'Go to Resources',
  'resources.sections': 'Sections of the resources',
  'resources.title': 'Use and limits',
  'resources.error': 'The resources could not be loaded.',
  'resources.outdated': 'The figures below are not up to date.',
  'resources.resource': 'Resource',
  'resources.used': 'Used',
  'resources.total': 'Limit',
  'resources.validUntil': 'Counts until',
  'resources.unlimited': 'No limit',
  'resources.lasting': 'Deleted',
  'resources.of.devices': 'Devices',
  'resources.of.channels': 'Channels',
  'resources.of.recordingBytes': 'Recordings',
} as const;
