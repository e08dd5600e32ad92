import { ANO_COPYRIGHT } from '@balcao/contract/constants'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, type ReactNode } from 'react'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { useTitle } from '#shared/hooks/use-title.ts'
import { Logo } from '#shared/ui/logo.tsx'
import { ThemeToggle } from '#shared/ui/theme-toggle.tsx'

const Vitrine = lazy(async () => ({ default: (await import('./vitrine.tsx')).Vitrine }))

export interface AuthLayoutProps {
  readonly titulo: string
  readonly resumo?: ReactNode
  readonly children: ReactNode
}

const RODAPE = 'inline-block py-1 underline-offset-4 hover:underline'

export function AuthLayout({ titulo, resumo, children }: AuthLayoutProps) {
  useTitle(titulo)
  return (
    <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(0,46%)]">
      <div className="flex min-h-dvh flex-col">
        <div className="marquise h-7 lg:hidden" aria-hidden />
        <header className="flex items-center justify-between px-5 py-3 sm:px-8 lg:py-5">
          <a href="/" aria-label="Balcão, início" className="rounded-lg py-1">
            <Logo />
          </a>
          <ThemeToggle />
        </header>
        <main className="mx-auto my-auto w-full max-w-[26rem] px-5 py-6 sm:px-2">
          <h1 className="text-[1.75rem] font-extrabold tracking-[-0.025em]">{titulo}</h1>
          {resumo !== undefined && <p className="mt-2 text-muted">{resumo}</p>}
          <div className="mt-7">{children}</div>
        </main>
        <footer className="flex flex-wrap gap-x-5 gap-y-1 px-5 py-4 text-sm text-muted sm:px-8">
          <span className="py-1">© {ANO_COPYRIGHT} Balcão</span>
          <Link to="/terms" className={RODAPE}>
            Termos de uso
          </Link>
          <Link to="/privacy" className={RODAPE}>
            Privacidade
          </Link>
        </footer>
      </div>
      <Rua />
    </div>
  )
}

function Rua() {
  const cabe = useMediaQuery('(min-width: 64rem)')
  if (!cabe) return null
  return (
    <div aria-hidden className="sticky top-0 flex h-dvh flex-col overflow-hidden bg-brand-soft">
      <div className="marquise h-16 flex-none" />
      <Suspense fallback={<div className="flex-1" />}>
        <Vitrine />
      </Suspense>
      <div className="madeira h-10 flex-none" />
    </div>
  )
}
