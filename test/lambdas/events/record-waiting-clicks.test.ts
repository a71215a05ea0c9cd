import fc from 'fast-check';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { alarming } from '../../../lambdas/core/alarms.ts';
import { randomBase62 } from '../../../lambdas/core/base62.ts';
import { type Click, rowDimensions } from '../../../lambdas/core/click/click.ts';
import { clickItem, clickMessage, recordClick } from '../../../lambdas/store/clicks/clicks.ts';
import { intercept } from '../../../lambdas/store/table/interceptors.ts';
import { countKey, failureKey, keyOf } from '../../../lambdas/store/table/keys.ts';
import { localStage } from '../../../lib/stages/stages.ts';
import { deliverWaiting } from '../../support/clicks/waiting-queue.ts';
import { type Fault, underFaults } from '../../support/faults/faults.ts';
import { runs } from '../../support/run/proof.ts';
import { resourcesOf, type Template } from '../../support/stacks/policies.ts';
import { stacksOf } from '../../support/stacks/stacks.ts';
import { clicksOf, type Store, useStore } from '../../support/store/store.ts';
import { clickOf, countClicks } from '../../support/things/clicks.ts';

// Clicks that waited in the queue, which delivers each at least once, in any order, and again if its reader died.

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const at = Date.UTC(2030, 0, 2, 3, 4, 5, 678);
const someLink = () => ({
  id: `lnk_${randomBase62(28)}`,
  workspaceId: `ws_${randomBase62(16)}`,
  domain: 'go.example.com',
  clickEpoch: 0,
});
const newClicks = (many: number, link = someLink()) => Array.from({ length: many }, (_, index) => clickOf(link, at + index));
const recorded = (click: Click) => store.getItem(keyOf(clickItem(click)));
const putAsideAs = (id: string) => store.getItem(failureKey('record-waiting-clicks', '-', id));

const text = fc.constantFrom('none', 'unknown', 'größe/"\n"', '\u{1f600}', '\u2028', 'a');

