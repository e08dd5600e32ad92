import { Link } from '@tanstack/react-router'
import { createElement, Fragment, type ReactNode } from 'react'
import type { ManualNode } from './tema.ts'

const LINK_CLASS = 'font-semibold text-brand-ink underline'

const TAG_CLASS: Readonly<Record<string, string>> = {
  h2: 'mt-10 mb-3 scroll-mt-8 text-xl font-bold',
  h3: 'mt-5 mb-2 scroll-mt-8 font-bold',
  th: 'border-b py-2 pr-4 text-sm font-bold',
  td: 'border-b py-2 pr-4',
  blockquote: 'mt-5 max-w-[62ch] rounded-card bg-warn-soft p-4 text-warn-ink',
  code: 'rounded bg-sunken px-1.5 py-0.5 font-mono text-sm',
}

function ProseTable({ children }: { children: ReactNode }) {
  return (
    <div className="relative mt-4 overflow-x-auto" role="group" tabIndex={0} aria-label="Tabela">
      <table className="w-full text-left">{children}</table>
    </div>
  )
}

function ProseNode({ no }: { no: ManualNode }): ReactNode {
  if (typeof no === 'string') return no
  const dentro = <Prose nos={no.c} />
  if (no.t === 'tema') {
    return (
      <Link to="/ajuda/{-$tema}" params={{ tema: no.para }} className={LINK_CLASS}>
        {dentro}
      </Link>
    )
  }
  if (no.t === 'aba') {
    return (
      <Link to="/dashboard" search={{ aba: no.para }} className={LINK_CLASS}>
        {dentro}
      </Link>
    )
  }
  if (no.t === 'pagina') {
    return (
      <Link to={no.para} className={LINK_CLASS}>
        {dentro}
      </Link>
    )
  }
  if (no.t === 'table') return <ProseTable>{dentro}</ProseTable>
  return createElement(
    no.t,
    { className: TAG_CLASS[no.t], id: no.id, scope: no.t === 'th' ? 'col' : undefined },
    dentro,
  )
}

/** Renders only the tags that the build script emits. */
export function Prose({ nos }: { nos: readonly ManualNode[] }) {
  return nos.map((no, index) => (
    // The parts of a page never change, so the index is a stable key.
    <Fragment key={index}>
      <ProseNode no={no} />
    </Fragment>
  ))
}
