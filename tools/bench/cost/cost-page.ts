import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bulkChanges, bulkRequests, readsPerRequest } from '../../../lambdas/core/limits.ts';
import { wholeProcessorMb } from '../../../lib/memory.ts';
import { withS3 } from '../support/s3.ts';
import { type Units, unitsOf } from '../support/units.ts';
import batches from './batches.json' with { type: 'json' };
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
/** How many metrics the alarms of a stage look at, without those for certificates. A test counts them. */
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

type Counted = Pick<Operation, 'name' | 'functionName'> & Units;
type Measured = Operation &
  Units & { readonly invocations: number; readonly memoryMb: number; readonly isTraced: boolean; readonly isQuiet: boolean };

/** The properties of a function in the template. */
type FunctionProperties = {
  readonly MemorySize: number;
  readonly TracingConfig: { readonly Mode: string };
  readonly LoggingConfig: { readonly SystemLogLevel?: string };
};

/** The cost of a million operations, in US dollars, by what has to be paid. */
type Cost = { gateway: number; lambda: number; table: number; logs: number; traces: number };

/**
 * Measures every operation, and returns the whole text of docs/cost.md. The text depends only on what the code does, not on
 * the machine.
 *
 * @param outdir the `cdk.out` folder of the synthesised app, for the memory sizes of the functions.
 */
export const costPage = (outdir: string): Promise<string> => withS3(() => measuredPage(outdir));

