// Scripted PTZ of every camera of the scripted site: stores presets and who moved it.
import type { PtzCalls, SitePreset } from '@vedette/contract/site/site-ptz.ts';

type Answers = { readonly [N in keyof PtzCalls]: (input: PtzCalls[N]['input']) => PtzCalls[N]['output'] };

export class ScriptedPtz {
  presets: SitePreset[] = [
    { token: '1', name: 'One', picture: null },
    { token: '01', name: 'One', picture: '0123456789abcdef01234567-5.jpg' },
  ];
  readonly started: PtzCalls['ptzStart']['input'][] = [];
  readonly stopped: PtzCalls['ptzStop']['input'][] = [];
  readonly visited: string[] = [];
  /** Answered by the next starts. */
  displaced: string | null = null;
  running: string | null = null;

  readonly answers: Answers = {
    ptzStart: (input) => {
      this.started.push(input);
      return { displaced: this.displaced };
    },
    ptzStop: (input) => {
      this.stopped.push(input);
      return {};
    },
    presets: () => ({ presets: this.presets }),
    presetAdd: ({ name }) => {
      const token = `token ${this.presets.length}`;
      this.presets = [...this.presets, { token, name, picture: null }];
      return { token };
    },
    presetRemove: ({ token }) => {
      this.presets = this.presets.filter((preset) => preset.token !== token);
      return {};
    },
    presetGoto: ({ token }) => {
      this.visited.push(token);
      return {};
    },
    patrols: () => ({
      tours: [{ token: 'T', name: 'Tour', isRunning: false, stops: [{ token: '01', stayMs: 4000 }] }],
      running: this.running,
    }),
    patrolStart: ({ patrolId }) => {
      this.running = patrolId;
      return {};
    },
    patrolStop: () => {
      this.running = null;
      return {};
    },
    tourOperate: () => ({}),
  };
}
