/**
 * Sends consoles the newest entries of one event's log, at most once every TELL_MS, and only while a console watches at
 * this front door.
 *
 * States: unwatched → told → due → telling → told. The first change after a telling makes the next telling due. The log
 * is read (the only await) up to the version that the event had when the telling began. If the read fails, consoles are
 * told nothing, and the next change asks again from the end of the last telling. If a burst fills more than one page of
 * the log, consoles get its newest entries only. The log has all entries.
 */

import { activityEntriesMax, activityLabelsMax } from '@parterre/shared/protocol/limits';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { LogDetails, LogEntry } from '../logs/logs.ts';

/** `whole` is for consoles that may see channels, `channelless` for all other consoles. */
export type LatestEntries = { whole: readonly LogEntry[]; channelless: readonly LogEntry[] };

export type ActivityPorts = {
  clock: Clock;
  /**
   * `version` is the event's current version, `firstIdAfter` a lower bound for the id of the first entry after a
   * version.
   */
  version(): number;
  firstIdAfter(version: number): number;
  isWatched(): boolean;
  /** The latest entries, newest first. Waits until the log has this version. */
  latest(version: number, limit: number): Promise<LatestEntries>;
  tell(entries: LatestEntries): void;
  onFault(error: unknown): void;
};

const TELL_MS = 500;

export class EventActivity {
  private nextId: number | null = null;
  private isDue = false;
  private isTelling = false;
  private toldAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly ports: ActivityPorts) {}

  /** A console joins. It gets the entries after the current version. */
  join(): void {
    this.nextId ??= this.ports.firstIdAfter(this.ports.version());
  }

  noteChange(): void {
    if (this.isDue || this.isTelling || this.nextId === null) return;
    this.isDue = true;
    const waitMs = TELL_MS - (this.ports.clock.elapsed() - this.toldAt);
    this.ports.clock.after(Math.max(0, waitMs), () => {
      this.isDue = false;
      this.tell().catch(this.ports.onFault);
    });
  }

  private async tell(): Promise<void> {
    if (!this.ports.isWatched()) {
      this.nextId = null;
      return;
    }
    this.toldAt = this.ports.clock.elapsed();
    this.isTelling = true;
    const version = this.ports.version();
    try {
      const since = this.nextId!;
      const { whole, channelless } = await this.ports.latest(version, activityEntriesMax);
      const isNew = ({ id }: LogEntry) => id >= since;
      const news = { whole: whole.filter(isNew).map(shortened), channelless: channelless.filter(isNew).map(shortened) };
      if (news.whole.length > 0) {
        this.nextId = news.whole[0]!.id + 1;
        this.ports.tell(news);
      }
    } finally {
      this.isTelling = false;
    }
    if (this.ports.version() !== version) this.noteChange();
  }
}

/** Cuts long lists of labels. The log has the full lists. */
export function shortened(entry: LogEntry): LogEntry {
  const { labels, passed, overridden, details } = entry;
  return {
    ...entry,
    labels: cut(labels),
    ...(passed && { passed: cut(passed) }),
    ...(overridden && { overridden: cut(overridden) }),
    ...(details && { details: shortenedDetails(details) }),
  };
}

function shortenedDetails(details: LogDetails): LogDetails {
  const { kept, unblocked, droppedAssignments } = details;
  let room = activityLabelsMax;
  const cutTogether = (labels: string[]) => {
    const some = labels.slice(0, room);
    room -= some.length;
    return some;
  };
  return {
    ...details,
    ...(kept && { kept: cut(kept) }),
    ...(unblocked && { unblocked: cut(unblocked) }),
    ...(droppedAssignments && {
      droppedAssignments: droppedAssignments.map((each) => ({ ...each, labels: cutTogether(each.labels) })),
    }),
  };
}

function cut(labels: string[]): string[] {
  return labels.slice(0, activityLabelsMax);
}
