// English: the organisation, device and channel tree.
export const tree = {
  'tree.label': 'Organisations and devices',
  'tree.search': 'Search cameras',
  'tree.loading': 'Loading the tree',
  'tree.empty': 'No devices yet.',
  'tree.emptyOrganizations': 'No organisations yet.',
  'tree.error': 'The tree could not be loaded.',
  'tree.noMatch': 'Nothing matches “{keyWord}”.',
  'tree.matches_one': '{count} match',
  'tree.matches_other': '{count} matches',
  'tree.playing': 'Playing',
  'tree.root': 'All devices',
  'tree.loadingChildren': 'Loading',
  'tree.childrenFailed': 'Not loaded. Open it again.',
} as const;
