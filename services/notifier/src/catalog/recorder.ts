/**
 * Reports attempts to the catalog: reports are gathered for up to `historyFlushMs` and sent many at a time.
 *
 * States of a report: waiting → in a call → recorded. An unanswered or deferred call is repeated after a growing pause
 * with the same reports; the catalog counts an attempt once. Meanwhile other reports wait. Past `reportsWaitingMax` or
 * `reportBytesWaitingMax`, further reports are dropped; a metric and the log tell their number.
 *
 * States of the history: keeping up → behind, when a call fails, or reports wait for `historyWaitMsMax` → keeping up,
 * with the next call that succeeds. While the history keeps up, a delivery counts as settled only once it is recorded.
 * While the history is behind, no delivery waits for it: reports wait alone, and are lost when this process dies.
 *
 * Failure at the await of a call: the catalog is away, or fails → the call is repeated. The catalog refuses the call
 * itself (a bug) → given up after `REFUSALS_MAX` tries, and logged. The notifier stops → one last try; reports that
 * fail then are given up, and logged.
 */
import type { AttemptReport } from '@parterre/shared/protocol/catalog/deliveries';
import type { RefusalCode } from '@parterre/shared/protocol/errors';
import {
  historyFlushMs,
  historyWaitMsMax,
  reportBytesPerCallMax,
  reportBytesWaitingMax,
  reportCallsAtOnce,
  reportsPerCallMax,
  reportsWaitingMax,
} from '@parterre/shared/protocol/webhook-limits';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { type Clock, pause } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import { historyBody } from './rules/history-body.ts';

const RETRY_MS_MIN = 500;
const RETRY_MS_MAX = 10_000;
/** Tries of a call whose content the catalog refuses. */
const REFUSALS_MAX = 3;
/** The bytes of a report without its texts. */
const REPORT_BYTES = 512;

export type Recorder = {
  /**
   * Never throws. Resolves when the catalog has the report, when the history is behind, or when the report is dropped
   * or given up. A body may have any length.
   */
  record(report: AttemptReport): Promise<void>;
  /** Reports that were dropped or given up, since the start. */
  lost(): number;
  /** Sends the waiting reports. Resolves when each is recorded or given up. */
  stop(): Promise<void>;
};

/** `since` is on the clock of durations. */
type WaitingReport = { report: AttemptReport; bytes: number; since: number; resolve: () => void };

export function createRecorder(catalog: CatalogClient, clock: Clock, log: Logger): Recorder {
  const waiting = createWaitingReports();
  const awaited = new Set<WaitingReport>();
  const calls = new Set<Promise<void>>();
  let cancelFlush: (() => void) | null = null;
  /** Ends the pauses of calls that are to be repeated. */
  let endPauses = (): void => {};
  const stopping = new Promise<void>((resolve) => {
    endPauses = resolve;
  });
  let stopped = false;
  let isBehind = false;
  /** Reports that were dropped since the last call that succeeded, and all lost reports. */
  let dropped = 0;
  let lost = 0;

  function record(report: AttemptReport): Promise<void> {
    const kept = asKept(report);
    const bytes = reportBytes(kept);
    if (!waiting.hasRoom(bytes)) {
      if (dropped++ === 0) log.warn('the history of deliveries is too slow, reports are being dropped');
      lost += 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const added = { report: kept, bytes, since: clock.elapsed(), resolve };
      waiting.add(added);
      if (isBehind) resolve();
      else awaited.add(added);
      if (stopped) flush();
      else if (calls.size < reportCallsAtOnce && waiting.fillCall()) flush(waiting.fillCall);
      if (waiting.all.length > 0) cancelFlush ??= clock.after(historyFlushMs, flush);
    });
  }

  /** Starts as many calls as may run at once. The remaining reports follow as soon as a call has ended. */
  function flush(isWorthACall = () => waiting.all.length > 0): void {
    cancelFlush?.();
    cancelFlush = null;
    while (isWorthACall() && calls.size < reportCallsAtOnce) {
      const call = sendBatch(waiting.take()).finally(() => {
        calls.delete(call);
        flush();
      });
      calls.add(call);
    }
  }

  /** No delivery waits longer for its report. */
  function fallBehind(): void {
    isBehind = true;
    release(awaited, awaited);
  }

  async function sendBatch(batch: WaitingReport[]): Promise<void> {
    const reports = batch.map(({ report }) => report);
    const waitMs = historyWaitMsMax - (clock.elapsed() - batch[0]!.since);
    const cancelWait = clock.after(Math.max(0, waitMs), fallBehind);
    let refusals = 0;
    for (let pauseMs = RETRY_MS_MIN; ; pauseMs = Math.min(pauseMs * 2, RETRY_MS_MAX)) {
      const lastTry = stopped;
      const answer = await catalog('deliveries.record', { reports });
      if (answer.ok) {
        if (dropped > 0)
          log.warn({ reports: dropped }, 'reports of deliveries were dropped while the history was too slow');
        dropped = 0;
        isBehind = false;
        break;
      }
      const { code, message, retryable } = answer.refusal;
      if (!retryable && isOfTheCall(code)) refusals += 1;
      if (lastTry || refusals === REFUSALS_MAX) {
        log.error({ code, why: message, reports: reports.length }, 'gave up reporting attempts to the history');
        lost += reports.length;
        break;
      }
      fallBehind();
      await Promise.race([pause(clock, pauseMs), stopping]);
    }
    cancelWait();
    release(batch, awaited);
  }

  return {
    record,
    lost: () => lost,
    async stop() {
      stopped = true;
      endPauses();
      flush();
      while (calls.size > 0) await Promise.all(calls);
    },
  };
}

/** `awaited` are the reports that a delivery waits for. */
function release(reports: Iterable<WaitingReport>, awaited: Set<WaitingReport>): void {
  for (const each of reports) if (awaited.delete(each)) each.resolve();
}

/** A report is copied only where its body is cut. */
function asKept(report: AttemptReport): AttemptReport {
  if (report.body === null) return report;
  const kept = historyBody(report.body);
  return kept.body === report.body ? report : { ...report, ...kept };
}

/** The reports that wait for a call, in order and within their bounds. */
function createWaitingReports() {
  const all: WaitingReport[] = [];
  let bytesOfAll = 0;
  return {
    all: all as readonly WaitingReport[],
    hasRoom: (bytes: number): boolean => all.length < reportsWaitingMax && bytesOfAll + bytes <= reportBytesWaitingMax,
    fillCall: (): boolean => all.length >= reportsPerCallMax || bytesOfAll >= reportBytesPerCallMax,
    add(report: WaitingReport): void {
      all.push(report);
      bytesOfAll += report.bytes;
    },
    /** The reports of one call. */
    take(): WaitingReport[] {
      let count = 0;
      let bytes = 0;
      for (const each of all) {
        if (count === reportsPerCallMax || (count > 0 && bytes + each.bytes > reportBytesPerCallMax)) break;
        count += 1;
        bytes += each.bytes;
      }
      bytesOfAll -= bytes;
      return all.splice(0, count);
    },
  };
}

/** Whether the catalog refuses the content of the call. Any other refusal means that it cannot write now. */
function isOfTheCall(code: RefusalCode): boolean {
  return code === 'payload_too_large' || code.startsWith('invalid_');
}

/** An estimate of the report's size in memory and in a message. */
function reportBytes({ body, envelope, responseBody, errorMessage }: AttemptReport): number {
  const texts = [body, envelope, responseBody, errorMessage];
  return texts.reduce((sum: number, text) => sum + (text?.length ?? 0), REPORT_BYTES);
}
