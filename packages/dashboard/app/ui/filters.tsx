import { useLocation } from 'preact-iso';
import { mount } from '../api/connection.ts';
import { t } from '../text/index.ts';
import { Link } from './link.tsx';
import { useFilters } from './list.ts';

/** A filter of a list: a parameter of the API with its values and their words. */
export interface Filter {
  readonly name: string;
  readonly title: string;
  readonly values: readonly (readonly [value: string, title: string])[];
}

/** Filters of a list; each choice is in the address, so that it can be shared and reloaded. */
export function Filters({
  filters,
  searchable = false,
}: {
  readonly filters: readonly Filter[];
  readonly searchable?: boolean;
}) {
  const { path, route } = useLocation();
  const { filters: chosen } = useFilters();
  const page = path.slice(mount.pathname.length);
  const choose = (name: string, value: string) => {
    const next = new URLSearchParams(chosen);
    if (value === '') next.delete(name);
    else next.set(name, value);
    route(`${path}${next.size === 0 ? '' : `?${next}`}`);
  };
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      {searchable ? (
        <div class="search">
          <input
            class="input"
            type="search"
            aria-label={t.common.search}
            placeholder={t.common.search}
            value={chosen.q ?? ''}
            onChange={(event) => choose('q', event.currentTarget.value)}
          />
        </div>
      ) : null}
      {filters.map(({ name, title, values }) => (
        <label class="row" key={name}>
          <span class="small soft">{title}</span>
          <select
            class="input"
            value={chosen[name] ?? ''}
            onChange={(event) => choose(name, event.currentTarget.value)}
          >
            <option value="">{t.common.all}</option>
            {values.map(([value, word]) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </select>
        </label>
      ))}
      {Object.keys(chosen).length > 0 ? (
        <Link class="btn btn--ghost btn--sm" href={page}>
          {t.common.clear}
        </Link>
      ) : null}
    </form>
  );
}