async function measuredPage(outdir: string): Promise<string> {
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
  return page(measured, most, linkBytes);
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
  amount === 0 ? '' : amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const count = (number: number): string => (number === 0 ? '' : number.toLocaleString('en-US'));
const row = (...cells: (string | number)[]): string => `| ${cells.join(' | ')} |`;

const unitRow = ({ name, functionName, calls, read, write }: Counted) =>
  row(name, `\`${functionName}\``, count(calls), count(read), count(write));

const totalOf = (operation: Measured): number => Object.values(costOf(operation)).reduce((sum, part) => sum + part);

const costRow = (operation: Measured) => {
  const { gateway, lambda, table, logs, traces } = costOf(operation);
  const parts = [gateway, lambda, table, logs, traces].map(dollars);
  return row(operation.name, count(operation.assumedMs), ...parts, dollars(totalOf(operation)));
};

/**
 * The cost of a million visits by the name of their row, recorded and then counted in batches of 1,000 clicks of a
 * link.
 */
function countedInBursts(measured: readonly Measured[], name: string): string {
  const [visit, batch] = [name, '… and count 1,000 clicks on one link'].map((one) => measured.find((row) => row.name === one));
  if (!visit || !batch) throw new Error(`${name} was not measured`);
  return `$${dollars(totalOf(visit) + totalOf(batch) / 1_000)}`;
}

/** The cost of a million operations by the name of their row, one at a time or as a part of a row with so many. */
function millionOf(measured: readonly Measured[], name: string, many = 1): Record<'cost' | 'write', number> {
  const row = measured.find((one) => one.name === name);
  if (!row) throw new Error(`${name} was not measured`);
  return { cost: totalOf(row) / many, write: row.write / many };
}

/** The paragraph about what a million deliveries cost. */
function deliveries(measured: readonly Measured[]): string {
  const of = (name: string, many?: number) => millionOf(measured, name, many);
  const [click, clicks] = [of('Create the delivery of a click for one webhook'), of('… and of 100 clicks at once', 100)];
  const [one, many] = [of('Send one delivery'), of('… and 100 at once to one URL', 100)];
  const change = of('Record a change of a link, and create its delivery for one webhook');
  const recorded = of('Record a change of a link in the history');
  const asked = of('… and start the sender that it asks for');
  const stored = priceOf((deliveryBytes / 1e3) * (deliveryDays / 30), prices.storedGigabyte);
  const sum = (...parts: readonly { readonly cost: number }[]) =>
    `$${dollars(parts.reduce((all, { cost }) => all + cost, stored))}`;
  const units = (...parts: readonly { readonly write: number }[]) =>
    parts.reduce((all, { write }) => all + write, 0).toLocaleString('en-US', { maximumFractionDigits: 1 });
  const run = of('Look for webhooks that are due, if there are none');
  const changed = { cost: change.cost - recorded.cost };
  // The sender reads the item that asked for it, and removes it.
  const removal = { cost: priceOf(1e6, prices.readUnit) + priceOf(1e6, prices.writeUnit) };
  return `**A million deliveries of clicks** cost ${sum(click, one)} if each comes alone, and ${sum(clicks, many)} if they come 100 at a time for one URL:

| | alone | 100 at a time |
|---|--:|--:|
${row('to create them', `$${dollars(click.cost)}`, `$${dollars(clicks.cost)}`)}
${row('to send them', `$${dollars(one.cost)}`, `$${dollars(many.cost)}`)}
${row(`to store some ${count(deliveryBytes)} bytes for each, for ${deliveryDays} days`, `$${dollars(stored)}`, `$${dollars(stored)}`)}
${row('write units of each', units(click, one), units(clicks, many))}

Reading the stream is free, and so is the removal of expired items. A million changes of links cost ${sum(changed, asked, one, removal)} more
if each is reported to one webhook, because each change writes an item that asks for a sender. A further attempt costs
about as much as the first. While a webhook is due, a schedule looks each minute: at most $${dollars((run.cost / 1e6) * hoursAMonth * 60)} a month. Each
delivery also sends about 1 kB out of AWS.`;
}

/** The measured processor time of a visit, in milliseconds. */
const cpu = (visit: keyof typeof durations.laterVisits): string => durations.laterVisits[visit].cpuMs.toFixed(1);

const priceRow = ({ usd, per, of, source, dated }: Price) => row(`${count(per)} ${of}`, usd, source, dated);

/** What it costs in a month to poll the queue of clicks that wait: five pollers, each for 20 seconds at a time. */
const pollingCost = priceOf((hoursAMonth * 3_600 * 5) / 20, prices.queueCall);

/** What the schedules cost in a month. */
function idleCost(measured: readonly Measured[]): number {
  const schedules = ['restart-sweeps', 'check-domains', 'start-senders', 'seal-clicks'].map((name) =>
    measured.findLast(({ functionName }) => functionName === name),
  );
  return schedules.reduce((sum, schedule) => {
    if (!schedule) throw new Error('a schedule was not measured');
    const { lambda, table, logs } = costOf(schedule);
    return sum + ((lambda + table + logs) / 1e6) * hoursAMonth;
  }, 0);
}

function page(measured: readonly Measured[], most: readonly Counted[], linkBytes: number): string {
  const costs = (name: string) => {
    const operation = measured.find((one) => one.name === name);
    if (!operation) throw new Error(`${name} was not measured`);
    return { cost: totalOf(operation), table: costOf(operation).table };
  };
  const idle = idleCost(measured);
  const watched = watching(alarmedMetrics, dashboardMetrics);
  return `# What it costs

\`npm run cost\` writes this page. It runs the functions' own code on the embedded engine and counts calls and units; a
test fails if the page differs from what it counts. Prices are in US dollars, for ${region}, looked up on
${lookedUp}; [the last table](#prices) has their sources. They do not include free allowances, taxes or data that
leaves AWS.

${unitsSection(measured)}
${mostSection(most)}
${workspaceSection}
${millionSection(measured)}
${toolSection()}
${idleSection(idle)}
${settingsSection(watched)}
${monthsSection(costs, { link: linkBytes, click: clickBytes }, idle + pollingCost, { always: watched.alarms + watched.dashboard, perVisit: watched.perVisit })}
## Prices

| | US dollars | source | |
|---|--:|---|---|
${Object.values(prices).map(priceRow).join('\n')}
`;
}

/** What a click writes. */
function clickSection(measured: readonly Measured[]): string {
  const writesOf = (name: string) => {
    const operation = measured.find((one) => one.name === name);
    if (!operation) throw new Error(`${name} was not measured`);
    return operation.writes;
  };
  const [visit, alone, many] = [
    writesOf('Redirect a visitor, and record the click'),
    writesOf('… and count one click on one link'),
    writesOf('… and count 1,000 clicks on 100 links'),
  ];
  const sum = (writes: Readonly<Record<string, number>>, ...kinds: readonly string[]) =>
    kinds.reduce((all, kind) => all + (writes[kind] ?? 0), 0);
  const [record, row, counter] = [sum(visit, 'CLICK'), sum(alone, 'TAIL'), sum(alone, 'COUNT')];
  const each = (sum(many, 'TAIL') / 1_000).toLocaleString('en-US', { maximumFractionDigits: 2 });
  return `- A click that is counted alone takes ${record + row + counter + 1} write units: ${record} to record it, ${row} for its row, ${counter} for its link's counter, and one to
  note that its workspace has a tail, which a function writes every five minutes at most. Of 1,000 clicks that are counted
  together, a row takes some ${each} units.`;
}

const unitsSection = (measured: readonly Measured[]): string => `## Calls and units of each operation

The units are what DynamoDB reports for each call (\`ConsumedCapacity\`), including the index. Writing an item of up to
1 kB takes one unit, or two in a transaction. Reading up to 4 kB consistently takes one. The import's links are those of
\`examples/links-1000.json\`.

| operation | function | calls | read units | write units |
|---|---|--:|--:|--:|
${measured.map(unitRow).join('\n')}

- An import, or an update of the destination, looks up each distinct host once, to check that it is not a short domain
  of the service. That takes one unit per host, which is most of what an import reads.
- An import with an \`Idempotency-Key\` records its result, which takes about one unit for every 14 links. While it runs,
  it renews its lease every 1.5 seconds, at one unit each, which is not in the table.
${clickSection(measured)}
- Clicks are counted in batches of up to 1,000, or of one second. Each link in a batch takes half a unit to read its
  counter, and one to write it. Not in the table: every 15 minutes in which a shard of the stream had clicks end with one
  more invocation. If a counter has marks of five shards or more, a batch takes one more unit for its checkpoint. If the
  stream has 36 shards, a click that is counted alone takes 2.4 units for its link's counter on average, with all that
  removes marks.
- A visit of a capped link takes two write units, one to count against the cap and one for the click, and three reads: of
  the link, of the cap, and of the link again. If the function has seen within the last minute that the cap had clicks
  left, it does not read the cap. A visit of a used-up link takes two reads, and also a refused write if its function
  still expects that there are clicks left.
- A visit of a link without a password or a cap takes no read unit if the function has read the link within the last
  second.
- Each running function looks up a visitor's host once a minute. Each running function that serves visitors or accepts
  destinations reads the list of blocked destinations every 50 seconds, at one unit for every 4 kB of names: 26 for 4,000
  names of 26 characters, and at most 45. That is not in the table.
- A change that cloaks links, or changes the destinations of cloaked links, takes one more write unit. It also takes 1.5
  seconds of its function for every 50 destinations that it asks: $${priceOf(1e6 * gigabyteSeconds(wholeProcessorMb, 1_500), prices.gigabyteSecond).toFixed(0)} a million with 1,769 MB.
- A change of a link, tag, domain or key becomes an entry of the history: two write units, one of them for the index, and
  its part of a batch of 2 seconds. Deletions of tags and domains take three, in their transactions. Changes that are not
  entries, such as the count of a tag or the use of a key, invoke the function too, but at most every 2 seconds.
- A key in use is looked up about once a minute, because the gateway caches it for 60 seconds. Its use is recorded each
  time: at most some 45,000 units in a month of 31 days. A write that is refused because another one came first takes a
  unit as well.
`;

const mostSection = (most: readonly Counted[]): string => `## The most that a request takes

The same operations, with links as large as they can be, some 43 kB: with five webhooks, 8 kB of rules, and the longest
description, title, image and URLs.

| operation | function | calls | read units | write units |
|---|---|--:|--:|--:|
${most.map(unitRow).join('\n')}

- A bulk update or deletion takes the same for each link, up to 1,000 links. If its time suffices for all of them, that
  is 20 times these rows.
- A list reads each distinct tag of its links once. If 100 links have 20 tags each, and all are different, that is 2,000
  units.
- A search stops at the first batch of 100 links that brings it to 500 units. The links that it found are read again, as
  a list would read them.
- Statistics and rankings by tag stop once they have taken ${readsPerRequest.units.toLocaleString('en-US')} units to find the links with it. A tail, which they read each
  time, has some 8 MB at most, which take 2,000 units; a workspace with 100,000 clicks a month has some 500 kB in it.
- A page of the list of a workspace's 5,000 tags takes some 300 to 460 units, or 1,450 if each has the longest name.
- A function that has just started reads the list of blocked destinations: at most 45 units.
- A workspace may send 100 requests a second, and 10 of each kind of list (\`requestRate\` of the stage). It may send ${bulkRequests.quota}
  imports a minute, and ${bulkChanges.quota} bulk updates and deletions.
`;

const workspaceSection = `## How much one workspace can do at a time

A partition of DynamoDB takes 1,000 write units and provides 3,000 read units a second ([sources](aws.md#dynamodb)). These
are the partitions that one workspace can fill. Whatever is refused there is retried for as long as the request has time.

| what | where it is written or read | so at most |
|---|---|---|
| creations of links | one unit in the index of the workspace's links | 1,000 a second. An import of 1,000 links takes all of a second, and three at once take two to three seconds |
| links that get or lose tags | two units for each tag's count, in 8 partitions by tag | about 4,000 tags a second, such as 100 creations with 20 tags each |
| … the same tag | two units for each link, in the tag's own partition | 500 links a second. Three imports of 1,000 links with the same tag take 11 to 14 seconds of the 20 that they have |
| … one at a time | the tag's count is one item, which only one transaction changes at a time | 100 creations a second with the same tag pass, but some wait for 2 to 4 seconds. At 30 a second, none waits for more than 0.1 seconds |
| requests with an \`Idempotency-Key\`, bulk requests, names of tags | the workspace's own partition, four units for a creation | 250 creations a second, more than a workspace may send |
| \`GET /tags\` | all tags, in 8 partitions | with 5,000 tags, each page takes some 57 units of each partition: 50 lists a second, and 10 are allowed |

The times are those of \`node tools/bench/busy-workspaces.ts\`. It runs the functions' own code in simulated time, with
DynamoDB's limits, calls of 5 ms, and transactions that hold their items for another 5 to 10 ms. In that simulation, a bulk
update that replaces 20 tags of 200 links by 20 others takes 2.5 seconds. Transactions of one request run one after
another, so 1,000 such links take some 12 seconds. AWS's real latency would change these figures, and so would
partitions that DynamoDB splits because they are busy.
`;

function millionSection(measured: readonly Measured[]): string {
  const millisecond = (memoryMb: number) => priceOf(1e6 * gigabyteSeconds(memoryMb, 1), prices.gigabyteSecond).toFixed(4);
  return `## What a million of each costs

| operation | assumed ms | gateway | functions | table | logs | traces | together |
|---|--:|--:|--:|--:|--:|--:|--:|
${measured.map(costRow).join('\n')}

**A million redirects, recorded and counted,** cost ${countedInBursts(measured, 'Redirect a visitor, and record the click')}, and ${countedInBursts(measured, '… if the function knows that the cap has clicks left')} if the link has a cap. That is for clicks that come
in bursts, so that a batch has 1,000 of one link, and each function redirects several visitors of a capped link.
Visitors of capped links that a function has not seen within the last minute cost ${countedInBursts(measured, 'Redirect a visitor of a link with a cap')} a million.

${deliveries(measured)}

**Nobody has measured the milliseconds on AWS.** Those of visits come from \`node tools/bench/memory.ts --keep\`: the processor
time of a warm function on our machine (${cpu('plain')} ms, and ${cpu('capped')} or ${cpu('cappedAgain')} with a cap), as long as it takes on the share of a
processor that ${durations.memoryMb} MB give, and ${durations.waitMs} ms for each response of DynamoDB, which is an assumption. Those of counting come
in the same way from \`${batches.writtenBy}\`: with ${count(batches.memoryMb)} MB, 1,000 clicks take
${Math.ceil(batches.batches['one link'].ms)} ms if all are on one link, and ${count(Math.ceil(batches.batches['1,000 links'].ms))} if each is on another. The others are assumptions:
some four times what \`npm run bench\` shows for a warm function on a laptop, such as 4 ms for getting a tag, 7 for
creating one, and 300 for an import of 1,000 links. Put in your own: one more millisecond per call costs $${millisecond(512)} a
million with 512 MB, and $${millisecond(wholeProcessorMb)} with 1,769 MB. Since 2025-08-01, AWS also bills the start of a function
(https://aws.amazon.com/blogs/compute/aws-lambda-standardizes-billing-for-init-phase/), which is not in the table. If a
start takes 300 ms, an assumption, a million starts cost $${priceOf(1e6 * gigabyteSeconds(512, 300), prices.gigabyteSecond).toFixed(2)} with 512 MB. AWS says that
typically less than 1 % of invocations start a function.

**Logs** are assumed to be ${count(loggedBytes)} bytes per invocation, all of them Lambda's own. The redirect's log level suppresses
them for visits that succeed. Storing logs for as long as the stage says is not in the table: \`prod\` keeps them for three
months, which costs $${(3 * priceOf(loggedBytes / 1e3, prices.storedLogGigabyte)).toFixed(2)} for a million invocations, if AWS counts all of these bytes.

**Traces** are at most what the table says, with the default of the stage setting \`tracing\`: requests to the API only.
With \`all\`, a million visits cost up to $${prices.trace.usd} more, and so do invocations by the stream and the schedules. X-Ray records
the first request of each second and 5 % of the rest
(https://docs.aws.amazon.com/xray/latest/devguide/xray-console-sampling.html). That is every request of a service that
gets one a second, and close to $0.25 a million for one that gets very many. A sampling rule of the account lowers it.
`;
}

/** Assumption: how long the function of the tools runs for a call, in milliseconds. Most of it is the wait for the API. */
const toolMs = 60;

function toolSection(): string {
  const gateway = prices.restRequest.usd;
  const running = prices.invocation.usd + (toolMs / 1_000) * (512 / 1_024) * prices.gigabyteSecond.usd * 1e6;
  const lines = prices.loggedGigabyte.usd;
  const traces = prices.trace.usd;
  const usd = (amount: number) => `$${amount.toFixed(2)}`;
  return `## What a call of a tool costs

A [tool for language models](agents.md) calls the API, so a call is two requests: that of the API, as in the table above,
and one of \`/mcp\`. A million of the latter cost ${usd(gateway)} at the gateway, ${usd(running)} for a function that mostly waits (${toolMs} ms
at 512 MB), ${usd(lines)} for Lambda's lines in the log and ${usd(traces)} for traces, if the stage has them: ${usd(gateway + running + lines + traces)}
together. A change by a filter also lists what the filter finds, 100 links a page.
`;
}

const idleSection = (idle: number): string => `## What it costs when nobody calls

Storage, and little else:

- **The two tables** are on demand: without calls, there are no units. Storage costs $${prices.storedGigabyte.usd} per gigabyte and month.
  Point-in-time recovery costs $${prices.recoverableGigabyte.usd.toFixed(2)} more: for Links if the stage keeps its data (\`keepData\`), for Activity by a
  setting of its own (\`backUpActivity\`). A click takes some ${clickBytes} bytes, so a million clicks that are kept for 30 days
  cost $${priceOf(clickBytes / 1e3, prices.storedGigabyte).toFixed(2)}, and $${priceOf(clickBytes / 1e3, prices.recoverableGigabyte).toFixed(2)} more with recovery.
- **The two streams** cost nothing: calls by Lambda are free, and an idle stream is not charged
  (https://docs.amazonaws.cn/en_us/amazondynamodb/latest/developerguide/CostOptimization_StreamsUsage.html).
- **The four schedules**, which look for stalled sweeps, for domains to check, for webhooks that are due and for clicks to
  move into files, run ${hoursAMonth} times a month each, at half a read unit, one, eight and nine and a half. The schedules that send webhooks
  again, and that move clicks, each minute are on only while something is due. That is $${idle.toFixed(4)} together. Each day adds two
  write units, half a read unit, and a list of the bucket. We did not find whether AWS charges for a schedule's events; at
  the $1 a million of custom ones (https://cloudburn.io/blog/amazon-eventbridge-pricing), that is about $0.003 a month.
- **The queue of clicks that wait** is the one exception: Lambda polls it all the time, with five calls every 20 seconds, for
  $${pollingCost.toFixed(2)} a month. AWS gives each account a million calls a month for free, which is more than one stage makes (decision
  [58](decisions/0058-clicks-of-a-flood-wait-in-a-queue.md)).
- **The gateway, the functions, the usage plan and the other queues** are paid by the call. Nothing runs in between: there is
  no provisioned concurrency, no VPC and no cache.
- **Alarms, backups in another region, a dashboard, access logs, a web ACL and warm throughput** exist only if a stage wants them:
  [What each setting costs](#what-each-setting-costs).
- **Logs** that are kept, and the CDK's bucket with the bundles of past deployments, are storage too, and small.
`;
