import { withTable } from './support/local-service.ts';
import { medians } from './support/measure.ts';

// How many deliveries a second one receiver gets from the sender, as a ratio to as many signed POSTs by the same client
// without a table; and how many write units a delivery takes, from the click's record to the end of the sender's run.

const rounds = 7;
const count = 200;
/** As many concurrent calls of one receiver as the sender makes. */
const concurrency = 10;

await withTable(async () => {
  const { deliveriesOf, receiverUrl, sendingOf } = await import('../cost/webhook-arrangements.ts');
  const { unitsOf } = await import('./support/units.ts');
  const { newWebhookSecret, webhookHeaders } = await import('../../lambdas/core/webhook/webhook-signature.ts');
  const { postWebhook } = await import('../../lambdas/outbound/post-webhook.ts');
  const { inParallel } = await import('../../lambdas/runtime/in-parallel.ts');

  // Senders cannot be started here, which would be logged.
  console.error = () => {};
  console.log('write units of a delivery\n');
  console.log('deliveries at once   to create   to send   in all');
  for (const size of [1, 100]) {
    const create = await unitsOf(await deliveriesOf(size)());
    const send = await unitsOf(await sendingOf(size)());
    const each = (units: number) => (units / size).toFixed(2);
    console.log(
      `${String(size).padStart(18)} ${each(create.write).padStart(11)} ${each(send.write).padStart(9)} ${each(create.write + send.write).padStart(8)}`,
    );
  }

  /** How many deliveries a second some work makes. */
  const perSecond = async (work: () => Promise<unknown>) => {
    const start = performance.now();
    await work();
    return { perSecond: (count * 1_000) / (performance.now() - start) };
  };
  const secret = newWebhookSecret();
  const body = JSON.stringify({ type: 'link.clicked', data: { click: 'x'.repeat(500) } });
  const bare = async () => {
    const url = await receiverUrl();
    return perSecond(() =>
      inParallel(Array.from({ length: count }), concurrency, async (_, index) => {
        const headers = webhookHeaders({ id: `dlv_${index}`, timestamp: 1_893_553_445, body }, [secret]);
        const { status } = await postWebhook({ url, headers, body });
        if (status !== 204) throw new Error(`${status}`);
      }),
    );
  };
  const sent = async () => perSecond(await sendingOf(count)());

  const results = await medians(rounds, { bare, sent });
  console.log(`\n${count} deliveries to one receiver on this machine, ${concurrency} at a time, median of ${rounds} rounds\n`);
  console.log(`signed POSTs, without a table  ${results.bare.perSecond.toFixed(0).padStart(6)} a second`);
  console.log(`deliveries by the sender       ${results.sent.perSecond.toFixed(0).padStart(6)} a second`);
  console.log(`ratio                          ${(results.sent.perSecond / results.bare.perSecond).toFixed(2).padStart(6)}`);
});
