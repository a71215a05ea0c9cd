import { isMeant, loadTemplate } from '../local/template/template.ts';
import { type Operation, operations } from './operations.ts';
import { lookedUp, type Price, prices, region } from './prices.ts';
import { type Units, unitsOf } from './units.ts';
import { worstCases } from './worst-cases.ts';

/** What Lambda itself writes about an invocation, in bytes: an assumption. The functions write nothing where nothing is wrong. */
const loggedBytes = 1_000;
const hoursAMonth = 730;

type Counted = Pick<Operation, 'name' | 'functionName'> & Units;
type Measured = Operation & Units & { readonly invocations: number; readonly memoryMb: number };

/** What a million of an operation costs, by what is paid for, in dollars. */
type Cost = { gateway: number; lambda: number; table: number; logs: number; traces: number };

/**
 * Measures every operation and gives docs/cost.md whole. It has nothing of the machine in it: it is the same wherever it is printed,
 * for as long as the code takes the same.
 *
 * @param outdir a folder that the CDK synthesised, for the functions' memory.
 */
export async function costPage(outdir: string): Promise<string> {
  const functions = loadTemplate(outdir).ofType<{ readonly MemorySize: number }>('AWS::Lambda::Function');
  const measured: Measured[] = [];
  for (const operation of operations) {
    const { properties } = functions.find((one) => isMeant(one, '', operation.functionName)) ?? {};
    if (!properties) throw new Error(`no function ${operation.functionName}`);
    const work = await operation.arrange();
    let invocations = 0;
    const units = await unitsOf(async () => {
      invocations = await work();
    });
    measured.push({ ...operation, ...units, invocations, memoryMb: Number(properties.MemorySize) });
  }
  const most: Counted[] = [];
  for (const worstCase of worstCases) most.push({ ...worstCase, ...(await unitsOf(await worstCase.arrange())) });
  return page(measured, most);
}

function costOf({ gateway, invocations, memoryMb, assumedMs, read, write }: Measured): Cost {
  const requests = gateway ? 1e6 : 0;
  return {
    gateway: priceOf(requests, gateway === 'HTTP' ? prices.httpRequest : prices.restRequest),
    lambda:
      priceOf(1e6 * invocations, prices.invocation) + priceOf(1e6 * gigabyteSeconds(memoryMb, assumedMs), prices.gigabyteSecond),
    table: priceOf(1e6 * read, prices.readUnit) + priceOf(1e6 * write, prices.writeUnit),
    logs: priceOf((1e6 * invocations * loggedBytes) / 1e9, prices.loggedGigabyte),
    traces: priceOf(requests, prices.trace),
  };
}

const priceOf = (many: number, { usd, per }: Price): number => (many * usd) / per;

const gigabyteSeconds = (memoryMb: number, ms: number): number => (memoryMb / 1_024) * (ms / 1_000);

const dollars = (amount: number): string =>
  amount === 0 ? '' : amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const count = (number: number): string => (number === 0 ? '' : number.toLocaleString('en-US'));
const row = (...cells: (string | number)[]): string => `| ${cells.join(' | ')} |`;

const unitRow = ({ name, functionName, calls, read, write }: Counted) =>
  row(name, `\`${functionName}\``, count(calls), count(read), count(write));

const costRow = (operation: Measured) => {
  const { gateway, lambda, table, logs, traces } = costOf(operation);
  const total = gateway + lambda + table + logs + traces;
  return row(operation.name, count(operation.assumedMs), ...[gateway, lambda, table, logs, traces].map(dollars), dollars(total));
};

const priceRow = ({ usd, per, of, source, dated }: Price) => row(`${count(per)} ${of}`, usd, source, dated);

