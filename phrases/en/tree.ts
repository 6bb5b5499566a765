// English: the organisation, device and channel tree.
export const tree = {
  'tree.label': 'Organisations and devices',
  'tree.search': 'Search cameras',
  'tree.loading': 'Loading the tree',
  'tree.empty': 'No devices yet.',
  'tree.emptyOrganizations': 'No organisations yet.',
  'tree.error': 'The tree could not be loaded.',
  'tree.noMatch': 'Nothing matches “{keyWord}”.',
  'tree.matches_one': '{count} result',
  'tree.matches_other': '{count} results',
  'tree.playing': 'Playing',
  'tree.playbacking': 'Playing recordings',
  'tree.root': 'All devices',
  'tree.loadingChildren': 'Loading',
  'tree.childrenFailed': 'Could not be loaded. Expand it again.',
} as const;
