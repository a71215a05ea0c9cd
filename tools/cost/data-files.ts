import type { Units } from '../bench/support/units.ts';
import type { Operation } from './operations.ts';
import { prices } from './prices.ts';
import { rivals } from './rivals.ts';

/** The units of an operation. */
export type Counted = Pick<Operation, 'name' | 'functionName'> & Units;

/** The cost of a million operations in US dollars, by item. */
export type Cost = { gateway: number; lambda: number; table: number; logs: number; traces: number };

type Cell = string | number;

const quoted = (cell: Cell): Cell => (/[",]/.test(`${cell}`) ? `"${`${cell}`.replaceAll('"', '""')}"` : cell);

const csv = (rows: readonly (readonly Cell[])[]): string => rows.map((row) => `${row.map(quoted).join(',')}\n`).join('');

const unitCells = ({ name, functionName, calls, read, write }: Counted) => [name, functionName, calls, read, write];

/**
 * The text of docs/cost/operations.csv: calls and units of each operation, and the cost of a million in US dollars. A
 * name that begins with "…" continues the previous one.
 *
 * @param most the same operations with the largest links, for which only the units are known.
 */
export const operationsFile = (
  measured: readonly (Operation & Counted & { readonly cost: Cost })[],
  most: readonly Counted[],
): string =>
  csv([
    [
      ...['links', 'operation', 'function', 'calls', 'read units', 'write units', 'assumed ms'],
      ...['gateway', 'functions', 'table', 'logs', 'traces', 'a million'],
    ],
    ...measured.map((operation) => {
      const { gateway, lambda, table, logs, traces } = operation.cost;
      const parts = [gateway, lambda, table, logs, traces];
      const total = parts.reduce((sum, part) => sum + part);
      return ['usual', ...unitCells(operation), operation.assumedMs, ...[...parts, total].map((usd) => usd.toFixed(2))];
    }),
    ...most.map((operation) => ['largest', ...unitCells(operation), '', '', '', '', '', '', '']),
  ]);

/** The text of docs/cost/prices.csv. */
export const pricesFile = (): string =>
  csv([
    ['of', 'what', 'per', 'US dollars', 'source', 'stated by', 'remark'],
    ...Object.values(prices).map(({ usd, per, of, source, dated }) => ['AWS', of, per, usd, source, dated, '']),
    ...rivals.flatMap(({ name, plans, source, dated, remark = '' }) =>
      plans.map((plan) => {
        const links = plan.keptLinks ? `${plan.keptLinks} links` : `${plan.newLinks ?? 'any'} new links`;
        return [name, `${plan.name}: ${links} and ${plan.clicks ?? 'any'} clicks a month`, 1, plan.usd, source, dated, remark];
      }),
    ),
  ]);
