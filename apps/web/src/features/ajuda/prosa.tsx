import { Link } from '@tanstack/react-router'
import { createElement, Fragment, type ReactNode } from 'react'
import type { No } from './tema.ts'

const LINK = 'font-semibold text-brand-ink underline underline-offset-2'

const CLASSE: Readonly<Record<string, string>> = {
  h2: 'mt-10 mb-3 scroll-mt-6 text-xl font-bold break-after-avoid',
  h3: 'mt-6 mb-2 scroll-mt-6 font-bold break-after-avoid',
  p: 'mt-3 max-w-[66ch] leading-7 first:mt-0',
  ul: 'mt-3 max-w-[66ch] list-disc space-y-1.5 pl-5 leading-7 marker:text-brand',
  ol: 'mt-3 max-w-[66ch] list-decimal space-y-1.5 pl-6 leading-7 marker:font-bold marker:text-brand-ink',
  th: 'border-b border-line-strong py-2 pr-4 align-bottom text-sm font-bold',
  td: 'border-b border-line py-2 pr-4 align-top',
  blockquote: 'mt-5 max-w-[66ch] rounded-card bg-warn-soft p-4 text-warn-ink break-inside-avoid',
  code: 'rounded bg-sunken px-1.5 py-0.5 font-mono text-[0.9em]',
}

function Tabela({ children }: { children: ReactNode }) {
  // Wider than a phone, it scrolls by itself.
  return (
    <div className="relative mt-4 max-w-[72ch] overflow-x-auto" role="group" tabIndex={0} aria-label="Tabela">
      <table className="w-full border-collapse text-left">{children}</table>
    </div>
  )
}

function Parte({ no }: { no: No }): ReactNode {
  if (typeof no === 'string') return no
  const dentro = <Prosa nos={no.c} />
  if (no.t === 'tema') {
    return (
      <Link to="/ajuda/{-$tema}" params={{ tema: no.para }} className={LINK}>
        {dentro}
      </Link>
    )
  }
  if (no.t === 'aba') {
    return (
      <Link to="/dashboard" search={{ aba: no.para }} className={LINK}>
        {dentro}
      </Link>
    )
  }
  if (no.t === 'pagina') {
    return (
      <Link to={no.para} className={LINK}>
        {dentro}
      </Link>
    )
  }
  if (no.t === 'table') return <Tabela>{dentro}</Tabela>
  return createElement(no.t, { className: CLASSE[no.t], id: no.id, scope: no.t === 'th' ? 'col' : undefined }, dentro)
}

/** A page of the manual as elements: every tag is one this file and the build know. */
export function Prosa({ nos }: { nos: readonly No[] }) {
  return nos.map((no, indice) => (
    // A page never changes while it is read: its parts are their places.
    <Fragment key={indice}>
      <Parte no={no} />
    </Fragment>
  ))
}
