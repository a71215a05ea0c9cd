/*
 * What AWS allows, for the simulations. Each number has its source; what AWS does not publish is an assumption, and says so.
 */

/** Of a table, an index or a partition, a second. */
export type Units = { readonly read: number; readonly write: number };

export const dynamoDb = {
  /**
   * What one partition takes. An index has partitions of its own.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html
   */
  partition: { read: 3_000, write: 1_000 },
  /**
   * What a new table, or a new index, takes at first.
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
   * What a table takes at most, and likewise each index, unless AWS raises the quota.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html#default-limits-throughput
   */
  tableQuota: { read: 40_000, write: 40_000 },
  /**
   * How much an idle partition has saved up, in milliseconds of its rate: an assumption. AWS keeps up to 300 seconds, on a
   * best-effort basis, and says not to rely on it; what a partition takes in one second remains its limit.
   * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html
   */
  burstMs: 1_000,
  /** How long a call takes, there and back, in milliseconds: an assumption. */
  callMs: 5,
  /** How long a transaction holds its items, besides that, in milliseconds: an assumption. */
  holdMs: { least: 5, most: 10 },
} as const;

export const lambda = {
  /**
   * Executions at a time, of all functions of an account in a region, unless AWS raises the quota. A new account has fewer.
   * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
   */
  executions: 1_000,
  /**
   * Synchronous requests a second, for each execution that the account may have. So 1,000 executions serve 10,000 a second,
   * however short they are. https://docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html
   */
  requestsPerExecution: 10,
  /**
   * How many executions a function may start in 10 seconds. What is not used is not saved up.
   * https://docs.aws.amazon.com/lambda/latest/dg/scaling-behavior.html
   */
  startsPerTenSeconds: 1_000,
  /** How long the redirect takes to start, in milliseconds: an assumption. */
  startMs: 250,
} as const;

/** How Lambda polls a queue: assumptions, because AWS does not say. A call receives ten messages at most, which is documented. */
export const sqs = {
  /** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ReceiveMessage.html */
  messagesPerCall: 10,
  callMs: 10,
  /** How long a poller waits after it has found nothing, or may not start the function, in milliseconds. */
  pollMs: 250,
  /** How long `SendMessage` takes, and the first time in an environment, with the client that is loaded then. */
  sendMs: 10,
  firstSendMs: 150,
} as const;

export const stream = {
  /**
   * How often Lambda looks for records in a shard that had none, in milliseconds.
   * https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html
   */
  pollMs: 250,
} as const;
