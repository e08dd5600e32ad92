import { Link } from '@tanstack/react-router'
import { ArrowLeft, ArrowRight, Printer } from 'lucide-react'
import { Fragment, type ReactNode, createElement, useEffect, useRef } from 'react'
import { TEMAS } from 'virtual:manual'
import { useTitle } from '#shared/hooks/use-title.ts'
import { Button } from '#shared/ui/button.tsx'
import { type ManualNode, type Tema, headingsOf } from './tema.ts'

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

function Prose({ nos }: { nos: readonly ManualNode[] }) {
  return nos.map((no, index) => (
    // The parts of a page never change, so the index is a stable key.
    <Fragment key={index}>
      <ProseNode no={no} />
    </Fragment>
  ))
}

function TemaNeighbours({ tema }: { tema: Tema }) {
  const aqui = TEMAS.indexOf(tema)
  const before = TEMAS[aqui - 1]
  const after = TEMAS[aqui + 1]
  const classe = 'inline-flex min-h-11 items-center gap-2 font-semibold text-brand-ink hover:underline'
  return (
    <nav
      aria-label="Outras páginas"
      className="mt-10 flex flex-wrap justify-between gap-x-6 border-t pt-3 print:hidden"
    >
      {before !== undefined && (
        <Link to="/ajuda/{-$tema}" params={{ tema: before.id }} className={classe}>
          <ArrowLeft size={17} aria-hidden /> {before.titulo}
        </Link>
      )}
      {after !== undefined && (
        <Link to="/ajuda/{-$tema}" params={{ tema: after.id }} className={`${classe} ml-auto`}>
          {after.titulo} <ArrowRight size={17} aria-hidden />
        </Link>
      )}
    </nav>
  )
}

export function ManualPage({ tema }: { tema: Tema }) {
  useTitle(tema.titulo)
  const title = useRef<HTMLHeadingElement>(null)
  const first = useRef(true)
  useEffect(() => {
    // Focus moves to the new title, so that screen readers announce the page change.
    if (!first.current) title.current?.focus({ preventScroll: true })
    first.current = false
  }, [tema])
  const titles = headingsOf(tema)
  return (
    <article>
      <div className="flex items-start gap-3">
        <h1
          ref={title}
          tabIndex={-1}
          className="mr-auto text-3xl font-extrabold tracking-[-0.03em] outline-none sm:text-4xl"
        >
          {tema.titulo}
        </h1>
        <Button variant="ghost" className="max-sm:hidden print:hidden" onClick={() => print()}>
          <Printer size={17} aria-hidden /> Imprimir
        </Button>
      </div>
      <p className="mt-2 max-w-[62ch] text-lg text-muted">{tema.resumo}</p>
      {titles.length > 2 && (
        <nav aria-label="Nesta página" className="mt-5 max-w-[62ch] rounded-card bg-sunken p-4 print:hidden">
          <p className="text-sm font-bold">Nesta página</p>
          <ul className="mt-1 flex flex-wrap gap-x-4 text-sm">
            {titles.map(({ id, titulo: name }) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  className="inline-block py-1 text-muted underline-offset-4 hover:text-ink hover:underline"
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <div className="prosa mt-6">
        <Prose nos={tema.blocos} />
      </div>
      <TemaNeighbours tema={tema} />
    </article>
  )
}
