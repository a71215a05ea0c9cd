import { useId, useRef } from 'react';
import { mostWeight, variantsPerLink } from '../../../../lambdas/core/limits.ts';
import { UrlInput } from '../../parts/forms/url-input.tsx';
import { Button, IconButton } from '../../parts/kit/button.tsx';
import { type Failure, wrongAt } from '../../service/failures.ts';
import { Below } from './below.tsx';
import { shareOf, type VariantValue, withVariant } from './routing.ts';

type VariantsProps = {
  readonly variants: readonly VariantValue[];
  /** The destination of the link, with which the first variant begins. */
  readonly url: string;
  readonly onChange: (variants: readonly VariantValue[]) => void;
  readonly paths: Failure['paths'];
};

/** Destinations among which visitors are divided by weight. */
export function VariantsField({ variants, url, onChange, paths }: VariantsProps) {
  const list = useRef<HTMLFieldSetElement>(null);
  const focusOn = (selector: string) => requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(selector)?.focus());
  const { least, most } = variantsPerLink;
  return (
    <fieldset ref={list} className="routing">
      <legend className="label">Variants</legend>
      <p className="small">
        Visitors for whom no rule holds are divided among them, by weight. The same visitor keeps the same one.
        {variants.length > 0 && variants.length < least && ` There must be at least ${least}, or none.`}
      </p>
      {variants.map((variant, index) => (
        <VariantField
          // biome-ignore lint/suspicious/noArrayIndexKey: names change while somebody types
          key={index}
          variant={variant}
          index={index}
          share={shareOf(variant, variants)}
          paths={paths}
          onChange={(next) => onChange(variants.with(index, next))}
          onRemove={() => {
            onChange(variants.toSpliced(index, 1));
            focusOn('[data-add-variant]');
          }}
        />
      ))}
      {paths.variants !== undefined && <p className="field-error">The variants {paths.variants}.</p>}
      <p className="actions">
        <Button
          data-add-variant=""
          disabled={variants.length >= most}
          onClick={() => {
            const next = withVariant(variants, url);
            onChange(next);
            focusOn(`[data-variant="${next.length - 1}"] input[type=url]`);
          }}
        >
          {variants.length === 0 ? 'Divide visitors' : 'Add a variant'}
        </Button>
      </p>
    </fieldset>
  );
}

type VariantProps = {
  readonly variant: VariantValue;
  readonly index: number;
  readonly share: number | undefined;
  readonly paths: Failure['paths'];
  readonly onChange: (variant: VariantValue) => void;
  readonly onRemove: () => void;
};

function VariantField({ variant, index, share, paths, onChange, onRemove }: VariantProps) {
  const id = useId();
  const at = `variants/${index}`;
  const [wrongId, wrongUrl, wrongWeight] = ['id', 'url', 'weight'].map((field) => wrongAt(paths, `${at}/${field}`));
  const described = (field: string, message: string | undefined) => ({
    id: `${id}-${field}`,
    'aria-invalid': message !== undefined || undefined,
    'aria-describedby': `${id}-${field}-hint`,
  });
  return (
    <fieldset className="variant" data-variant={index}>
      <legend className="hidden">Variant {index + 1}</legend>
      <span className="field">
        <label htmlFor={`${id}-id`} className="small">
          Name
        </label>
        <input
          {...described('id', wrongId)}
          className="mono"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={variant.id}
          onChange={(event) => onChange({ ...variant, id: event.target.value })}
        />
      </span>
      <span className="field">
        <label htmlFor={`${id}-weight`} className="small">
          Weight
          {share !== undefined &&
            `, ${new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 }).format(share)}`}
        </label>
        <input
          {...described('weight', wrongWeight)}
          type="number"
          inputMode="numeric"
          min={0}
          max={mostWeight}
          value={variant.weight}
          onChange={(event) => onChange({ ...variant, weight: event.target.value })}
        />
      </span>
      <IconButton icon="close" label={`Remove variant ${index + 1}`} onClick={onRemove} />
      <span className="field variant-url">
        <label htmlFor={`${id}-url`} className="small">
          Go to
        </label>
        <UrlInput
          {...described('url', wrongUrl)}
          placeholder="https://"
          value={variant.url}
          onText={(url) => onChange({ ...variant, url })}
        />
      </span>
      <Below id={`${id}-id`} message={wrongId} />
      <Below id={`${id}-weight`} message={wrongWeight} />
      <Below id={`${id}-url`} message={wrongUrl} />
    </fieldset>
  );
}
