// AWS's limits, for the simulations. Each number has its source; those that AWS does not publish are marked as
// assumptions.

/** Units a second of a table, an index or a partition. */
export type Units = { readonly read: number; readonly write: number };

export const dynamoDb = {
  /**
   * The throughput of one partition. An index has partitions of its own.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html
   */
  partition: { read: 3_000, write: 1_000 },
  /**
   * The initial throughput of a new table or index.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput-scenarios.html
   */
  newTable: { read: 12_000, write: 4_000 },
  /**
   * A table takes twice its previous peak at once. More than that within 30 minutes may be throttled.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html
   */
  doublesWithinMs: 30 * 60_000,
  /**
   * The most throughput of a table, and likewise of each index, unless AWS raises the quota.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html#default-limits-throughput
   */
  tableQuota: { read: 40_000, write: 40_000 },
  /**
   * The burst capacity of an idle partition, in milliseconds of its rate: an assumption. AWS keeps up to 300 seconds,
   * on a best-effort basis, and says not to rely on it; the limit of one second remains.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html
   */
  burstMs: 1_000,
  /** How long a call takes, there and back, in milliseconds: an assumption. */
  callMs: 5,
  /** How much longer a transaction holds its items, in milliseconds: an assumption. */
  holdMs: { least: 5, most: 10 },
} as const;

export const lambda = {
  /**
   * Concurrent executions of all functions of an account in a region, unless AWS raises the quota. A new account has
   * fewer. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
   */
  executions: 1_000,
  /**
   * Synchronous requests a second, for each execution that the account may have. So 1,000 executions serve 10,000 a
   * second, however short they are. https://docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html
   */
  requestsPerExecution: 10,
  /**
   * How many executions a function may start in 10 seconds. Unused starts are not saved up.
   * https://docs.aws.amazon.com/lambda/latest/dg/scaling-behavior.html
   */
  startsPerTenSeconds: 1_000,
  /** How long the redirect takes to start, in milliseconds: an assumption. */
  startMs: 250,
} as const;

/** How Lambda polls a queue. Only the limit of messages is documented; the rest are assumptions. */
export const sqs = {
  /** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ReceiveMessage.html */
  messagesPerCall: 10,
  callMs: 10,
  /** How long a poller waits after it has found nothing, or could not start the function, in milliseconds. */
  pollMs: 250,
  /** How long `SendMessage` takes, and the first call in an environment, which also loads the client. */
  sendMs: 10,
  firstSendMs: 150,
} as const;

export const stream = {
  /**
   * How often Lambda polls a shard that had no records, in milliseconds.
   * https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html
   */
  pollMs: 250,
} as const;
