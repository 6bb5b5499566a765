// uPlot with its style, as a chunk of its own.
import 'uplot/dist/uPlot.min.css';
export { default as Plot } from 'uplot';
