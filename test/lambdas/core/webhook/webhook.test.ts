import { expect, test } from 'vitest';
import { needsClicks, type WebhookEvent, webhookEvents } from '../../../../lambdas/core/webhook/webhook.ts';

test('A webhook needs clicks exactly if it is active and subscribes to clicks or to caps.', () => {
  for (const event of webhookEvents) {
    const expected = event === 'link.clicked' || event === 'link.cap_reached';
    expect(needsClicks({ active: true, events: [event] }), event).toBe(expected);
    expect(needsClicks({ active: true, events: ['link.created', event] }), event).toBe(expected);
    expect(needsClicks({ active: false, events: [event] }), event).toBe(false);
  }
  const others: WebhookEvent[] = ['link.created', 'link.updated', 'link.deleted'];
  expect(needsClicks({ active: true, events: others })).toBe(false);
});
