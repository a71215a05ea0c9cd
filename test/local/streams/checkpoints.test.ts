import { expect, test } from 'vitest';
import { openCheckpoints } from '../../../local/streams/checkpoints.ts';
import { temporaryFolder } from '../../support/run/temporary-folder.ts';

test('What all readers of a table have processed depends on that table only, and numbers are compared as numbers.', () => {
  const checkpoints = openCheckpoints(temporaryFolder());
  const readers = [
    { table: 'links', reader: 'sweep' },
    { table: 'links', reader: 'changes' },
    { table: 'activity', reader: 'count' },
  ];
  checkpoints.set('sweep', 'shard-1', '100');
  checkpoints.set('changes', 'shard-1', '9');
  checkpoints.set('count', 'shard-1', '20000000000000000000000');
  checkpoints.set('count', 'shard-2', '30000000000000000000000');
  expect(checkpoints.lowest(readers)).toEqual(
    new Map([
      ['links', 9n],
      ['activity', 20_000_000_000_000_000_000_000n],
    ]),
  );
});

test('A reader that has processed nothing keeps all records of its table; a table without readers has no checkpoint.', () => {
  const checkpoints = openCheckpoints(temporaryFolder());
  checkpoints.set('sweep', 'shard-1', '100');
  const readers = [
    { table: 'links', reader: 'sweep' },
    { table: 'links', reader: 'changes' },
  ];
  expect(checkpoints.lowest(readers)).toEqual(new Map([['links', 0n]]));
  expect(checkpoints.lowest([])).toEqual(new Map());
});
