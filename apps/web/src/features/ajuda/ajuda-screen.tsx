import { Link, useRouter } from '@tanstack/react-router'
import { ArrowLeft, BookOpen, ChevronRight, SearchX } from 'lucide-react'
import { useDeferredValue, useState, useSyncExternalStore } from 'react'
import { TEMAS } from 'virtual:manual'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { useLoginSession } from '#shared/session.tsx'
import { SupportLink } from '#shared/conta/support-link.tsx'
import { Logo } from '#shared/ui/logo.tsx'
import { EmptyState } from '#shared/ui/states.tsx'
import { ThemeToggle } from '#shared/ui/theme-toggle.tsx'
import { useTitle } from '#shared/hooks/use-title.ts'
import { Button } from '#shared/ui/button.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { ManualPage } from './manual-page.tsx'
import { type Tema, findTema, searchTemas } from './tema.ts'

function TemaCard({ tema, texto }: { tema: Tema; texto: string }) {
  return (
    <li>
      <Link
        to="/ajuda/{-$tema}"
        params={{ tema: tema.id }}
        className="card flex h-full items-start gap-3 p-4 hover:border-brand hover:bg-sunken"
      >
        <span className="min-w-0 flex-1">
          <span className="block font-bold">{tema.titulo}</span>
          <span className="mt-0.5 block text-sm text-muted">{texto}</span>
        </span>
        <ChevronRight size={18} aria-hidden className="mt-0.5 flex-none text-muted" />
      </Link>
    </li>
  )
}

function ManualIndex() {
  useTitle('Ajuda')
  const [search, setSearch] = useState('')
  const wanted = useDeferredValue(search.trim())
  const found = wanted === '' ? TEMAS.map((tema) => ({ tema, excerpt: tema.resumo })) : searchTemas(TEMAS, wanted)
  return (
    <>
      <h1 className="text-3xl font-extrabold tracking-[-0.03em] sm:text-4xl">Ajuda</h1>
      <p className="mt-2 max-w-[62ch] text-lg text-muted">O manual do Balcão, em frases curtas. Procure ou escolha.</p>
      <div role="search" className="mt-6 max-w-md">
        <TextField
          label="Procurar no manual"
          type="search"
          placeholder="feriado, QR Code, senha…"
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      </div>
      <p role="status" className="mt-3 min-h-6 text-sm text-muted">
        {wanted !== '' &&
          found.length > 0 &&
          (found.length === 1 ? '1 página fala disso' : `${found.length} páginas falam disso`)}
      </p>
      {found.length === 0 ? (
        <EmptyState
          title={`Nada sobre “${wanted}”`}
          icon={<SearchX size={22} aria-hidden />}
          action={<Button onClick={() => setSearch('')}>Limpar busca</Button>}
        >
          Tente uma palavra só, como “fila” ou “foto”.
        </EmptyState>
      ) : (
        <ul className="mt-2 grid gap-3 sm:grid-cols-2">
          {found.map(({ tema, excerpt }) => (
            <TemaCard key={tema.id} tema={tema} texto={excerpt} />
          ))}
        </ul>
      )}
    </>
  )
}

const ITEM_CLASS =
  'flex min-h-10 items-center rounded-[10px] px-3 text-sm font-semibold text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-brand-soft aria-[current=page]:text-brand-ink'

/** A link keeps the current parameters unless they are set to undefined. */
const NO_TEMA = { tema: undefined }

function BackLink() {
  const { usuario } = useLoginSession()
  const [para, label] =
    usuario === null ? (['/login', 'Entrar'] as const) : (['/dashboard', 'Voltar ao painel'] as const)
  return (
    <Link to={para} className="btn btn-ghost min-h-11">
      <ArrowLeft size={17} aria-hidden /> {label}
    </Link>
  )
}

function TemaList({ current }: { current: string | undefined }) {
  const fits = useMediaQuery('(min-width: 64rem)')
  return (
    <nav aria-label="Manual" className="mb-8 print:hidden lg:sticky lg:top-8 lg:mb-0 lg:self-start">
      {/* The key folds the list again on each page change. */}
      <details key={current} open={fits} className="rounded-card bg-sunken p-4 lg:bg-transparent lg:p-0">
        <summary className="flex min-h-10 items-center gap-2 px-3 font-bold">
          <BookOpen size={17} aria-hidden /> Manual
        </summary>
        <ul className="grid gap-0.5">
          <li>
            <Link to="/ajuda/{-$tema}" params={NO_TEMA} activeOptions={{ exact: true }} className={ITEM_CLASS}>
              Todas as páginas
            </Link>
          </li>
          {TEMAS.map(({ id, titulo }) => (
            <li key={id}>
              <Link
                to="/ajuda/{-$tema}"
                params={{ tema: id }}
                aria-current={id === current ? 'page' : undefined}
                className={ITEM_CLASS}
              >
                {titulo}
              </Link>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  )
}

/**
 * Reads the topic from the router state. The router's own hook is used nowhere else and would split the shared
 * chunk in two.
 */
function useRequestedTema(): string | undefined {
  const router = useRouter()
  return useSyncExternalStore(
    (changed) => router.subscribe('onResolved', changed),
    () => router.state.location.pathname.split('/')[2],
  )
}

export function AjudaScreen() {
  const request = useRequestedTema()
  const tema = request === undefined ? undefined : findTema(TEMAS, request)
  return (
    <div className="min-h-dvh">
      <div className="marquise h-7 print:hidden" aria-hidden />
      <header className="mx-auto flex max-w-5xl flex-wrap items-center gap-2 px-5 py-3 sm:px-8">
        <span className="mr-auto">
          <Logo />
        </span>
        <span className="ml-auto flex flex-wrap items-center justify-end gap-1 print:hidden">
          <SupportLink className="btn btn-ghost min-h-11" />
          <BackLink />
          <ThemeToggle />
        </span>
      </header>
      <div className="mx-auto max-w-5xl gap-14 px-5 pt-8 pb-16 sm:px-8 lg:grid lg:grid-cols-[14rem_minmax(0,1fr)]">
        <TemaList current={tema?.id} />
        <main id="conteudo" className="min-w-0">
          {tema !== undefined ? (
            <ManualPage tema={tema} />
          ) : request === undefined ? (
            <ManualIndex />
          ) : (
            <>
              <h1 className="text-3xl font-extrabold">Ajuda</h1>
              <EmptyState
                title="Esta página não existe"
                icon={<BookOpen size={22} aria-hidden />}
                action={
                  <Link to="/ajuda/{-$tema}" params={NO_TEMA} className="btn btn-primary">
                    Ver todas as páginas
                  </Link>
                }
              >
                O endereço pode ter mudado.
              </EmptyState>
            </>
          )}
        </main>
      </div>
    </div>
  )
}
