// English: talking to a device.
export const talk = {
  'talk.button': 'Talk (hold, or tap to keep the line open)',
  'talk.stop': 'Stop talking',
  'talk.group': 'Talk',
  'talk.microphone': 'Allow the microphone in the browser',
  'talk.connecting': 'Connecting to the loudspeaker',
  'talk.talking': 'Speak now',
  'talk.level': 'Level of your voice',
  'talk.holdHint': 'Let go to stop',
  'talk.latchHint': 'Press T or the button to stop',
  'talk.lost': 'The connection to the camera’s loudspeaker was lost.',
  'talk.noLoudspeaker': 'This camera has no loudspeaker.',
  'talk.taken': 'You are talking from another window now.',
  'talk.obstacle_insecure':
    'Browsers give the microphone to secure addresses only. Open this page over HTTPS, or on the computer that runs Vedette.',
  'talk.obstacle_denied':
    'The microphone is blocked for this page. Allow it beside the address in the browser, then try again.',
  'talk.obstacle_none': 'There is no microphone on this computer.',
  'talk.obstacle_busy': 'Another program holds the microphone. Close it, then try again.',
  'talk.obstacle_failed': 'The microphone could not be started.',
  'talk.dismiss': 'Close this message',
} as const;
