/** A plan of a hosted service: its price with monthly billing, and its monthly limits. Absent limits are unlimited. */
export type Plan = {
  readonly name: string;
  readonly usd: number;
  readonly newLinks?: number;
  readonly clicks?: number;
  /** The most links that it keeps, however old they are. */
  readonly keptLinks?: number;
};

export type Rival = {
  readonly name: string;
  /** The plans that include your own domain, cheapest first. Above the last plan, the price is negotiated. */
  readonly plans: readonly Plan[];
  readonly source: string;
  /** Who states the prices, and when. */
  readonly dated: string;
  readonly remark?: string;
};

const quotes = 'https://github.com/yocreoquesi/muga/blob/3e9b880aa7fd8042f373801d9af78c2b41131fc3/docs/MUGA-Master-Plan.md';

/** The list prices of hosted services, from stored copies of the sources. */
export const rivals: readonly Rival[] = [
  {
    name: 'Bitly',
    plans: [
      { name: 'Growth', usd: 35, newLinks: 500 },
      { name: 'Premium', usd: 300, newLinks: 3_000 },
    ],
    source: 'https://github.com/api-evangelist/bitly/blob/a885a67d6fa587e0378c268d9591c2da084d92be/plans/bitly-plans-pricing.yml',
    dated: 'quoted by others, 2026-08-13',
    remark:
      'The cheaper plans, Free and Core, do not include your own domain. With yearly billing, Growth is $29 and Premium $199',
  },
  {
    name: 'Short.io',
    plans: [
      { name: 'Free', usd: 0, keptLinks: 1_000, clicks: 50_000 },
      { name: 'Hobby', usd: 5, keptLinks: 2_500, clicks: 100_000 },
      { name: 'Pro', usd: 18 },
    ],
    source: quotes,
    dated: 'quoted by others, 2026-03-23',
    remark:
      'Free, Hobby and Pro are for one user; Team is $48. We did not find out whether "unlimited" includes 500 million clicks',
  },
  {
    name: 'Dub',
    plans: [
      { name: 'Free', usd: 0, newLinks: 25, clicks: 1_000 },
      { name: 'Pro', usd: 30, newLinks: 1_000, clicks: 50_000 },
      { name: 'Pro 2', usd: 60, newLinks: 5_000, clicks: 150_000 },
      { name: 'Business', usd: 90, newLinks: 10_000, clicks: 250_000 },
      { name: 'Business 2', usd: 180, newLinks: 25_000, clicks: 600_000 },
      { name: 'Advanced', usd: 300, newLinks: 50_000, clicks: 1_000_000 },
      { name: 'Advanced 2', usd: 600, newLinks: 150_000, clicks: 2_000_000 },
      { name: 'Advanced 3', usd: 900, newLinks: 300_000, clicks: 3_500_000 },
    ],
    source:
      'https://github.com/dubinc/dub/blob/09de5c5aa9e8bfba39e41cb3807019eb8c5b44c1/packages/utils/src/constants/pricing/pricing-plans.tsx',
    dated: "Dub's own code, 2026",
    remark: 'In September 2026, another source lists a 14-day trial instead of the free plan',
  },
  {
    name: 'Rebrandly',
    plans: [
      { name: 'Free', usd: 0, newLinks: 10, clicks: 100 },
      { name: 'Essentials', usd: 11, newLinks: 250, clicks: 10_000 },
      { name: 'Professional', usd: 32, newLinks: 1_500, clicks: 25_000 },
      { name: 'Growth', usd: 99, newLinks: 3_500, clicks: 150_000 },
    ],
    source: quotes,
    dated: 'quoted by others, 2026-03-23',
    remark: 'With yearly billing, Growth is $69',
  },
];
