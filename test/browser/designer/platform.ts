/** A platform of another origin, with a page around the designer as docs/designer-sessions.md prints it. */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../../../scripts/launch/root.ts';
import type { Json } from '../box-office.ts';

export class Platform {
  #server: Server | null = null;
  #page = { html: '', script: '', policy: '', address: async () => '' };

  get origin(): string {
    return `http://localhost:${this.port}`;
  }

  get port(): number {
    return (this.#server!.address() as AddressInfo).port;
  }

  async open(): Promise<void> {
    const server = createServer(async ({ url }, response) => {
      const { html, script, policy, address } = this.#page;
      const isScript = url === '/platform.js';
      const headers = { 'Content-Type': isScript ? 'text/javascript' : 'text/html' };
      response.writeHead(200, { ...headers, 'Content-Security-Policy': policy });
      if (url === '/designer-session') response.end(JSON.stringify({ designerUrl: await address() }));
      else response.end(isScript ? script : html);
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }

  close(): void {
    this.#server?.close();
  }

  /** `seats`: the address of Parterre. `address` gives the page a fresh `designerUrl`. */
  async show(seats: string, address: () => Promise<string>): Promise<void> {
    const text = await readFile(join(root, 'docs/designer-sessions.md'), 'utf8');
    const printed = (language: string) =>
      new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm')
        .exec(text)![1]!
        .replaceAll('https://seats.example', seats);
    const policy = /Content-Security-Policy: (.*)/.exec(printed('http'))![1]!;
    this.#page = { html: printed('html'), script: printed('js'), policy, address };
  }
}

/** The messages that the page around hears. The page must not be open yet. */
export async function hearing(page: Page): Promise<() => Promise<Json[]>> {
  await page.addInitScript(listenToDesigner);
  return () => page.evaluate('globalThis.told');
}

/** Runs in the page, of whose types tests know nothing. */
function listenToDesigner(): void {
  const page = globalThis as Json;
  page.told = [];
  for (const type of ['ready', 'dirty', 'saved', 'published', 'error'])
    page.addEventListener(`parterre-${type}`, ({ detail }: Json) => page.told.push(detail.type ? detail : { type }));
}
