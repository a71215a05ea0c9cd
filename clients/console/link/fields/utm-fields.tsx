import { useId } from 'react';
import { type UtmName, utmNames, utmOf, withUtm } from './utm.ts';

const labels: Readonly<Record<UtmName, string>> = {
  utm_source: 'Source',
  utm_medium: 'Medium',
  utm_campaign: 'Campaign',
  utm_term: 'Term',
  utm_content: 'Content',
};

/** The UTM parameters of the destination. They are nothing but a part of it. */
export function UtmFields({ url, onChange }: { readonly url: string; readonly onChange: (url: string) => void }) {
  const id = useId();
  return (
    <fieldset className="utm">
      <legend className="label">UTM parameters of the destination</legend>
      {utmNames.map((name) => (
        <div key={name}>
          <label htmlFor={`${id}-${name}`} className="small">
            {labels[name]}
          </label>
          <input
            id={`${id}-${name}`}
            autoComplete="off"
            value={utmOf(url, name)}
            onChange={(event) => onChange(withUtm(url, name, event.target.value))}
          />
        </div>
      ))}
    </fieldset>
  );
}
