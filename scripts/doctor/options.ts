/** The options of `npx parterre doctor`. An option in another form is `Refused`. */
import { Refused } from '../backup/refused.ts';

export type DoctorCall = {
  given: Record<string, unknown>;
  env: NodeJS.ProcessEnv;
  cwd: string;
  version: string;
  say(line: string): void;
};

export type DoctorOptions = {
  events: string[];
  warm: string[];
  holdsAMinute: number | null;
  buyers: number | null;
  url: string | null;
  monitors: string[];
};

export function optionsOf(given: Record<string, unknown>): DoctorOptions {
  const expect = given.expect === undefined ? null : String(given.expect);
  const [, holds] = /^(\d{1,7})\/min$/.exec(expect ?? '') ?? [];
  if (expect !== null && holds === undefined) throw new Refused(`"${expect}" is no rate. Write --expect 5000/min.`);
  const buyers = given.buyers === undefined ? null : String(given.buyers);
  if (buyers !== null && !/^[1-9]\d{0,7}$/.test(buyers)) throw new Refused(`"${buyers}" is no number of buyers.`);
  const url = given.url === undefined ? null : String(given.url).replace(/\/+$/, '');
  if (url !== null && !/^https?:\/\/[^/]+$/.test(url)) {
    throw new Refused('--url must be an address such as https://tickets.example.');
  }
  const count = buyers === null ? null : Number(buyers);
  return {
    events: listOf(given.event),
    warm: listOf(given.warm),
    buyers: count,
    holdsAMinute: holds === undefined ? expectedHolds(count) : Number(holds),
    url,
    monitors: listOf(given.monitor),
  };
}

/** Assumed: each buyer holds one and a half times, and the hardest minute sees a quarter of all holds. */
function expectedHolds(buyers: number | null): number | null {
  return buyers === null ? null : Math.ceil((buyers * 1.5) / 4);
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
