import { useRef } from 'react';
import { TagPicker } from '../../parts/filter/tag-picker.tsx';
import { Chip } from '../../parts/kit/chip.tsx';
import { useTags } from '../../service/queries.ts';
import type { LinkTag } from '../../service/types.ts';

type TagsProps = {
  readonly label?: string;
  /** Ids. */
  readonly chosen: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
  readonly message: string | undefined;
  readonly hint?: string | undefined;
  /** Tags that the list of tags may lack: the link's, or one that is created with the links. */
  readonly ownTags: readonly LinkTag[] | undefined;
};

export function TagsField({ label = 'Tags', chosen, onChange, message, hint, ownTags = [] }: TagsProps) {
  const { data: listed = [] } = useTags();
  const all: readonly LinkTag[] = [...listed, ...ownTags.filter(({ id }) => !listed.some((tag) => tag.id === id))];
  const list = useRef<HTMLDivElement>(null);
  const remove = (id: string, at: number) => {
    onChange(chosen.filter((one) => one !== id));
    // The focus goes to the next tag's button, or to the one that opens the list.
    requestAnimationFrame(() => list.current?.querySelectorAll('button')[at]?.focus());
  };
  return (
    <div className="field">
      <span className="label">{label}</span>
      <div ref={list} className="actions">
        {chosen.map((id, at) => {
          const tag = all.find((one) => one.id === id);
          const name = tag?.name ?? 'Unknown tag';
          return (
            <Chip key={id} color={tag?.color} remove={`Remove the tag ${name}`} onRemove={() => remove(id, at)}>
              {name}
            </Chip>
          );
        })}
        <TagPicker label="Choose" canCreate tags={all} chosen={chosen} onChange={onChange} />
      </div>
      {hint && <p className="small">{hint}</p>}
      {message !== undefined && <p className="field-error">This {message}.</p>}
    </div>
  );
}
