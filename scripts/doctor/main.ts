/**
 * `npx parterre doctor`: looks at a deployment before an on-sale.
 *
 *   main.ts          facts → findings and exit code
 *   options.ts       the options of the command line
 *   examine.ts       the facts beyond those of the status: events, keys, webhooks, syncs, certificates
 *   certificates.ts  certificates of NATS, MongoDB and the public address
 *   probe.ts         questions through the public address
 *   rules/           facts → findings
 */
import { findDeployment } from '../backup/deployment.ts';
import { Refused } from '../backup/refused.ts';
import { type Looking, lookInto } from '../status/gather.ts';
import { examine } from './examine.ts';
import { type DoctorCall, type DoctorOptions, optionsOf } from './options.ts';
import { exitCode, findings, type Severity } from './rules/findings.ts';

export type DoctorAnswer = { facts: Record<string, unknown>; code: 0 | 1 | 2 } | { problem: string };

const worst: readonly Severity[] = ['bad', 'unknown', 'warning', 'good'];

export async function perform(call: DoctorCall): Promise<DoctorAnswer> {
  try {
    const options = optionsOf(call.given);
    const deployment = findDeployment(call.env, call.cwd);
    return await lookInto(deployment, call.say, (looking) => diagnose(looking, call, options));
  } catch (error) {
    if (error instanceof Refused) return { problem: error.message };
    throw error;
  }
}

async function diagnose(looking: Looking, call: DoctorCall, options: DoctorOptions): Promise<DoctorAnswer> {
  const facts = await examine(looking, call, options);
  const found = findings(facts).sort((a, b) => worst.indexOf(a.severity) - worst.indexOf(b.severity));
  const counts = Object.fromEntries(
    worst.map((severity) => [severity, found.filter((finding) => finding.severity === severity).length]),
  );
  return { facts: { ...counts, findings: found }, code: exitCode(found) };
}
