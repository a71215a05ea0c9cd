import { beforeAll, expect, test } from 'vitest';
import { generations, mcpClient } from '../../support/http/mcp.ts';
import { type Service, useService } from '../../support/service/service.ts';

let service: Service;
beforeAll(async () => {
  service = await useService();
});

/** A week of a program that follows requests and chooses each step by the earlier answers. */
test.for(generations)(
  'A week of a campaign takes at most 12 calls and 60 kB of answers: make five links, find the best, correct one, undo, report (%s).',
  async (generation) => {
    const { key, domain } = await service.newWorkspace();
    const { call } = await mcpClient(service.baseUrl, key, generation);
    let calls = 0;
    let bytes = 0;
    const ask = async (name: string, args: object = {}) => {
      const result = await call(name, args);
      calls++;
      bytes += Buffer.byteLength(JSON.stringify(result));
      expect(result.isError, result.content[0]?.text).toBeUndefined();
      return result.structuredContent;
    };

    // Monday: "Make links for our summer campaign, one for each channel."
    const [own] = (await ask('list_domains')).domains.filter(({ status }: { status: string }) => status === 'ACTIVE');
    expect(own.domain).toBe(domain);
    await ask('create_tag', { name: 'Summer', color: '#ffcc00' });
    const channels = ['mail', 'poster', 'radio', 'news', 'shop'];
    const links = channels.map((channel) => ({
      url: `https://example.com/summer?utm_source=${channel}`,
      customSlug: `summer-${channel}`,
      externalId: `summer:${channel}`,
      title: `Summer, ${channel}`,
      tagNames: ['summer'],
    }));
    expect(await ask('create_links', { domain: own.domain, links })).toMatchObject({ created: 5, failed: [] });

    // People click.
    const clicks = { poster: 4, news: 2 };
    for (const [channel, count] of Object.entries(clicks)) {
      for (let n = 0; n < count; n++) expect(await service.visit(domain, `summer-${channel}`)).toBe(302);
    }
    const scope = { tagNames: ['summer'] };
    const { answer } = await mcpClient(service.baseUrl, key, generation);
    await expect.poll(async () => (await answer('get_stats', scope)).total).toBe(6);

    // Friday: "Which works best? The news link should lead to the new page."
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const top = await ask('get_top_links', { from: `${yesterday}T00:00:00Z`, ...scope });
    expect(
      top.links.map(({ shortUrl, clicks }: { shortUrl: string; clicks: number }) => [shortUrl.split('/').at(-1), clicks]),
    ).toEqual([
      ['summer-poster', 4],
      ['summer-news', 2],
    ]);
    const found = (await ask('list_links', { q: 'summer-news' })).links;
    expect(found).toHaveLength(1);
    const { id } = found[0];
    const changed = await ask('update_link', { id, url: 'https://example.com/new', title: 'Summer, news' });
    expect(changed.link.url).toBe('https://example.com/new');

    // "No, that was wrong. Put it back."
    const changes = await expect
      .poll(async () => (await answer('list_history', { mine: true, limit: 1 })).entries[0]?.action)
      .toBe('link.updated')
      .then(() => ask('list_history', { mine: true, limit: 1 }));
    const [{ id: entryId, subject }] = changes.entries;
    expect((await ask('revert_change', { id: subject.id, entryId })).link.url).toBe(found[0].url);

    // "Report."
    const report = await ask('get_stats', { ...scope, groupBy: ['referrer', 'device'] });
    expect(report.total).toBe(6);
    expect(Object.keys(report.groups)).toEqual(['referrer', 'device']);
    expect((await ask('get_link', { id: 'ext_summer:poster' })).link.clickCount).toBe(4);

    console.log(`${calls} calls, ${bytes} bytes`);
    expect(calls).toBeLessThanOrEqual(12);
    expect(bytes).toBeLessThanOrEqual(60_000);
  },
);
