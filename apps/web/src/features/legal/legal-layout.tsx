import { ANO_COPYRIGHT } from '@balcao/contract/constants'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { useTitle } from '#shared/hooks/use-title.ts'
import { Logo } from '#shared/ui/logo.tsx'
import { ThemeToggle } from '#shared/ui/theme-toggle.tsx'

export interface LegalClause {
  readonly id: string
  readonly title: string
  readonly body: ReactNode
}

export interface LegalLayoutProps {
  readonly title: string
  readonly summary: string
  readonly effectiveDate: string
  readonly clauses: readonly LegalClause[]
  readonly otherPage: { readonly to: '/terms' | '/privacy'; readonly rotulo: string }
}

const LINK_CLASS = 'inline-block py-1 underline-offset-4 hover:text-ink hover:underline'

export function LegalLayout({ title, summary: resumo, effectiveDate, clauses, otherPage }: LegalLayoutProps) {
  useTitle(title)
  const fits = useMediaQuery('(min-width: 64rem)')
  return (
    <div className="min-h-dvh">
      <div className="marquise h-7" aria-hidden />
      <header className="mx-auto flex max-w-5xl items-center justify-between px-5 py-3 sm:px-8">
        <a href="/" aria-label="Balcão, início" className="rounded-lg py-1">
          <Logo />
        </a>
        <ThemeToggle />
      </header>
      <div className="mx-auto max-w-5xl gap-14 px-5 pt-8 pb-16 sm:px-8 lg:grid lg:grid-cols-[14rem_minmax(0,1fr)]">
        <nav aria-label="Nesta página" className="mb-8 lg:sticky lg:top-8 lg:mb-0 lg:self-start">
          <details open={fits} className="rounded-card bg-sunken p-4 lg:bg-transparent lg:p-0">
            <summary className="text-sm font-bold lg:mb-2">Nesta página</summary>
            <ol className="mt-2 space-y-0.5 text-sm text-muted">
              {clauses.map(({ id, title: name }, index) => (
                <li key={id}>
                  <a href={`#${id}`} className={LINK_CLASS}>
                    {index + 1}. {name}
                  </a>
                </li>
              ))}
            </ol>
          </details>
        </nav>
        <main>
          <a href="/" className="mb-4 inline-flex min-h-11 items-center gap-2 text-sm font-semibold text-brand-ink">
            <ArrowLeft size={16} aria-hidden />
            Voltar ao início
          </a>
          <h1 className="text-3xl font-extrabold tracking-[-0.03em] sm:text-4xl">{title}</h1>
          <p className="mt-3 max-w-[62ch] text-lg text-muted">{resumo}</p>
          <p className="mt-2 text-sm text-muted">Em vigor desde {effectiveDate}.</p>
          {clauses.map(({ id, title: name, body }, index) => (
            <section key={id} id={id} aria-labelledby={`${id}-titulo`} className="prosa scroll-mt-8">
              <h2 id={`${id}-titulo`} className="mt-10 mb-3 text-xl font-bold">
                {index + 1}. {name}
              </h2>
              {body}
            </section>
          ))}
        </main>
      </div>
      <footer className="mx-auto flex max-w-5xl flex-wrap gap-x-5 gap-y-1 border-t border-line px-5 py-5 text-sm text-muted sm:px-8">
        <span className="py-1">© {ANO_COPYRIGHT} Balcão</span>
        <Link to={otherPage.to} className={LINK_CLASS}>
          {otherPage.rotulo}
        </Link>
        <Link to="/login" className={LINK_CLASS}>
          Entrar
        </Link>
      </footer>
    </div>
  )
}
