import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { TestMode } from '#shared/conexao/test-mode.tsx'
import { ThemeToggle } from '#shared/ui/theme-toggle.tsx'

interface PageFrameProps {
  readonly title: string
  readonly home: '/admin' | '/dashboard'
  readonly children: ReactNode
}

/** Frame of the pages of one person. */
export function PageFrame({ title, home, children }: PageFrameProps) {
  return (
    <div className="min-h-dvh">
      <a href="#conteudo" className="skip btn btn-primary">
        Pular para o conteúdo
      </a>
      <header className="sticky top-0 z-20 flex h-14 items-center gap-2 border-b border-line bg-bg px-2 sm:px-6">
        <Link to={home} className="btn btn-ghost min-h-11">
          <ArrowLeft size={18} aria-hidden />
          <span className="max-sm:sr-only">Voltar ao painel</span>
        </Link>
        <h1 className="mr-auto text-lg font-bold">{title}</h1>
        <ThemeToggle />
      </header>
      <TestMode />
      <main
        id="conteudo"
        tabIndex={-1}
        className="mx-auto grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-5 p-3 pb-16 outline-none sm:p-6"
      >
        {children}
      </main>
    </div>
  )
}
