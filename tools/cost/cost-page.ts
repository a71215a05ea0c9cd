import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordDays } from '../../lambdas/store/clicks/clicks.ts';
import { wholeProcessorMb } from '../../lib/memory.ts';
import { withS3 } from '../bench/support/s3.ts';
import { type Units, unitsOf } from '../bench/support/units.ts';
import batches from './batches.json' with { type: 'json' };
import { type Cost, type Counted, operationsFile, pricesFile } from './data-files.ts';
import durations from './durations.json' with { type: 'json' };
import { monthsSection } from './months.ts';
import { type Operation, operations } from './operations.ts';
import { lookedUp, type Price, prices, region } from './prices.ts';
import { settingsSection, watching } from './setting-prices.ts';
import { storedLinkBytes } from './stored-bytes.ts';
import { worstCases } from './worst-cases.ts';

/**
 * An assumption: how many bytes Lambda itself logs per invocation, unless the function's log level suppresses that. The
 * functions log nothing unless something is wrong.
 */
const loggedBytes = 1_000;
const hoursAMonth = 730;
/** The number of metrics of a stage's alarms, without those for certificates. A test counts them. */
const alarmedMetrics = 51;
/** The most metrics of our own that a dashboard gets. */
const dashboardMetrics = 12;
/**
 * The size of a click: names and values of its attributes, and the 100 bytes that DynamoDB adds to each stored item
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html).
 */
const clickBytes = 380;
/** The same for a delivery of a click with its attempt, its index included. */
const deliveryBytes = 1_600;
const deliveryDays = 14;

/** The page and the data that it links to. */
type CostFiles = { readonly page: string; readonly operations: string; readonly prices: string };

type Measured = Operation &
  Units & { readonly invocations: number; readonly memoryMb: number; readonly isTraced: boolean; readonly isQuiet: boolean };

/** The properties of a function in the template. */
type FunctionProperties = {
  readonly MemorySize: number;
  readonly TracingConfig: { readonly Mode: string };
  readonly LoggingConfig: { readonly SystemLogLevel?: string };
};

/**
 * Measures every operation, and returns the whole text of docs/cost.md, docs/cost/operations.csv and
 * docs/cost/prices.csv. They depend only on what the code does, not on the machine.
 *
 * @param outdir the `cdk.out` folder of the synthesised app, for the memory sizes of the functions.
 */
export const costFiles = (outdir: string): Promise<CostFiles> => withS3(() => measuredFiles(outdir));

async function measuredFiles(outdir: string): Promise<CostFiles> {
  const functions = functionsIn(outdir);
  const linkBytes = await storedLinkBytes();
  const measured: Measured[] = [];
  for (const operation of operations) {
    const properties = functions.get(operation.functionName.replaceAll('-', ''));
    if (!properties) throw new Error(`no function ${operation.functionName}`);
    const work = await operation.arrange();
    let invocations = 0;
    const units = await unitsOf(async () => {
      invocations = await work();
    });
    const { measured: kept } = operation;
    if (kept && (kept.calls !== units.calls || kept.memoryMb !== Number(properties.MemorySize))) {
      throw new Error(`"${operation.name}" is not what was measured any more: run ${kept.writtenBy}`);
    }
    measured.push({
      ...operation,
      ...units,
      invocations,
      memoryMb: Number(properties.MemorySize),
      isTraced: properties.TracingConfig.Mode === 'Active',
      isQuiet: properties.LoggingConfig.SystemLogLevel === 'WARN',
    });
  }
  const most: Counted[] = [];
  for (const worstCase of worstCases) most.push({ ...worstCase, ...(await unitsOf(await worstCase.arrange())) });
  return {
    page: reflowed(page(measured, most, linkBytes)),
    operations: operationsFile(
      measured.map((operation) => ({ ...operation, cost: costOf(operation) })),
      most,
    ),
    prices: pricesFile(),
  };
}

/** The functions of all templates, by their names without hyphens. The CDK appends eight digits to a name. */
function functionsIn(outdir: string): ReadonlyMap<string, FunctionProperties> {
  const templates = globSync(join(outdir, '*.template.json')).map((file) => JSON.parse(readFileSync(file, 'utf8')).Resources);
  const resources = templates.flatMap((each) => Object.entries<{ Type: string; Properties: FunctionProperties }>(each));
  return new Map(
    resources.flatMap(([id, { Type, Properties }]) => (Type === 'AWS::Lambda::Function' ? [[id.slice(0, -8), Properties]] : [])),
  );
}

