/** Twelve pages of the console in the middle of a sale: docs/images/console-*.png. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { emailOf, openGala, openHouse, openSeason, type PicturedHouse, password, type Role } from './console-house.ts';
import { settleMs } from './open-map.ts';

const desktop = { width: 1280, height: 800 };
const high = { width: 1280, height: 1120 };
const column = { width: 800, height: 1120 };
const phone = { width: 390, height: 1000 };
/** Pictures of maps are large. */
const plain = { deviceScaleFactor: 1 };

const usualLooks: BrowserContextOptions = {
  viewport: desktop,
  // Sharp text on dense screens, in less than 300 kB.
  deviceScaleFactor: 1.25,
  reducedMotion: 'reduce',
  timezoneId: 'Europe/Vienna',
};

type Ground = { gala: string; season: string; house: PicturedHouse };
type Shot = {
  name: string;
  /** Behind the mode and the workspace. */
  address(ground: Ground): string;
  mode?: 'test';
  role?: Role;
  looks?: BrowserContextOptions;
  /** What a person does before the picture. */
  act?(page: Page, ground: Ground): Promise<void>;
};

const event = (tab: string) => (ground: Ground) => `event/${ground.gala}/${tab}`;

const shots: Shot[] = [
  { name: 'events', address: () => 'events?sort=date' },
  {
    name: 'new-event',
    mode: 'test',
    looks: { viewport: column },
    address: () => 'new-event?template=theatre',
    act: async (page) => {
      await page.getByLabel('Name', { exact: true }).fill('Autumn gala');
      await page.getByLabel('Begins').fill('2027-10-16T19:30');
      await page.getByRole('heading', { name: 'New test event' }).click();
    },
  },
  { name: 'map', looks: plain, address: event('map?seats=Stalls-J-14,Stalls-J-15,Stalls-J-16,Stalls-J-17') },
  {
    name: 'counter',
    role: 'box_office',
    looks: { ...plain, locale: 'de' },
    address: event('counter?seats=Stalls-J-14,Stalls-J-15,Stalls-J-16'),
    act: async (page) => {
      await page.getByRole('button', { name: 'Festhalten und Preis zeigen' }).click();
      await page.getByRole('heading', { name: 'Warenkorb mit 3 Plätzen' }).waitFor();
    },
  },
  {
    name: 'booking',
    role: 'box_office',
    looks: { ...plain, viewport: { width: 1280, height: 1400 } },
    address: event('bookings/desk-1?act=exchange&seats=Stalls-M-13,Stalls-M-14'),
    act: (page) => page.getByText('The customer gets').waitFor(),
  },
  {
    name: 'channels',
    role: 'marketing',
    looks: plain,
    address: event('channels'),
    act: (page) => page.getByRole('button', { name: /Friends of the theatre/ }).click(),
  },
  { name: 'sale', looks: { locale: 'ar' }, address: event('sale') },
  { name: 'seasons', address: ({ season }) => `seasons/${season}` },
  { name: 'reports', looks: { colorScheme: 'dark', viewport: high }, address: event('reports') },
  { name: 'door', role: 'door', looks: { viewport: phone }, address: event('door') },
  { name: 'house', address: () => 'house/members' },
  {
    name: 'control-room',
    looks: { ...plain, viewport: high },
    address: event('wall'),
    act: (page, { house, gala }) => house.sell(gala, 14).then(() => page.getByText(/Live at/).waitFor()),
  },
];

export async function takeConsole(browser: Browser, url: string, rootToken: string, folder: string): Promise<void> {
  const house = await openHouse(url, rootToken);
  const ground = { house, gala: await openGala(house), season: await openSeason(house) };
  for (const shot of shots) {
    const page = await openPage(browser, url, shot, ground);
    await shot.act?.(page, ground);
    await page.mouse.move(desktop.width / 2, 1);
    await pause(settleMs);
    const path = join(folder, `console-${shot.name}.png`);
    await page.screenshot({ path });
    console.log(`wrote ${path}`);
    await page.close();
  }
}

async function openPage(browser: Browser, url: string, shot: Shot, ground: Ground): Promise<Page> {
  const { mode = 'live', role = 'owner', looks } = shot;
  const page = await browser.newPage({ ...usualLooks, ...looks });
  await page.goto(`${url}/console#/${mode}/all/${shot.address(ground)}`);
  await page.locator('input[name="email"]').fill(emailOf(role));
  await page.locator('input[name="password"]').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('banner').waitFor();
  await page.waitForLoadState('networkidle');
  return page;
}
