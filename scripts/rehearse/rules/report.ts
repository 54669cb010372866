/** The report of a rehearsal: times by step, refusals by code, processors, and the bottleneck. Pure. */

/** A call of a simulated buyer. `code`: of its refusal; null for a success. */
export type Sample = { step: string; ms: number; code: string | null };

/** `share`: of one core, over the whole run. */
export type Worked = { process: string; share: number };

export type Rehearsal = {
  seconds: number;
  buyers: number;
  samples: readonly Sample[];
  frames: number;
  members: readonly Worked[];
  /** Of the program that simulates the buyers. */
  own: number;
};

export type RehearsalReport = {
  buyers: number;
  seconds: number;
  holds: number;
  bookings: number;
  releases: number;
  holdsASecond: number;
  framesHeard: number;
  bottleneck: string;
  steps: { step: string; calls: number; p50Ms: number; p99Ms: number; maxMs: number; refused: number }[];
  refusals: { step: string; code: string; count: number }[];
  processors: { process: string; core: string }[];
};

/** A process that has no core left. */
const busyShare = 0.8;
/** Sold and held seats are what buyers race for. */
const racing = new Set(['conflict', 'units_unavailable']);
const orderOfSteps = ['session', 'chart', 'statuses', 'ticket', 'socket', 'hold', 'book', 'release'];

export function rehearsalReport(run: Rehearsal): RehearsalReport {
  const succeeded = (step: string): number =>
    run.samples.filter((sample) => sample.step === step && sample.code === null).length;
  const holds = succeeded('hold');
  return {
    buyers: run.buyers,
    seconds: Math.round(run.seconds),
    holds,
    bookings: succeeded('book'),
    releases: succeeded('release'),
    holdsASecond: Math.round((holds / Math.max(1, run.seconds)) * 10) / 10,
    framesHeard: run.frames,
    bottleneck: bottleneckOf(run),
    steps: stepsOf(run.samples),
    refusals: refusalsOf(run.samples),
    processors: [...run.members, { process: 'this command', share: run.own }]
      .sort((a, b) => b.share - a.share)
      .map(({ process, share }) => ({ process, core: percent(share) })),
  };
}

function stepsOf(samples: readonly Sample[]): RehearsalReport['steps'] {
  const steps = [...new Set(samples.map(({ step }) => step))];
  return steps
    .sort((a, b) => orderOfSteps.indexOf(a) - orderOfSteps.indexOf(b))
    .map((step) => {
      const ofStep = samples.filter((sample) => sample.step === step);
      const times = ofStep.filter(({ code }) => code === null).map(({ ms }) => ms);
      return {
        step,
        calls: ofStep.length,
        p50Ms: quantile(times, 0.5),
        p99Ms: quantile(times, 0.99),
        maxMs: quantile(times, 1),
        refused: ofStep.length - times.length,
      };
    });
}

/** 0 without any. */
export function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1);
  return Math.round((sorted[Math.max(0, at)] ?? 0) * 10) / 10;
}

function refusalsOf(samples: readonly Sample[]): RehearsalReport['refusals'] {
  const counts = new Map<string, number>();
  for (const { step, code } of samples) {
    if (code !== null) counts.set(`${step} ${code}`, (counts.get(`${step} ${code}`) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => {
      const [step = '', code = ''] = name.split(' ');
      return { step, code, count };
    });
}

function bottleneckOf({ samples, members, own }: Rehearsal): string {
  const refusals = refusalsOf(samples).filter(({ code }) => !racing.has(code));
  const refused = refusals.reduce((sum, { count }) => sum + count, 0);
  const first = refusals[0];
  if (first && refused > samples.length / 10) {
    return `${first.step} is refused with ${first.code} (${first.count} of ${samples.length} calls): see docs/errors.md.`;
  }
  if (own >= busyShare) return `this command, with ${percent(own)} of a core: the deployment can do more than this.`;
  const busiest = [...members].sort((a, b) => b.share - a.share)[0];
  if (!busiest) return 'not known: no member tells its processor time.';
  if (busiest.share >= busyShare) return `${busiest.process}, with ${percent(busiest.share)} of a core.`;
  return `none was reached: the busiest process is ${busiest.process}, with ${percent(busiest.share)} of a core.`;
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
