// English: talking to a device.
export const talk = {
  'talk.button': 'Talk (hold, or tap to keep talking)',
  'talk.start': 'Talk',
  'talk.stop': 'Stop talking',
  'talk.group': 'Talk',
  'talk.microphone': 'Allow microphone access in the browser',
  'talk.connecting': 'Connecting to the speaker',
  'talk.talking': 'Speak now',
  'talk.level': 'Microphone level',
  'talk.holdHint': 'Release to stop',
  'talk.latchHint': 'Press T or the button to stop',
  'talk.lost': 'Connection to the camera’s speaker lost.',
  'talk.noLoudspeaker': 'This camera has no speaker.',
  'talk.taken': 'You are talking from another window.',
  'talk.obstacle_insecure':
    'Microphone access needs a secure address. Open this page over HTTPS, or on the computer that runs Vedette.',
  'talk.obstacle_denied':
    'Microphone access is blocked for this page. Allow it in the browser’s address bar and try again.',
  'talk.obstacle_none': 'No microphone found.',
  'talk.obstacle_busy': 'The microphone is used by another app. Close it and try again.',
  'talk.obstacle_failed': 'The microphone could not be started.',
  'talk.dismiss': 'Dismiss',
} as const;
