// English: the recording disks in the administrator's System screen.
export const disks = {
  'disks.title': 'Recording disks',
  'disks.lead':
    'New recordings are spread over all disks by the space they have. When one fails or is taken out, the others go on, and its recordings are back with it.',
  'disks.add': 'Add disk',
  'disks.new': 'New disk',
  'disks.folder': 'Folder on the disk',
  'disks.span': 'Recordings from {from} to {to}',
  'disks.none': 'No recordings',
  'disks.freeOnAll': '{free} free on the disks',
  'disks.held': '{used} of recordings',
  'disks.usage': 'Space in use on {folder}',
  'disks.empty': 'Empty',
  'disks.stopEmptying': 'Stop emptying',
  'disks.useAgain': 'Use for recording again',
  'disks.stateEmptying': 'Being emptied',
  'disks.stateEmpty': 'Empty',
  'disks.remove': 'Remove',
  'disks.removeTitle': 'Remove this disk?',
  'disks.removeDetail':
    'Its recordings stay in {folder}, but they are no longer shown or deleted. To keep them, empty the disk first.',
  'disks.awayHint': 'Its recordings are kept and shown again when it is back.',
  'disks.emptying': 'Leave the disk in place. Files to move: {files} ({size}).',
  'disks.emptyingWaits':
    'Emptying waits: the other disks have no room, or files are in use or cannot be read. Files left: {files} ({size}).',
  'disks.leftovers':
    'Its recordings were moved. Files that are not listed are left in the folder: look at them before the disk is taken out.',
  'disks.emptied': 'This disk is empty. Remove it here and save, then it may be taken out.',
} as const;