function costOf({ gateway, invocations, memoryMb, assumedMs, read, write, isTraced, isQuiet }: Measured): Cost {
  const requests = gateway ? 1e6 : 0;
  return {
    gateway: priceOf(requests, gateway === 'HTTP' ? prices.httpRequest : prices.restRequest),
    lambda:
      priceOf(1e6 * invocations, prices.invocation) + priceOf(1e6 * gigabyteSeconds(memoryMb, assumedMs), prices.gigabyteSecond),
    table: priceOf(1e6 * read, prices.readUnit) + priceOf(1e6 * write, prices.writeUnit),
    logs: isQuiet ? 0 : priceOf((1e6 * invocations * loggedBytes) / 1e9, prices.loggedGigabyte),
    traces: isTraced ? priceOf(requests, prices.trace) : 0,
  };
}

const priceOf = (many: number, { usd, per }: Price): number => (many * usd) / per;

const gigabyteSeconds = (memoryMb: number, ms: number): number => (memoryMb / 1_024) * (ms / 1_000);

const dollars = (amount: number): string =>
  amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const count = (number: number): string => (number === 0 ? '' : number.toLocaleString('en-US'));
const row = (...cells: (string | number)[]): string => `| ${cells.join(' | ')} |`;

const unitCells = ({ name, calls, read, write }: Counted) => [name, count(calls), count(read), count(write)];

const totalOf = (operation: Measured): number => Object.values(costOf(operation)).reduce((sum, part) => sum + part);

/** @throws Error if no operation has this name. */
function named(measured: readonly Measured[], name: string): Measured {
  const operation = measured.find((one) => one.name === name);
  if (!operation) throw new Error(`${name} was not measured`);
  return operation;
}

/**
 * The cost of a million visits by the name of their row, recorded and then counted in batches of 1,000 clicks of a
 * link.
 */
const countedInBursts = (measured: readonly Measured[], name: string): string =>
  `$${dollars(totalOf(named(measured, name)) + totalOf(named(measured, 'Count 1,000 clicks on one link')) / 1_000)}`;

/** What a million deliveries cost. */
function deliveries(measured: readonly Measured[]): string {
  const of = (name: string, many = 1) => totalOf(named(measured, name)) / many;
  const [click, clicks] = [of('Create the delivery of a click for one webhook'), of('… and of 100 clicks at once', 100)];
  const [one, many] = [of('Send one delivery'), of('… and 100 at once to one URL', 100)];
  const change = of('Record a change of a link, and create its delivery for one webhook');
  const recorded = of('Record a change of a link in the history');
  const asked = of('… and start the sender that it asks for');
  const stored = priceOf((deliveryBytes / 1e3) * (deliveryDays / 30), prices.storedGigabyte);
  const sum = (...parts: readonly number[]) => `$${dollars(parts.reduce((all, part) => all + part, stored))}`;
  const run = of('Look for webhooks that are due, if there are none');
  // The sender reads and removes the item that asked for it.
  const removal = priceOf(1e6, prices.readUnit) + priceOf(1e6, prices.writeUnit);
  return `**A million deliveries** of clicks cost ${sum(click, one)} if each comes alone, and ${sum(clicks, many)} if they come 100 at a time for
one URL: $${dollars(click)} or $${dollars(clicks)} to create them, $${dollars(one)} or $${dollars(many)} to send them, and $${dollars(stored)} to store each for ${deliveryDays} days. Those of
changes cost ${sum(change - recorded, asked, one, removal)}, because each change asks for a sender. A retry costs as much as a first attempt.
While a webhook is due, a schedule looks each minute, for at most $${dollars((run / 1e6) * hoursAMonth * 60)} a month.`;
}

/** The measured processor time of a visit, in milliseconds. */
const cpu = (visit: keyof typeof durations.laterVisits): string => durations.laterVisits[visit].cpuMs.toFixed(1);

/** The monthly cost of polling the queue of waiting clicks: five pollers, each for 20 seconds at a time. */
const pollingCost = priceOf((hoursAMonth * 3_600 * 5) / 20, prices.queueCall);

/** The functions of schedules that check every hour for something to do. */
const hourly = ['restart-sweeps', 'check-domains', 'start-senders', 'seal-clicks'];

