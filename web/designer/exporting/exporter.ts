/**
 * Exports the chart as it is on the page, saved or not, as a file of the browser. The writers of other formats load
 * when they are first asked for. The chart document needs none, so work can be taken along without a server.
 *
 * States: closed → choosing → writing → written, or failed if the writer does not load; from both back to choosing.
 */
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { ExportFormat } from '@parterre/shared/charts/exports/exports';
import { saveFile } from './save-file.ts';

export const formats = ['document', 'csv', 'pretix'] as const;
export type Format = (typeof formats)[number];

export type Exporting =
  | { step: 'closed' }
  | { step: 'choosing' }
  | { step: 'writing' }
  /** `leftOut` names what the format has no place for. */
  | { step: 'written'; fileName: string; leftOut: readonly string[] }
  | { step: 'failed' };

type Ports = { document(): ChartDocument; changed(): void };

const fileTypes: Readonly<Record<Format, { extension: string; type: string }>> = {
  document: { extension: 'json', type: 'application/json' },
  csv: { extension: 'csv', type: 'text/csv' },
  pretix: { extension: 'pretix.json', type: 'application/json' },
};
const NAME_LENGTH_MAX = 80;

export class Exporter {
  readonly #ports: Ports;
  #state: Exporting = { step: 'closed' };

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  get state(): Exporting {
    return this.#state;
  }

  open(): void {
    if (this.#state.step === 'closed') this.#become({ step: 'choosing' });
  }

  close(): void {
    this.#become({ step: 'closed' });
  }

  async write(format: Format): Promise<void> {
    if (this.#state.step === 'writing') return;
    this.#become({ step: 'writing' });
    const written = await writtenIn(this.#ports.document(), format).catch((error: unknown) => {
      console.warn('The export failed.', error);
      return null;
    });
    // Closed meanwhile.
    if (this.state.step !== 'writing') return;
    if (written === null) {
      this.#become({ step: 'failed' });
      return;
    }
    const { extension, type } = fileTypes[format];
    const fileName = `${stemOf(this.#ports.document().name)}.${extension}`;
    saveFile(fileName, new Blob([written.text], { type }));
    this.#become({ step: 'written', fileName, leftOut: written.leftOut });
  }

  #become(state: Exporting): void {
    this.#state = state;
    this.#ports.changed();
  }
}

async function writtenIn(
  document: ChartDocument,
  format: Format,
): Promise<{ text: string; leftOut: readonly string[] }> {
  if (format === 'document') return { text: JSON.stringify(document), leftOut: [] };
  return (await writers()).exportChart(document, format satisfies ExportFormat);
}

const writers = () => import('@parterre/shared/charts/exports/exports');

/** The chart's name without the signs that file systems refuse. */
function stemOf(name: string): string {
  const stem = name.replace(/[\p{C}\\/:*?"<>|]+/gu, ' ').trim();
  return stem.slice(0, NAME_LENGTH_MAX).replace(/[ .]+$/, '') || 'chart';
}
