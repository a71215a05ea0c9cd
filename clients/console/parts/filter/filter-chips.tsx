import type { ReactNode } from 'react';
import type { Tag } from '../../service/types.ts';
import { Button } from '../button.tsx';
import { Chip } from '../kit/chip.tsx';

/** A filter in use, and the view's change that removes it. */
export type FilterChip<View> = { readonly text: string; readonly color?: string; readonly without: Partial<View> };

/** The tags among the filters. @param known all tags; undefined until they are loaded */
export const tagChips = (
  ids: readonly string[],
  known: readonly Tag[] | undefined,
): readonly FilterChip<{ readonly tags: readonly string[] }>[] =>
  ids.map((id) => {
    const tag = known?.find((one) => one.id === id);
    return {
      text: tag?.name ?? (known ? 'Unknown tag' : '…'),
      ...(tag && { color: tag.color }),
      without: { tags: ids.filter((one) => one !== id) },
    };
  });

type FilterChipsProps<View> = {
  readonly chips: readonly FilterChip<View>[];
  readonly onChange: (without: Partial<View>) => void;
  readonly onClear: () => void;
  /** Further content after the filters. */
  readonly children?: ReactNode;
};

/** The filters in use. They can be removed one by one, or all at once. */
export const FilterChips = <View,>({ chips, onChange, onClear, children }: FilterChipsProps<View>) =>
  chips.length === 0 ? null : (
    <ul className="chips" aria-label="Filters in use">
      {chips.map(({ text, color, without }) => (
        <li key={`${text} ${JSON.stringify(without)}`}>
          <Chip color={color} remove={`Remove the filter ${text}`} onRemove={() => onChange(without)}>
            {text}
          </Chip>
        </li>
      ))}
      <li>
        <Button kind="link" onClick={onClear}>
          Clear all
        </Button>
      </li>
      {children}
    </ul>
  );
