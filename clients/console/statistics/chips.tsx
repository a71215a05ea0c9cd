import type { RowDimension } from '../../../lambdas/core/click/click.ts';
import { type FilterChip, FilterChips, tagChips } from '../parts/filter/filter-chips.tsx';
import { useTags } from '../service/queries.ts';
import type { SetView } from './controls.tsx';
import { plainView, type StatsView, toggled } from './view.ts';
import { dimensionNames, valueName } from './words.ts';

/** The filters of the clicks, each of which can be removed. */
export function Chips({ view, setView }: { readonly view: StatsView; readonly setView: SetView }) {
  const tags = useTags(view.tags.length > 0);
  const chips: readonly FilterChip<StatsView>[] = [
    ...(view.domain === undefined ? [] : [{ text: view.domain, without: { domain: undefined } }]),
    ...tagChips(view.tags, tags.data),
    ...Object.entries(view.filters).flatMap(([name, values]) =>
      values.map((value) => {
        const dimension = name as RowDimension;
        return {
          text: `${dimensionNames[dimension]}: ${valueName(dimension, value)}`,
          without: { filters: toggled(view.filters, dimension, value) },
        };
      }),
    ),
  ];
  return <FilterChips chips={chips} onChange={setView} onClear={() => setView({ ...everything, linkId: view.linkId })} />;
}

const { linkId, domain, tags, match, filters } = plainView;
/** Without any filters. */
export const everything: Partial<StatsView> = { linkId, domain, tags, match, filters };
