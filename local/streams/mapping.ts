import type { Functions } from '../functions/functions.ts';
import type { Resource } from '../template/template.ts';
import type { BatchRules, StreamRecord } from './batch.ts';
import { eventFilter } from './filter.ts';

/** An event source mapping's properties in the template. */
export type MappingProperties = {
  readonly EventSourceArn: string;
  readonly FunctionName: string;
  readonly StartingPosition?: string;
  readonly Enabled?: boolean;
  readonly BatchSize?: number;
  readonly BisectBatchOnFunctionError?: boolean;
  readonly DestinationConfig?: { readonly OnFailure?: { readonly Destination: string } };
  readonly FilterCriteria?: { readonly Filters?: readonly { readonly Pattern: string }[] };
  readonly FunctionResponseTypes?: readonly string[];
  readonly MaximumBatchingWindowInSeconds?: number;
  readonly MaximumRecordAgeInSeconds?: number;
  readonly MaximumRetryAttempts?: number;
  readonly ParallelizationFactor?: number;
  readonly ScalingConfig?: { readonly MaximumConcurrency?: number };
  readonly TumblingWindowInSeconds?: number;
};

/** How the changes of a table are delivered to a function. */
export type Mapping = {
  readonly name: string;
  readonly sourceArn: string;
  readonly functionArn: string;
  readonly startingPosition: string;
  readonly batchSize: number;
  /** How long a batch waits for more records. */
  readonly batchWindowMs: number;
  /** The length of a tumbling window; 0 if the mapping has none. */
  readonly tumblingMs: number;
  /** Whether the function's result names the records that failed. */
  readonly reportsFailures: boolean;
  readonly passes: (record: StreamRecord) => boolean;
  readonly rules: BatchRules;
  /** The ARN of the queue that gets a message when records are given up. */
  readonly destination: string | undefined;
};

/**
 * Reads an event source mapping, with AWS's defaults
 * (https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-params.html).
 *
 * @throws Error for a mapping that the local host does not support.
 */
export function readMapping({ name, properties }: Resource<MappingProperties>, functions: Functions): Mapping {
  if ((properties.ParallelizationFactor ?? 1) !== 1) {
    throw new Error(`the local host does not support a ParallelizationFactor over 1 (${name})`);
  }
  const unlimited = (value = -1) => (value < 0 ? Number.POSITIVE_INFINITY : value);
  return {
    name,
    sourceArn: properties.EventSourceArn,
    functionArn: functions.arnOf(properties.FunctionName),
    startingPosition: properties.StartingPosition ?? '',
    batchSize: properties.BatchSize ?? 100,
    batchWindowMs: (properties.MaximumBatchingWindowInSeconds ?? 0) * 1_000,
    tumblingMs: (properties.TumblingWindowInSeconds ?? 0) * 1_000,
    reportsFailures: properties.FunctionResponseTypes?.includes('ReportBatchItemFailures') ?? false,
    passes: eventFilter(properties.FilterCriteria?.Filters?.map(({ Pattern }) => Pattern) ?? []),
    rules: {
      bisect: properties.BisectBatchOnFunctionError ?? false,
      maxRetries: unlimited(properties.MaximumRetryAttempts),
      maxAgeMs: unlimited(properties.MaximumRecordAgeInSeconds) * 1_000,
    },
    destination: properties.DestinationConfig?.OnFailure?.Destination,
  };
}