/** The cost of an hour without work. */
function idleHour(measured: readonly Measured[]): { readonly usd: number; readonly read: number } {
  let [usd, read] = [0, 0];
  for (const name of hourly) {
    const schedule = measured.findLast(({ functionName }) => functionName === name);
    if (!schedule) throw new Error(`${name} was not measured`);
    usd += totalOf(schedule) / 1e6;
    read += schedule.read;
  }
  return { usd, read };
}

/** Rewraps paragraphs and lists of a page at 120 characters. Tables and headings stay. */
const reflowed = (text: string): string =>
  `${text
    .trim()
    .split('\n\n')
    .map((block) =>
      /^[|#]/.test(block)
        ? block
        : block
            .split(/\n(?= *- )/)
            .map(filled)
            .join('\n'),
    )
    .join('\n\n')}\n`;

/** Wraps a paragraph, or an item of a list with its indentation. */
function filled(text: string): string {
  const [start = ''] = /^ *(- )?/.exec(text) ?? [];
  const lines = [start];
  for (const word of text.slice(start.length).split(/\s+/)) {
    const line = lines.at(-1) ?? '';
    const longer = line.trim() && line !== start ? `${line} ${word}` : line + word;
    if (longer.length <= 120 || line === start) lines[lines.length - 1] = longer;
    else lines.push(' '.repeat(start.length) + word);
  }
  return lines.join('\n');
}

function page(measured: readonly Measured[], most: readonly Counted[], linkBytes: number): string {
  const costs = (name: string) => {
    const operation = named(measured, name);
    return { cost: totalOf(operation), table: costOf(operation).table };
  };
  const idle = idleHour(measured);
  const watched = watching(alarmedMetrics, dashboardMetrics);
  return `# What it costs

What a stage costs on AWS, in US dollars, by the prices for ${region}, of ${lookedUp}, without free
allowances, taxes and, unless a row says so, data that leaves AWS. [Nobody has measured](#what-would-change-these-figures)
this on AWS yet: \`npm run cost\` runs the functions' own code on the embedded engine, and writes this page, the [calls,
units and cost of every operation](cost/operations.csv) and the [prices with their sources](cost/prices.csv).

${monthsSection(costs, { link: linkBytes, click: clickBytes }, idle.usd * hoursAMonth + pollingCost, { always: watched.alarms + watched.dashboard, perVisit: watched.perVisit })}
${idleSection(idle)}
${millionSection(measured)}
${dearerSection(measured)}
${mostSection(most)}
${workspaceSection}
${settingsSection(watched)}
${changesSection()}`;
}

const idleSection = ({ usd, read }: ReturnType<typeof idleHour>): string => `## What it costs when nobody calls

Storage, and $${(pollingCost + usd * hoursAMonth).toFixed(2)} a month:

- **A queue** of [clicks that wait](decisions/0058-clicks-of-a-flood-wait-in-a-queue.md): Lambda [polls
  it](aws.md#sqs) all the time, for $${pollingCost.toFixed(2)}. AWS's free million calls a month cover that for one stage.
- **Four schedules** look each hour for something to do, and take ${count(read)} read units: $${(usd * hoursAMonth).toFixed(4)} a month. If AWS charges for
  their events [as for custom ones](https://cloudburn.io/blog/amazon-eventbridge-pricing), that is $0.003 more.
- **Tables** cost $${prices.storedGigabyte.usd} per gigabyte and month, and $${prices.recoverableGigabyte.usd.toFixed(2)} more with recovery (\`keepData\`, \`backUpActivity\`). A million
  clicks take $${storedClicks(prices.storedGigabyte)}, and $${storedClicks(prices.recoverableGigabyte)} more with recovery. [An idle stream is
  free](https://docs.amazonaws.cn/en_us/amazondynamodb/latest/developerguide/CostOptimization_StreamsUsage.html).
- **Kept logs**, files of clicks, and past bundles in the CDK's bucket are storage, too.

Everything else is paid by the call: there is no provisioned concurrency, no VPC and no cache.
`;

/** The cost of storing a million clicks for as long as the table keeps them. */
const storedClicks = (price: Price): string => priceOf((clickBytes / 1e3) * (recordDays / 30), price).toFixed(2);

