// One line of the command palette: a camera, a screen or an action.

export type CommandKind = 'camera' | 'screen' | 'action';

export interface Command {
  /** The same at every start, so that recent ones are found again. */
  readonly id: string;
  readonly kind: CommandKind;
  readonly label: string;
  /** Where a camera stands; it is searched too. */
  readonly detail?: string;
  /** The shortcut that does the same, as the registry writes it. */
  readonly keys?: string;
  readonly run: () => void;
  /** What Ctrl+Enter does; a camera is played back. */
  readonly runOther?: () => void;
}
