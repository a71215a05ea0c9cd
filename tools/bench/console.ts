import { chromiumPath, startChromium } from '../browser/chromium.ts';
import { withService } from './support/local-service.ts';
import { medians, timed } from './support/measure.ts';

// How long the console takes to show the first page of its list, in a browser that has its files, as a ratio to a bare
// request of that page in the same run.

const rounds = 15;
const links = 1_000;
/** As the console asks for it. */
const pageSize = 100;

if (!chromiumPath) {
  console.log('\nthe console is not measured: there is no Chromium here (set CHROMIUM_PATH)\n');
} else {
  await withService(async ({ baseUrl }) => {
    const { createLinks } = await import('../../lambdas/store/links/imports.ts');
    const { createApiKey } = await import('../../lambdas/store/api-keys/api-keys.ts');
    const { getWorkspace } = await import('../../lambdas/store/workspaces/workspaces.ts');
    const { permissions } = await import('../../lambdas/core/key/permissions.ts');
    const { newRun, newWorkspace } = await import('./support/fixtures.ts');
    const { workspaceId, domain } = await newWorkspace();
    const entries = Array.from({ length: links }, (_, index) => ({ index, url: `https://example.org/${index}` }));
    await createLinks(domain, entries, new Map(), newRun(new Date()));
    const workspace = await getWorkspace(workspaceId);
    if (!workspace) throw new Error('the workspace is gone');
    const { key } = await createApiKey(workspace, { name: 'bench', permissions });

    const browser = await startChromium();
    const page = await browser.newPage({ viewport: { width: 1_400, height: 900 } });
    const row = page.locator('[data-row="0"]').getByRole('link').first();
    await page.goto(`${baseUrl}/console/${workspaceId}/links#key=${key}`);
    await row.waitFor();
    const times = await medians(rounds, {
      'the list, shown': () =>
        timed(async () => {
          await page.reload({ waitUntil: 'commit' });
          await row.waitFor();
        }),
      'a bare request': () =>
        timed(async () => {
          const headers = { Authorization: `Bearer ${key}` };
          const response = await fetch(`${baseUrl}/api/v1/links?limit=${pageSize}`, { headers });
          const body = (await response.json()) as { links?: unknown[] };
          if (body.links?.length !== pageSize) throw new Error(`${response.status} ${JSON.stringify(body).slice(0, 200)}`);
        }),
    });
    await browser.close();

    console.log(`\nthe first page of the console's list, ${pageSize} links, warm, median of ${rounds} rounds\n`);
    const bare = times['a bare request'].ms;
    for (const [name, { ms }] of Object.entries(times))
      console.log(`${name.padEnd(24)} ${ms.toFixed(1).padStart(7)} ms ${(ms / bare).toFixed(1)}`);
  });
}
