/** Saving reaches the page, the server and the browser's drafts through these ports alone. */
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { OwnDraft } from '../saving/drafts.ts';
import type { Server } from './calls.ts';
import type { PacePorts } from './pace.ts';

export type SavingPorts = PacePorts & {
  chartId: string;
  server: Pick<Server, 'save' | 'news'>;
  draft: OwnDraft;
  document(): ChartDocument;
  replace(document: ChartDocument): void;
  newKey(): string;
  /** Called after each change of the saving. */
  changed(): void;
};
