import { ANO_COPYRIGHT } from '@balcao/contract/constants'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, type ReactNode } from 'react'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { useTitle } from '#shared/hooks/use-title.ts'
import { Logo } from '#shared/ui/logo.tsx'
import { ThemeToggle } from '#shared/ui/theme-toggle.tsx'

const Showcase = lazy(async () => ({ default: (await import('./showcase.tsx')).Showcase }))

export interface AuthLayoutProps {
  readonly title: string
  readonly summary?: ReactNode
  readonly children: ReactNode
}

const FOOTER_CLASS = 'inline-block py-1 underline-offset-4 hover:underline'

export function AuthLayout({ title, summary, children }: AuthLayoutProps) {
  useTitle(title)
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
          <h1 className="text-[1.75rem] font-extrabold tracking-[-0.025em]">{title}</h1>
          {summary !== undefined && <p className="mt-2 text-muted">{summary}</p>}
          <div className="mt-7">{children}</div>
        </main>
        <footer className="flex flex-wrap gap-x-5 gap-y-1 px-5 py-4 text-sm text-muted sm:px-8">
          <span className="py-1">© {ANO_COPYRIGHT} Balcão</span>
          <Link to="/terms" className={FOOTER_CLASS}>
            Termos de uso
          </Link>
          <Link to="/privacy" className={FOOTER_CLASS}>
            Privacidade
          </Link>
        </footer>
      </div>
      <StreetDrawing />
    </div>
  )
}

function StreetDrawing() {
  const fits = useMediaQuery('(min-width: 64rem)')
  if (!fits) return null
  return (
    <div aria-hidden className="sticky top-0 flex h-dvh flex-col overflow-hidden bg-brand-soft">
      <div className="marquise h-16 flex-none" />
      <Suspense fallback={<div className="flex-1" />}>
        <Showcase />
      </Suspense>
      <div className="madeira h-10 flex-none" />
    </div>
  )
}
