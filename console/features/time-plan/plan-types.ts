// What can be painted into a plan: number, name and colour of each type.

export interface PlanType {
  /** Above 0; -1 is the eraser. */
  readonly type: number;
  readonly label: string;
  /** Custom property of the theme that holds its colour. */
  readonly colour: `--${string}`;
}
