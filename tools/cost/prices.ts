/** A price in US dollars, and where it was found. */
export type Price = {
  readonly usd: number;
  /** The number of units that the price is for. */
  readonly per: 1 | 1_000_000;
  readonly of: string;
  readonly source: string;
  /** Who states the price, and when. */
  readonly dated: string;
};

/** The region of these prices, and the day on which they were looked up in stored copies of the sources. */
export const region = 'us-east-1 (N. Virginia)';
export const lookedUp = '2026-11-22';

/**
 * The first tier of each price, without free allowances. AWS's own pages fill in their figures by script, so some
 * stored copies have none. For those, the source is another site that quotes the price.
 */
export const prices = {
  httpRequest: {
    usd: 1,
    per: 1_000_000,
    of: 'requests to an HTTP API',
    source:
      'https://docs.aws.amazon.com/pt_br/whitepapers/latest/best-practices-api-gateway-private-apis-integration/cost-optimization.html',
    dated: "AWS's own, undated",
  },
  restRequest: {
    usd: 3.5,
    per: 1_000_000,
    of: 'requests to a REST API',
    source:
      'https://docs.aws.amazon.com/pt_br/whitepapers/latest/best-practices-api-gateway-private-apis-integration/cost-optimization.html',
    dated: "AWS's own, undated, names no region",
  },
  invocation: {
    usd: 0.2,
    per: 1_000_000,
    of: 'invocations of functions',
    source: 'https://git.mcrn.ar/mariano/lambda_local_runner/src/branch/main/docs/lambdas-md/lambda-13-cost.md',
    dated: 'quoted by others, 2026-05-11',
  },
  gigabyteSecond: {
    usd: 0.0000133334,
    per: 1,
    of: 'gigabyte-second of a function on arm64',
    source: 'https://cloudchipr.com/blog/aws-lambda-pricing',
    dated: 'quoted by others, 2024',
  },
  readUnit: {
    usd: 0.125,
    per: 1_000_000,
    of: 'read request units on demand',
    source: 'https://airbyte.com/data-engineering-resources/dynamodb-pricing',
    dated: 'quoted by others, 2025-07-21',
  },
  writeUnit: {
    usd: 0.625,
    per: 1_000_000,
    of: 'write request units on demand',
    source: 'https://airbyte.com/data-engineering-resources/dynamodb-pricing',
    dated: 'quoted by others, 2025-07-21',
  },
  storedGigabyte: {
    usd: 0.25,
    per: 1,
    of: "gigabyte in a table for a month (AWS: 'from')",
    source: 'https://aws.amazon.com/dynamodb/pricing/',
    dated: "AWS's own, undated, names no region",
  },
  recoverableGigabyte: {
    usd: 0.2,
    per: 1,
    of: 'gigabyte with point-in-time recovery for a month',
    source: 'https://finops.com.py/services/dynamodb/backups',
    dated: 'quoted by others, undated',
  },
  sentGigabyte: {
    usd: 0.09,
    per: 1,
    of: 'gigabyte that leaves AWS',
    source: 'https://www.usage.ai/blogs/aws/networking-cost/data-transfer-costs/',
    dated: 'quoted by others, 2026-06-02',
  },
  backedUpGigabyte: {
    usd: 0.1,
    per: 1,
    of: 'gigabyte in a backup of a table for a month',
    source: 'https://finops.com.py/services/dynamodb/backups',
    dated: 'quoted by others, undated',
  },
  copiedGigabyte: {
    usd: 0.02,
    per: 1,
    of: 'gigabyte of backups copied to another region',
    source: 'https://www.factualminds.com/blog/aws-backup-pricing-vaults-cross-region-restores/',
    dated: 'quoted by others, 2026-06-13',
  },
  alarm: {
    usd: 0.1,
    per: 1,
    of: "alarm's metric for a month",
    source: 'https://c3x.dev/resources/aws/aws_cloudwatch_metric_alarm',
    dated: 'quoted by others, undated',
  },
  compositeAlarm: {
    usd: 0.5,
    per: 1,
    of: 'alarm that sums up others for a month',
    source: 'https://c3x.dev/resources/aws/aws_cloudwatch_metric_alarm',
    dated: 'quoted by others, undated',
  },
  metric: {
    usd: 0.3,
    per: 1,
    of: 'metric of our own for a month',
    source: 'https://signoz.io/guides/cloudwatch-pricing',
    dated: 'quoted by others, 2026-02-15',
  },
  webAcl: {
    usd: 5,
    per: 1,
    of: 'web ACL for a month',
    source: 'https://c3x.dev/blog/aws-waf-cost-explained/',
    dated: 'quoted by others, undated',
  },
  webAclRule: {
    usd: 1,
    per: 1,
    of: 'rule of a web ACL for a month',
    source: 'https://c3x.dev/blog/aws-waf-cost-explained/',
    dated: 'quoted by others, undated',
  },
  webAclRequest: {
    usd: 0.6,
    per: 1_000_000,
    of: 'requests that a web ACL looks at',
    source: 'https://c3x.dev/blog/aws-waf-cost-explained/',
    dated: 'quoted by others, undated',
  },
  dashboard: {
    usd: 3,
    per: 1,
    of: 'dashboard for a month',
    source: 'https://signoz.io/guides/cloudwatch-pricing',
    dated: 'quoted by others, 2026-02-15',
  },
  loggedGigabyte: {
    usd: 0.5,
    per: 1,
    of: "gigabyte of functions' logs ingested",
    source: 'https://www.duckbillgroup.com/?p=9080',
    dated: 'quoted by others, prices from 2025-05-01',
  },
  storedLogGigabyte: {
    usd: 0.03,
    per: 1,
    of: 'gigabyte of logs kept for a month',
    source: 'https://c3x.dev/blog/cloudwatch-logs-cost-optimization',
    dated: 'quoted by others, 2026-06',
  },
  hostedZone: {
    usd: 0.5,
    per: 1,
    of: 'zone of Route 53 for a month',
    source:
      'https://raw.githubusercontent.com/api-evangelist/amazon-route53-resolver/refs/heads/main/plans/amazon-route53-resolver-plans-pricing.yml',
    dated: 'quoted by others, 2026-09-20',
  },
  dnsQuery: {
    usd: 0.4,
    per: 1_000_000,
    of: 'queries to a zone of Route 53',
    source:
      'https://raw.githubusercontent.com/api-evangelist/amazon-route53-resolver/refs/heads/main/plans/amazon-route53-resolver-plans-pricing.yml',
    dated: 'quoted by others, 2026-09-20',
  },
  queueCall: {
    usd: 0.4,
    per: 1_000_000,
    of: 'calls of an SQS queue',
    source: 'https://cloudburn.io/blog/amazon-sqs-pricing',
    dated: 'quoted by others, 2026-03-14',
  },
  trace: {
    usd: 5,
    per: 1_000_000,
    of: 'traces recorded',
    source: 'https://aws.amazon.com/de/xray/pricing/',
    dated: "AWS's own, undated, names no region",
  },
} as const satisfies Record<string, Price>;
