import type { Difference } from './words.ts';

/** The values that an undo gives back, by the names of their fields. */
export const Values = ({ all }: { readonly all: readonly Difference[] }) => (
  <dl className="undo-changes">
    {all.map(({ field, name, text }) => (
      <div key={field}>
        <dt>{name}</dt>
        <dd>
          <bdi>{text}</bdi>
        </dd>
      </div>
    ))}
  </dl>
);
