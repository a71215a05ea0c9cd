const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * The milliseconds of a duration such as 90d, 24h, 30m, 10s or 0, up to 99999 of a unit; undefined for any other text.
 */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  const [, count, unit] = /^(\d{1,5})([smhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * units[unit as keyof typeof units];
}
