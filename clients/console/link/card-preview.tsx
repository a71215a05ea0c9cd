import type { Values } from './fields/fields.ts';

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

/**
 * How a chat shows the link. The picture is not loaded, because its host would learn who looks: the host's name is
 * shown instead.
 */
export function CardPreview({ values }: { readonly values: Values }) {
  const [title, description, image] = [values.title, values.description, values.image].map((value) => String(value ?? '').trim());
  if (!description && !image) {
    return (
      <p className="small">
        Chat apps and social networks show the destination’s own preview. Add a description or a picture to show yours.
      </p>
    );
  }
  return (
    <figure className="card-preview">
      {image && (
        <div className="card-picture small">
          Picture from <bdi>{hostOf(image) || 'an invalid address'}</bdi>
        </div>
      )}
      <figcaption>
        <strong className="cut">
          <bdi>{title || 'The short link'}</bdi>
        </strong>
        <span className="small">
          <bdi>{description}</bdi>
        </span>
      </figcaption>
    </figure>
  );
}
