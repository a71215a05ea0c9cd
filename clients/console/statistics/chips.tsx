import type { RowDimension } from '../../../lambdas/core/click/click.ts';
import { Icon } from '../parts/icons.tsx';
import { useTags } from '../service/queries.ts';
import type { SetView } from './controls.tsx';
import { plainView, type StatsView, toggled } from './view.ts';
import { dimensionNames, valueName } from './words.ts';

type Chip = { readonly key: string; readonly text: string; readonly color?: string; readonly without: Partial<StatsView> };

/** What the clicks are filtered by, each of which can be taken away. */
export function Chips({ view, setView }: { readonly view: StatsView; readonly setView: SetView }) {
  const tags = useTags(view.tags.length > 0);
  const chips: readonly Chip[] = [
    ...(view.domain === undefined ? [] : [{ key: 'domain', text: view.domain, without: { domain: undefined } }]),
    ...view.tags.map((id) => {
      const tag = tags.data?.find((one) => one.id === id);
      const without = { tags: view.tags.filter((one) => one !== id) };
      return { key: id, text: tag?.name ?? (tags.data ? 'Unknown tag' : '…'), ...(tag && { color: tag.color }), without };
    }),
    ...Object.entries(view.filters).flatMap(([name, values]) =>
      values.map((value) => {
        const dimension = name as RowDimension;
        return {
          key: `${name} ${value}`,
          text: `${dimensionNames[dimension]}: ${valueName(dimension, value)}`,
          without: { filters: toggled(view.filters, dimension, value) },
        };
      }),
    ),
  ];
  if (chips.length === 0) return null;
  return (
    <ul className="chips" aria-label="Filters in use">
      {chips.map(({ key, text, color, without }) => (
        <li key={key} className="chip">
          {color && <span className="dot" style={{ background: color }} />}
          <bdi>{text}</bdi>
          <button type="button" aria-label={`Remove the filter ${text}`} onClick={() => setView(without)}>
            <Icon name="close" />
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <button type="button" className="link-button" onClick={() => setView({ ...everything, linkId: view.linkId })}>
            Clear all
          </button>
        </li>
      )}
    </ul>
  );
}

const { linkId, domain, tags, match, filters } = plainView;
/** Nothing is left out. */
export const everything: Partial<StatsView> = { linkId, domain, tags, match, filters };
