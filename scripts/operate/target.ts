/**
 * Which front door the commands call, and its root token: from the environment, else from the deployment on this
 * machine.
 */
import { join, resolve } from 'node:path';
import { secretOf } from '../../shared/src/runtime/environment.ts';
import { type RunFile, readJson } from '../launch/data-folder.ts';
import type { Demo } from '../launch/demo.ts';

export type Target = {
  url: string;
  rootToken: string;
  /** Where the token comes from, for messages. */
  origin: string;
  /** Advice for a front door that does not answer. */
  hint: string;
};

type Local = { folder: string; urls: string[]; rootToken: string; demo: Demo | null; runs: boolean };

export function findTarget(env: NodeJS.ProcessEnv, folder: string): Target | { problem: string } {
  const url = env.PARTERRE_URL?.replace(/\/+$/, '') || null;
  if (url !== null && !/^https?:\/\/[^/]+/.test(url)) {
    return { problem: 'PARTERRE_URL must be an address such as http://localhost:8080.' };
  }
  const local = findLocal(env, folder);
  let given: string | null;
  try {
    given = secretOf(env, 'PARTERRE_ROOT_TOKEN');
  } catch (error) {
    return { problem: `${(error as Error).message}.` };
  }
  if (given !== null) {
    const own = local?.urls[0] ?? `http://127.0.0.1:${env.PORT || 8080}`;
    return { url: url ?? own, rootToken: given, origin: 'PARTERRE_ROOT_TOKEN', hint: 'PARTERRE_URL names another.' };
  }
  if (local === null) {
    return {
      problem: `${nothingFound(env)}\nStart one with \`npm start\`, or set PARTERRE_URL and PARTERRE_ROOT_TOKEN.`,
    };
  }
  // The token of one deployment never goes to another.
  if (url !== null && !local.urls.includes(url))
    return { problem: `Set PARTERRE_ROOT_TOKEN too: the token of ${url}.` };
  const hint = local.runs
    ? 'Is it still starting?'
    : `Start it with \`npm start\`: nothing runs on ${local.folder} now.`;
  return { url: url ?? local.urls[0]!, rootToken: local.rootToken, origin: local.folder, hint };
}

/** The demo of the deployment that runs on this machine. */
export function findDemo(env: NodeJS.ProcessEnv, folder: string): Demo | { problem: string } {
  const local = findLocal(env, folder);
  if (local === null) return { problem: `${nothingFound(env)}\nStart one with \`npm start\`.` };
  return (
    local.demo ?? {
      problem: `${local.folder} has no demo. \`npm start -- --demo\` makes one. ${join(local.folder, 'setup.json')} has the root token.`,
    }
  );
}

function nothingFound(env: NodeJS.ProcessEnv): string {
  return `No deployment of this machine was found (${env.PARTERRE_DATA || '.parterre and .parterre-cluster'}).`;
}

/** The data folder of a launcher. A launcher that runs comes before one that ran. */
function findLocal(env: NodeJS.ProcessEnv, folder: string): Local | null {
  const names = env.PARTERRE_DATA ? [env.PARTERRE_DATA] : ['.parterre', '.parterre-cluster'];
  const found = names.map((name) => readLocal(resolve(folder, name))).filter((local) => local !== null);
  return found.find(({ runs }) => runs) ?? found[0] ?? null;
}

function readLocal(folder: string): Local | null {
  const run = readJson<RunFile>(join(folder, 'run.json'));
  const setup = readJson<{ rootToken?: string }>(join(folder, 'setup.json'));
  const demo = readJson<Demo>(join(folder, 'demo.json'));
  const urls = run?.urls ?? (demo?.url ? [demo.url] : []);
  if (!setup?.rootToken || urls.length === 0) return null;
  return { folder, urls, rootToken: setup.rootToken, demo, runs: run !== null };
}
