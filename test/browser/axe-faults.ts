/** Faults of accessibility on a page: WCAG 2.2 AA by axe-core, and the size of targets. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

type Violation = { id: string; nodes: { target: string[]; failureSummary: string }[] };

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Faults of the picker. Scrolled rows stand partly behind the foot of the panel, so the size of targets has a check of
 * its own.
 */
export const pickerFaults = (page: Page): Promise<string[]> => axeFaults(page, 'parterre-map', wcag.slice(0, -1));

/** Each fault in an element as “rule: element”, frames left out. */
export async function axeFaults(page: Page, within = 'html', rules = wcag): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
  // Axe describes only what it is asked for: the elements without a fault are many.
  const options = { runOnly: rules, iframes: false, resultTypes: ['violations'] };
  const run = `axe.run('${within}', ${JSON.stringify(options)})`;
  const { violations } = (await page.evaluate(run)) as { violations: Violation[] };
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.flat().join(' ')}: ${failureSummary}`),
  );
}

/**
 * Names of buttons and fields under 24 px in an element or its shadow. A box counts with its label. The picker's hidden
 * list for keyboards is left out: its buttons have no size.
 */
export async function smallTargets(page: Page, within: string): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('${within}')]
    .flatMap((each) => [...(each.shadowRoot ?? each).querySelectorAll('button, select, input, summary')])
    .filter((each) => !each.closest('.mirror') && each.checkVisibility())
    .map((each) => [each.textContent.trim() || each.ariaLabel || each.id || each.className, each.closest('label') ?? each])
    .filter(([, box]) => box.getBoundingClientRect().height < 24 || box.getBoundingClientRect().width < 24)
    .map(([name]) => name)`);
}