function page(measured: readonly Measured[], most: readonly Counted[]): string {
  const schedules = ['restart-sweeps', 'check-domains'].map((name) =>
    measured.findLast(({ functionName }) => functionName === name),
  );
  const idle = schedules.reduce((sum, schedule) => {
    if (!schedule) throw new Error('a schedule was not measured');
    const { lambda, table, logs } = costOf(schedule);
    return sum + ((lambda + table + logs) / 1e6) * hoursAMonth;
  }, 0);
  const millisecond = (memoryMb: number) => priceOf(1e6 * gigabyteSeconds(memoryMb, 1), prices.gigabyteSecond).toFixed(4);
  return `# What it costs

\`npm run cost\` writes this page. It runs the functions' own code on the embedded engine and counts; a test fails if the page says
anything else. Prices are those of ${region} in US dollars, looked up
on ${lookedUp}; where they come from is below. Free allowances, taxes and data that leaves AWS are not in it;
an import answers with all its links.

## What an operation takes of the table

As DynamoDB says it of each call (\`ConsumedCapacity\`), the index included. An item of up to 1 kB is a unit to write, twice that in a
transaction; up to 4 kB a unit to read consistently. The import's links are those of \`examples/links-1000.json\`.

| operation | function | calls | read units | write units |
|---|---|--:|--:|--:|
${measured.map(unitRow).join('\n')}

- An update of the destination and an import have each distinct host looked up once: that none of them is a short domain of the
  service costs a unit a host, and is most of what an import reads.
- With an \`Idempotency-Key\` an import writes its result down, about a unit for each 14 links; while it runs it renews its lease every
  1.5 seconds, at a unit each, which is not in the table.
- Clicks are counted in batches of up to 1,000, or of a second: a unit for each link in a batch. Every 15 minutes in which a shard of the
  stream had clicks end with one more invocation, and a link's counter pays a unit more for each ten shards that it has seen, which is not in
  the table.
- A visit of a capped link updates the link's own item, which is paid by its size: two units for each kilobyte of the link, and two for the
  click. That is 4 for most links, and 46 for one whose URL, title, description, image and webhooks are all as long as they may be.
- A visitor's host is looked up once a minute by each running function. The list of blocked destinations is read every 50 seconds by each
  running function that answers visitors or takes destinations, at a unit for each 4 kB: at most 49. That is not in the table.
- A change that cloaks links, or leads cloaked ones elsewhere, takes a write unit more, and 1.5 seconds of its function for each 50 destinations
  that are asked: $${priceOf(1e6 * gigabyteSeconds(1_769, 1_500), prices.gigabyteSecond).toFixed(0)} a million with 1,769 MB.
- A key in use is looked up about once a minute, since the gateway remembers it for 60 seconds, and its use is written down each time:
  at most some 45,000 units in a month of 31 days. What is refused because another was first costs a unit as well.

## The most that a request takes

The same, with links as large as they can be, some 21 kB: five webhooks, and the longest description, title, image and destination.

| operation | function | calls | read units | write units |
|---|---|--:|--:|--:|
${most.map(unitRow).join('\n')}

- A bulk update or deletion takes as much for each link however many there are, up to 1,000: if all its time suffices, 20 times these rows.
- A list reads each distinct tag of its links once. If 100 links have 20 tags each, and all are different, that is 2,000 units.
- A search stops at the first batch of 100 links that brings it to 500 units. The links it found are read again, as a list of them would be.
- The list of all 5,000 tags of a workspace takes some 300 units, or 1,450 if each has the longest name.
- A function that has just started reads the list of blocked destinations: at most 49 units.
- A workspace may send 100 requests a second, and 10 of each kind of list (\`requestRate\` of the stage). It may send 3 bulk requests a minute.

## What a million of each costs

| operation | assumed ms | gateway | functions | table | logs | traces | together |
|---|--:|--:|--:|--:|--:|--:|--:|
${measured.map(costRow).join('\n')}

**Nobody has measured the milliseconds on AWS.** They are assumptions, some four times what \`npm run bench\` shows of a warm function on
a laptop: 4 ms for fetching a tag, 7 for creating one, 300 for an import of 1,000 links. Put your own in: a millisecond more of each call
is $${millisecond(512)} a million with 512 MB, $${millisecond(1769)} with 1,769. A function's start is billed as well, since 2025-08-01
(https://aws.amazon.com/blogs/compute/aws-lambda-standardizes-billing-for-init-phase/), and is not in the table.

**Logs** are taken to be ${count(loggedBytes)} bytes an invocation, all Lambda's own; kept for as long as the stage says, which is not in
the table.

**Traces** are the most that they can cost: X-Ray records the first request of each second and 5 % of the rest
(https://docs.aws.amazon.com/xray/latest/devguide/xray-console-sampling.html), which is every request of a service that gets one a second,
and close to $0.25 a million in one that gets very many. A sampling rule of the account lowers it.

## What it costs when nobody calls

Storage, and next to nothing else:

- **The table** is on demand: no call, no unit. Storage is $${prices.storedGigabyte.usd} a gigabyte and month. A stage that keeps its data (\`keepData\`) pays for
  point-in-time recovery by the gigabyte too; no source was found for its price.
- **The stream** costs nothing: calls by Lambda are free, and an idle stream is not charged
  (https://docs.amazonaws.cn/en_us/amazondynamodb/latest/developerguide/CostOptimization_StreamsUsage.html).
- **The two schedules** that look for stalled sweeps and for domains to be checked run ${hoursAMonth} times a month each, at half a read unit and
  one: $${idle.toFixed(4)} together, and a write and half a read more each day.
  Whether AWS charges for a schedule's events was not found; at the $1 a million of custom ones (https://cloudburn.io/blog/amazon-eventbridge-pricing)
  it would be less than a tenth of a cent.
- **The gateway, the functions, the usage plan and the queue** are paid by the call. Nothing runs in between: there is no provisioned
  concurrency, no network of its own, no cache.
- **Two alarms**, over the counting of clicks, are $${prices.alarm.usd} a month each.
- **Logs** that are kept, and the CDK's bucket with the bundles of past deployments, are storage as well, and small.

## Prices

| | US dollars | source | |
|---|--:|---|---|
${Object.values(prices).map(priceRow).join('\n')}
`;
}
