import type { ComponentChildren } from 'preact';
import { docsUrl } from '../api/connection.ts';
import { may, organizationId, person, serves, signOut } from '../api/session.ts';
import type { PageRoute } from '../routes.ts';
import { NAV_GROUPS, routes } from '../routes.ts';
import { chooseLanguage, LANGUAGES, t } from '../text/index.ts';
import { Icon } from './icon.tsx';
import { Link, toHref } from './link.tsx';
import type { Theme } from './theme.ts';
import { chooseTheme, chosenTheme } from './theme.ts';

/** The frame of every page: side bar, top bar, content. */
export function Shell({
  path,
  children,
}: {
  readonly path: string;
  readonly children: ComponentChildren;
}) {
  return (
    <>
      <a
        class="skip"
        href={`${location.pathname}${location.search}#main`}
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        {t.nav.skip}
      </a>
      <div class="shell">
        <SideBar path={path} />
        <TopBar path={path} />
        <main class="main" id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
    </>
  );
}

function SideBar({ path }: { readonly path: string }) {
  const seen = routes.filter(
    ({ nav, operation }) => nav && may(nav.permission) && serves(operation),
  );
  const organization = organizationName();
  return (
    <nav class="side" id="side" popover="auto" aria-label={t.nav.main}>
      <div class="side-head">
        <div class="switcher">
          <span class="mark" aria-hidden="true">
            {organization.slice(0, 1).toUpperCase()}
          </span>
          <span>
            <b dir="auto">{organization}</b>
          </span>
        </div>
      </div>
      <div class="side-nav">
        <NavList links={seen.filter(({ nav }) => nav?.group === null)} path={path} />
        {NAV_GROUPS.map((group) => ({
          group,
          links: seen.filter(({ nav }) => nav?.group === group),
        }))
          .filter(({ links }) => links.length > 0)
          .map(({ group, links }) => (
            <>
              <h2 id={`nav-${group}`}>{t.nav[group]}</h2>
              <NavList links={links} path={path} labelledBy={`nav-${group}`} />
            </>
          ))}
      </div>
      <AccountMenu />
    </nav>
  );
}

/** The name of the organization, or its id where only the host knows the name. */
function organizationName(): string {
  return person.value?.session?.organization.name ?? organizationId.value;
}

function NavList({
  links,
  path,
  labelledBy,
}: {
  readonly links: readonly PageRoute[];
  readonly path: string;
  readonly labelledBy?: string;
}) {
  return (
    <ul aria-labelledby={labelledBy}>
      {links.map(({ path: each, nav }) =>
        nav ? (
          <li key={each}>
            <Link
              class="side-link"
              href={each}
              current={each === '' ? path === '' : path === each || path.startsWith(`${each}/`)}
            >
              <Icon name={nav.icon} />
              {t.nav[nav.name]}
            </Link>
          </li>
        ) : null,
      )}
    </ul>
  );
}

function AccountMenu() {
  if (!person.value) return null;
  const { caller, session } = person.value;
  const name = session?.member.name ?? session?.member.email ?? caller.memberId;
  return (
    <>
      <div class="side-foot">
        <button class="switcher" type="button" popovertarget="me">
          <span class="mark mark--person" aria-hidden="true">
            {name.slice(0, 2).toUpperCase()}
          </span>
          <span>
            <span class="sr">{t.nav.account}: </span>
            <b dir="auto">{name}</b>
            {caller.role ? <small>{t.role[caller.role]}</small> : null}
          </span>
          <Icon name="updown" />
        </button>
      </div>
      <div class="menu menu--up" id="me" popover="auto">
        {session ? (
          <>
            <p class="menu-title">{session.member.email}</p>
            <Link class="menu-item" href="profile">
              <Icon name="person" />
              {t.nav.profile}
            </Link>
          </>
        ) : null}
        <a class="menu-item" href={docsUrl.href} target="_blank" rel="noreferrer">
          <Icon name="book" />
          {t.nav.docs}
        </a>
        <hr />
        <fieldset>
          <legend>{t.nav.appearance}</legend>
          <div class="seg seg--sm">
            {(['system', 'light', 'dark'] as const).map((theme: Theme) => (
              <label key={theme}>
                <input
                  type="radio"
                  name="theme"
                  defaultChecked={chosenTheme() === theme}
                  onChange={() => chooseTheme(theme)}
                />
                {t.nav[theme]}
              </label>
            ))}
          </div>
        </fieldset>
        <fieldset>
          <legend>{t.nav.languageName}</legend>
          <div class="seg seg--sm">
            {(Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]).map((language) => (
              <label key={language} lang={language}>
                <input
                  type="radio"
                  name="language"
                  defaultChecked={t.language === language}
                  onChange={() => chooseLanguage(language)}
                />
                {LANGUAGES[language]}
              </label>
            ))}
          </div>
        </fieldset>
        {session ? (
          <>
            <hr />
            <button class="menu-item" type="button" onClick={() => void signOut()}>
              <Icon name="logout" />
              {t.nav.signOut}
            </button>
          </>
        ) : null}
      </div>
    </>
  );
}

function TopBar({ path }: { readonly path: string }) {
  const [section = '', item] = path.split('/');
  const nav = routes.find((route) => route.path === section)?.nav;
  return (
    <header class="topbar">
      <button
        class="btn btn--ghost btn--icon only-narrow"
        type="button"
        popovertarget="side"
        aria-label={t.nav.main}
      >
        <Icon name="menu" />
      </button>
      <nav class="crumbs" aria-label={t.nav.path}>
        <ol>
          <li>
            <a href={toHref('')}>{organizationName()}</a>
          </li>
          {nav && section !== '' ? (
            <li aria-current={item ? undefined : 'page'}>
              {item ? <Link href={section}>{t.nav[nav.name]}</Link> : t.nav[nav.name]}
            </li>
          ) : null}
          {item ? <li aria-current="page">{item}</li> : null}
        </ol>
      </nav>
    </header>
  );
}
