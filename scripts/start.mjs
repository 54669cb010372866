/** `npm start`: installs and builds what is missing, then hands over to the launcher (scripts/launch/main.ts). */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildIfStale, root } from './build.mjs';
import { checkNode, installPackages, nodeForServices } from './install.mjs';

checkNode();
installPackages();
await buildIfStale();
const launcher = spawn(nodeForServices(), ['--enable-source-maps', join(root, 'dist/launch.js')], {
  cwd: root,
  stdio: 'inherit',
});
// Ctrl-C reaches the launcher through the terminal; a signal sent to npm or to us is passed on.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => launcher.kill(signal));
launcher.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
