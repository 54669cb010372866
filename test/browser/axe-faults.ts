/** Faults of accessibility on a page: WCAG 2.2 AA by axe-core, and the size of targets. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

type Violation = { id: string; nodes: { target: string[]; failureSummary: string }[] };

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Each fault as “rule: element”, frames left out. */
export async function axeFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const run = `axe.run(document, ${JSON.stringify({ runOnly: rules, iframes: false })})`;
  const { violations } = (await page.evaluate(run)) as { violations: Violation[] };
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.flat().join(' ')}: ${failureSummary}`),
  );
}

/** Names of buttons and fields under 24 px in an element. A box counts with its label. */
export async function smallTargets(page: Page, within: string): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('${within} :is(button, select, input, summary)')]
    .filter((each) => each.checkVisibility())
    .map((each) => [each.textContent.trim() || each.ariaLabel || each.id || each.className, each.closest('label') ?? each])
    .filter(([, box]) => box.getBoundingClientRect().height < 24 || box.getBoundingClientRect().width < 24)
    .map(([name]) => name)`);
}