/** The operations in the page. All are in the data. */
const shown: readonly string[] = [
  'Redirect a visitor, and record the click',
  'Count one click on one link',
  'Count 1,000 clicks on one link',
  'Redirect a visitor of a link with a cap',
  'Create a link',
  '… with a tag and an `Idempotency-Key`',
  'Get a link',
  'List 50 links',
  'List 50 of 100 links by their clicks, of 5,000 that are in no file yet',
  'Update a link, but not its tags',
  'Delete a link',
  'Import 1,000 links',
  'Delete 1,000 links in bulk',
  'Count the clicks of a link over 30 days, of 1,500 that are in no file yet',
  'Look up an API key, and record its use',
  'Record a change of a link in the history',
];

const millionSection = (measured: readonly Measured[]): string => `## What a million of each costs

Units are what DynamoDB reports, the index included: one to write 1 kB, or two in a transaction, and one to read 4 kB
consistently. The last column is in dollars, for gateway, function, table, logs and traces.

| operation | calls | read units | write units | a million |
|---|--:|--:|--:|--:|
${shown.map((name) => row(...unitCells(named(measured, name)), dollars(totalOf(named(measured, name))))).join('\n')}

**A million redirects, recorded and counted,** cost ${countedInBursts(measured, 'Redirect a visitor, and record the click')}, and ${countedInBursts(measured, '… if the function knows that the cap has clicks left')} if the link has a cap. That is for bursts:
batches of 1,000 clicks on one link, and functions that redirect several visitors of a capped link. Otherwise, capped ones cost
${countedInBursts(measured, 'Redirect a visitor of a link with a cap')}.

${deliveries(measured)}

**A million calls of a [tool](agents.md)** cost ${toolCall()} for \`/mcp\`, and what their requests to the API cost. A change by
a filter also lists what the filter finds, 100 links a page.
`;

/** An assumption: how long the function of the tools runs for a call, in milliseconds, mostly waiting for the API. */
const toolMs = 60;

/** What a million requests of `/mcp` cost, without those to the API. */
function toolCall(): string {
  const { restRequest, invocation, loggedGigabyte, trace } = prices;
  const running = invocation.usd + priceOf(1e6 * gigabyteSeconds(512, toolMs), prices.gigabyteSecond);
  return `$${dollars(restRequest.usd + running + loggedGigabyte.usd + trace.usd)}`;
}

/** The units that a click writes, alone and with others. */
function clickWrites(measured: readonly Measured[]): { readonly alone: number; readonly together: string } {
  const [visit, alone, many] = [
    'Redirect a visitor, and record the click',
    'Count one click on one link',
    'Count 1,000 clicks on 100 links',
  ].map((name) => named(measured, name).writes);
  const sum = (writes: Readonly<Record<string, number>> = {}, ...kinds: readonly string[]) =>
    kinds.reduce((all, kind) => all + (writes[kind] ?? 0), 0);
  return {
    alone: sum(visit, 'CLICK') + sum(alone, 'TAIL', 'COUNT'),
    together: (sum(many, 'TAIL') / 1_000).toLocaleString('en-US', { maximumFractionDigits: 2 }),
  };
}

function dearerSection(measured: readonly Measured[]): string {
  const { alone, together } = clickWrites(measured);
  return `## What costs more

- **Clicks that come one by one.** One that is counted alone takes ${alone} write units.
  Every five minutes, a note of its workspace takes one more. Of 1,000 together, a row takes some ${together} units, and each link a read of its counter and a
  write. A batch has the clicks of a second, 1,000 at most.
- **Caps.** A capped visit takes a read less if the function saw in the last minute that clicks are left. Without a cap and a password, it takes no read if the function
  [remembers](visitors.md#when-a-change-takes-effect) the link.
- **Tags, external ids, a first cap** are written in transactions.
- **An \`Idempotency-Key\`** of an import records its result, at one unit for 14 links, and a lease, at one every 1.5 seconds.
- **Many hosts.** An import reads one unit for each distinct host.
- **Cloaking.** A change takes one more write unit, and the time of a [check](visitors.md#cloaked-links): $${priceOf(1e6 * gigabyteSeconds(wholeProcessorMb, 1_500), prices.gigabyteSecond).toFixed(0)} a million.
- **Changes.** Each is also [recorded in the history](#what-a-million-of-each-costs); deletions of tags, templates and domains take three write units.
- **Keys in use.** Each takes a read and a write unit a minute: some 45,000 of each a month at most.
- **Running functions.** Each reads a visitor's host and the [blocked destinations](aws.md#sizes-and-rates) about once
  a minute: one unit for 4 kB.
`;
}