test('A click from the queue is the same item as one that was written at once.', async () => {
  const clicks = fc.record({
    epoch: fc.constantFrom(0, 7),
    visitor: fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
    known: fc.tuple(...rowDimensions.map(() => text)),
    hooked: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(clicks, async ({ epoch, visitor, known, hooked }) => {
      const dimensions = Object.fromEntries(rowDimensions.map((dimension, index) => [dimension, known[index]]));
      const [waits, direct] = [0, 1].map(() => ({
        ...clickOf({ ...someLink(), clickEpoch: epoch }, at, { ...dimensions, visitor }),
        ...(hooked && { hooked: true as const, capReached: '1#100' }),
      })) as [Click, Click];
      expect(await deliverWaiting([clickMessage(waits)])).toEqual([]);
      await recordClick(direct);
      const { pk: _, sk: __, ...item } = (await recorded(waits)) ?? {};
      const { pk: ___, sk: ____, ...other } = (await recorded(direct)) ?? {};
      expect({ ...item, workspaceId: '' }).toEqual({ ...other, workspaceId: '' });
    }),
    { numRuns: runs(20) },
  );
});

test('Whatever fails or is delivered again, a message leaves the queue only once its click is recorded, and each click is recorded once.', async () => {
  const faults = fc.array(
    fc.constantFrom<Fault | undefined>(undefined, 'throttle', 'lost-after', 'lost-before', 'dead-after', 'dead-before'),
    {
      minLength: 1,
      maxLength: 40,
    },
  );
  await fc.assert(
    fc.asyncProperty(faults, fc.array(fc.nat({ max: 9 }), { maxLength: 30 }), async (some, again) => {
      const link = someLink();
      const clicks = newClicks(10, link);
      const messages = clicks.map(clickMessage);
      const waiting = new Set(messages);
      let next = 0;
      const under = (batch: readonly string[], budget?: number) =>
        underFaults(
          () => some[next++],
          () => deliverWaiting(batch, budget),
        );
      // A batch may contain messages twice.
      const { result } = await under([...messages, ...again.map((place) => messages[place] ?? '')], 800);
      for (const message of messages) waiting.delete(message);
      for (const place of result) waiting.add([...messages, ...again.map((place) => messages[place] ?? '')][place] ?? '');
      for (const [place, message] of messages.entries())
        if (!waiting.has(message)) expect(await recorded(clicks[place] as Click)).toBeDefined();
      expect(await deliverWaiting([...waiting])).toEqual([]);
      expect(await clicksOf(link.id)).toBe(10);
    }),
    { numRuns: runs(15) },
  );
});

test('If a reader dies after any of its writes, each click is recorded once when the whole batch is delivered again.', async () => {
  const link = someLink();
  const messages = newClicks(30, link).map(clickMessage);
  for (const died of [0, 1, 24, 25, 29]) {
    // A dead reader does not answer, so no message leaves the queue.
    await underFaults(
      ({ index }) => (index >= died ? 'dead-before' : undefined),
      () => deliverWaiting(messages),
    );
    expect(await clicksOf(link.id)).toBeGreaterThanOrEqual(died);
  }
  expect(await deliverWaiting(messages)).toEqual([]);
  expect(await clicksOf(link.id)).toBe(30);
});

test('If the table throttles the reader, all clicks stay in the queue, and are recorded later.', async () => {
  const link = someLink();
  const messages = newClicks(30, link).map(clickMessage);
  const { result } = await underFaults(
    () => 'throttle',
    () => deliverWaiting(messages, 600),
  );
  expect(result.sort((a, b) => a - b)).toEqual([...messages.keys()]);
  expect(await clicksOf(link.id)).toBe(0);
  expect(await deliverWaiting(messages)).toEqual([]);
  expect(await clicksOf(link.id)).toBe(30);
});

describe("A message that isn't a click", () => {
  const wrong = (more: object) => () => JSON.stringify({ ...JSON.parse(clickMessage(clickOf(someLink(), at))), ...more });
  test.for<[name: string, message: () => string]>([
    ['is empty', () => ''],
    ['is not JSON', () => '{"pk":'],
    ['is null', () => 'null'],
    ['is a number', () => '1'],
    ['has no key', () => '{}'],
    ['has the key of something else', wrong({ pk: 'COUNT#lnk_1' })],
    ['has no link in its key', wrong({ pk: 'CLICK#' })],
    ['has no id in its key', wrong({ sk: '2030-01-02T03:04:05.678Z' })],
    ["has a key that isn't text", wrong({ sk: { S: 'x' } })],
    ['is larger than an item may be', wrong({ slug: 'x'.repeat(500_000) })],
  ])(
    'A message that %s is put aside with its text and leaves the queue, and the other clicks of its batch are recorded.',
    async ([, messageOf]) => {
      const message = messageOf();
      const log = vi.spyOn(console, 'error').mockReturnValue();
      const [before, after] = newClicks(2) as [Click, Click];
      const batch = [clickMessage(before), message, clickMessage(after)];
      expect(await deliverWaiting(batch)).toEqual([]);
      expect([await recorded(before), await recorded(after)]).toEqual([expect.anything(), expect.anything()]);
      const failure = await putAsideAs('message-1');
      expect(failure).toMatchObject({
        reader: 'record-waiting-clicks',
        message: message.slice(0, 10_000),
        reason: expect.any(String),
      });
      expect(log.mock.calls).toEqual([[expect.objectContaining({ message: alarming.clickUnreadable, messageId: 'message-1' })]]);
      log.mockRestore();
    },
  );

  test('A message that cannot be put aside now stays in the queue.', async () => {
    const { result } = await underFaults(
      () => 'throttle',
      () => deliverWaiting(['{}'], 300),
    );
    expect(result).toEqual([0]);
  });
});

test("If a policy denies the reader's write, an alarm is raised at once, and the clicks stay in the queue.", async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  const denied = Object.assign(new Error('no'), { name: 'AccessDeniedException', $metadata: { httpStatusCode: 400 } });
  const stop = intercept(() => Promise.reject(denied));
  expect(await deliverWaiting(newClicks(1).map(clickMessage))).toEqual([0]);
  stop();
  expect(log.mock.calls).toEqual([[{ message: alarming.accessDenied, reason: 'no' }]]);
  log.mockRestore();
});

describe('A link that changes while its click waits', () => {
  const linkWithClick = async () => {
    const workspace = await store.newWorkspace();
    const [found] = await store.newLinks(workspace, 1);
    if (!found) throw new Error('no link');
    const click = clickOf(found.link, Date.now());
    return { found, click, link: found.link, workspaceId: workspace.workspaceId };
  };
  const arrive = async (click: Click) => {
    expect(await deliverWaiting([clickMessage(click)])).toEqual([]);
    await countClicks([click]);
  };

  test('A click of a link whose clicks were erased meanwhile is not counted, and its item is deleted.', async () => {
    const { link, click, workspaceId } = await linkWithClick();
    await store.eraseClicks(link);
    const erased = await store.getLink(workspaceId, link.id);
    await countClicks([{ ...clickOf(erased?.link ?? link, Date.now()) }]);
    await arrive(click);
    expect((await store.getLink(workspaceId, link.id))?.clickCount).toBe(1);
    expect(await recorded(click)).toBeUndefined();
  });

  test('A click of a link that was deleted meanwhile leaves its counter closed, and a closed counter outlives the queue and the stream.', async () => {
    const { found, link, click } = await linkWithClick();
    await store.deleteLink(found);
    await arrive(click);
    const { ttl, ...counter } = (await store.getItem(countKey(link.id))) ?? {};
    expect(counter).toEqual(countKey(link.id));
    const [queue] = resourcesOf(stacksOf(localStage(3000)).data.toJSON() as Template, 'AWS::SQS::Queue');
    const streamSeconds = 24 * 60 * 60;
    expect(Number(ttl) - Date.now() / 1_000).toBeGreaterThan(queue?.properties.MessageRetentionPeriod + streamSeconds);
  });
});
