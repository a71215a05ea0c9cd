import { listedPlace, listedShards, writeMarks } from '../../../lambdas/core/host/listed-hosts.ts';

/** The marks of a list of names, by its shards, as the operator's command writes them. */
export function marksOf(names: readonly string[]): Uint8Array[] {
  const marks = Array.from({ length: listedShards }, () => [] as bigint[]);
  for (const { shard, mark } of names.map(listedPlace)) marks[shard]?.push(mark);
  return marks.map((some) => writeMarks(BigUint64Array.from(some)));
}