const mostSection = (most: readonly Counted[]): string => `## The most that a request takes

With the largest possible links, some 43 kB. The [data](cost/operations.csv) has more of these.

| operation | calls | read units | write units |
|---|--:|--:|--:|
${most
  .filter(({ read, write }) => read + write > 210)
  .map((one) => row(...unitCells(one)))
  .join('\n')}

- A bulk change takes the same for each link, up to 1,000: 20 times these rows, if its time suffices.
- A list reads each distinct tag of its links once: 2,000 units, if 100 links have 20 different ones each.
- A search stops at the first 100 links that bring it to 500 units, and reads what it found again.
- A sorted page also calls S3: a million first pages list files and keep their order for $10, later ones read it for $0.40.
- Statistics by tag stop at [their limit](api/README.md#limits). A tail takes 2,000 units at most.
- A page of 5,000 tags takes 300 to 460 units, or 1,450 if each has the longest name.
`;

const workspaceSection = `## How much one workspace can do at a time

A workspace can use up [what a partition of DynamoDB takes](aws.md#sizes-and-rates). What is refused is retried for as
long as the request has time. Its [rate limits](api/README.md#limits) may be lower.

| what | units | so at most |
|---|---|---|
| creations of links | one in the index of the workspace's links | 1,000 a second: three imports at once take two to three seconds |
| links that get or lose tags | two for each tag's count, in 8 partitions by tag | about 4,000 tags a second |
| … the same tag | two for each link, in the tag's partition | 500 links a second: three imports take 11 to 14 seconds, within their time |
| … one at a time | one transaction at a time for the tag's count | 100 creations a second, some of which wait for 2 to 4 seconds; at 30, for at most 0.1 |
| creations with an \`Idempotency-Key\` | four in the workspace's partition | 250 a second |
| \`GET /tags\` with 5,000 tags | 57 for each page, in each of 8 partitions | 50 a second |

The times are those of \`npx node tools/bench/busy-workspaces.ts\`: the functions' own code in simulated time, with calls of
5 ms, and transactions that hold their items for another 5 to 10 ms. To replace 20 tags of 200 links in bulk takes 2.5
seconds there; of 1,000 links, some 12.
`;

function changesSection(): string {
  const millisecond = (memoryMb: number) => priceOf(1e6 * gigabyteSeconds(memoryMb, 1), prices.gigabyteSecond).toFixed(4);
  const all = Object.values<Price>(prices);
  const own = all.filter(({ dated }) => dated.startsWith("AWS's own")).length;
  return `## What would change these figures

- **Milliseconds.** One more for each call costs $${millisecond(512)} a million with 512 MB, and $${millisecond(wholeProcessorMb)} with 1,769 MB.
  - Those of visits come from \`${durations.writtenBy}\`: ${cpu('plain')} ms of a processor, ${cpu('capped')} or ${cpu('cappedAgain')} with a cap,
    stretched to ${durations.memoryMb} MB, and ${durations.waitMs} ms for each response of DynamoDB, an assumption.
  - Those of counting come from \`${batches.writtenBy}\`: 1,000 clicks take ${Math.ceil(batches.batches['one link'].ms)} ms on one link, and
    ${count(Math.ceil(batches.batches['1,000 links'].ms))} on 1,000.
  - The others are some four times what \`npm run bench\` shows for a warm function on a laptop.
- **Starts of functions**, which [AWS bills](https://aws.amazon.com/blogs/compute/aws-lambda-standardizes-billing-for-init-phase/):
  $${dollars(priceOf(1e6 * gigabyteSeconds(512, 300), prices.gigabyteSecond))} for a million of 300 ms, an assumption. Typically, less than 1 % of invocations start one.
- **Lambda's own lines in the log.** We assume ${count(loggedBytes)} bytes for each invocation, and none for visits that succeed. To keep
  them for the three months of \`prod\` costs $${dollars(3 * priceOf(loggedBytes / 1e3, prices.storedLogGigabyte))} a million.
- **Traces.** The table has one for each request to the API. [X-Ray
  records](https://docs.aws.amazon.com/xray/latest/devguide/xray-console-sampling.html) the first request of each second and
  5 % of the rest: close to $${dollars(prices.trace.usd / 20)} a million, instead of $${dollars(prices.trace.usd)}, if there are many. With \`tracing: all\`, visits pay, too.
- **Prices.** Of ${all.length}, AWS's own pages gave us ${own}, and others quote the rest.
- **Real partitions.** AWS splits busy ones, and its latency differs from the simulation's.
`;
}
