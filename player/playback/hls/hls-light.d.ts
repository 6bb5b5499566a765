// Types of hls.js's light build, which the package leaves out: the same as those of the whole one.
declare module 'hls.js/light' {
  export { default, ErrorTypes, Events, LoadStats } from 'hls.js';
  export type * from 'hls.js';
}
