/** Looks of graphs. uPlot's own file has more than these graphs need. */
import { adopt } from '../frame/adopt.ts';

adopt(`
.graph { width: 100%; min-width: 0; height: 250px; overflow: hidden; }
.uplot, .uplot * { box-sizing: border-box; }
.uplot { width: min-content; }
.u-wrap { position: relative; }
.u-over, .u-under { position: absolute; }
.u-under { overflow: hidden; }
.uplot canvas { display: block; position: relative; width: 100%; height: 100%; }
.u-axis, .u-select { position: absolute; }
`);
