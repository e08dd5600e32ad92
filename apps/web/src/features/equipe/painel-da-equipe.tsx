import { Link, useNavigate, useRouter } from '@tanstack/react-router'
import { ArrowLeft, Lock, SearchX } from 'lucide-react'
import { type ComponentType, lazy, type ReactNode, useEffect, useRef } from 'react'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useTitle } from '#shared/hooks/use-title.ts'
import { type DescricaoDoPainel, lerPainel, type Painel, paineisDe } from '#shared/paineis.ts'
import { useUsuario } from '#shared/session.tsx'
import { TEXTOS } from '#shared/textos.ts'
import { Button } from '#shared/ui/button.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { SobDemanda } from '#shared/ui/sob-demanda.tsx'
import { EmptyState } from '#shared/ui/states.tsx'
import { MENU_DA_EQUIPE } from './endereco.ts'

const CONTEUDO: Readonly<Record<Painel, ComponentType>> = {
  equipe: lazy(async () => ({ default: (await import('./operadores.tsx')).Operadores })),
  avaliacoes: lazy(async () => ({ default: (await import('./avaliacoes.tsx')).Avaliacoes })),
  relatorio: lazy(async () => ({ default: (await import('./relatorio.tsx')).Relatorio })),
  respostas: lazy(async () => ({ default: (await import('./respostas.tsx')).Respostas })),
}

/** Goes back to the tab in its previous state, or opens it if this page was opened by a link. */
function useFechar(): () => void {
  const router = useRouter()
  const navigate = useNavigate()
  return () => {
    if (router.state.location.state.sobreAAba === true) router.history.back()
    else void navigate({ to: '/dashboard', search: { aba: 'atendimento' }, replace: true })
  }
}

function Irmaos({ atual }: { atual: Painel | undefined }) {
  const { tipo } = useUsuario()
  const lista = useRef<HTMLUListElement>(null)
  useEffect(() => {
    lista.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [atual])
  return (
    <nav aria-label="Equipe e resultados" className="relative min-w-0 overflow-x-auto py-0.5">
      <ul ref={lista} className="flex w-max gap-1">
        {paineisDe(tipo !== 'operador').map(({ id, titulo, icone: Icone }) => (
          <li key={id}>
            <Link
              to="/dashboard"
              search={{ aba: 'atendimento', painel: id }}
              state={({ sobreAAba }) => ({ sobreAAba })}
              replace
              aria-current={id === atual ? 'page' : undefined}
              activeProps={{}}
              className="flex min-h-11 items-center gap-2 rounded-[10px] px-3 text-sm font-semibold whitespace-nowrap text-muted -outline-offset-2 hover:bg-sunken hover:text-ink aria-[current=page]:bg-brand-soft aria-[current=page]:text-brand-ink"
            >
              <Icone size={17} aria-hidden className="flex-none" />
              {titulo}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface MolduraProps {
  readonly titulo: string
  readonly paraQue?: string
  readonly atual?: Painel
  readonly onFechar: () => void
  readonly children: ReactNode
}

function Moldura({ titulo, paraQue, atual, onFechar, children }: MolduraProps) {
  const nome = useRef<HTMLHeadingElement>(null)
  useTitle(titulo)
  useEffect(() => nome.current?.focus({ preventScroll: true }), [titulo])
  useEffect(() => {
    scrollTo({ top: 0 })
    return () => document.querySelector<HTMLElement>(`#${MENU_DA_EQUIPE} button`)?.focus()
  }, [])
  useHotkeys({ Escape: onFechar })
  return (
    <section
      aria-labelledby="titulo-do-painel"
      className="grid grid-cols-[minmax(0,1fr)] gap-4 *:col-span-full sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <div className="-mx-3 flex items-center gap-1 border-b px-1 pb-2 sm:mx-0 sm:px-0">
        <IconButton
          rotulo="Voltar para as conversas"
          dica={false}
          className="!size-11"
          icone={<ArrowLeft size={20} aria-hidden />}
          onClick={onFechar}
        />
        <Irmaos atual={atual} />
      </div>
      <div className="min-w-0 sm:!col-[1]">
        <h2 id="titulo-do-painel" ref={nome} tabIndex={-1} className="text-2xl font-extrabold outline-none">
          {titulo}
        </h2>
        {paraQue !== undefined && <p className="mt-1 text-muted">{paraQue}</p>}
      </div>
      {children}
    </section>
  )
}

function SemAcesso({ icone, titulo, onFechar, children }: Omit<MolduraProps, 'paraQue'> & { icone: ReactNode }) {
  return (
    <div className="card">
      <EmptyState
        titulo={titulo}
        icone={icone}
        acao={
          <Button className="min-h-11" onClick={onFechar}>
            Voltar para as conversas
          </Button>
        }
      >
        {children}
      </EmptyState>
    </div>
  )
}

function Aberto({ painel, onFechar }: { painel: DescricaoDoPainel; onFechar: () => void }) {
  const { tipo } = useUsuario()
  const { id, titulo, paraQue, soDono } = painel
  if (soDono && tipo === 'operador') {
    return (
      <Moldura titulo={titulo} onFechar={onFechar}>
        <SemAcesso titulo={TEXTOS.acessoRestrito} icone={<Lock size={22} aria-hidden />} onFechar={onFechar}>
          Só quem cuida da conta convida e muda as pessoas da equipe.
        </SemAcesso>
      </Moldura>
    )
  }
  const Conteudo = CONTEUDO[id]
  return (
    <Moldura titulo={titulo} paraQue={paraQue} atual={id} onFechar={onFechar}>
      <SobDemanda key={id} oQue="esta página" emCartao>
        <Conteudo />
      </SobDemanda>
    </Moldura>
  )
}

export function PainelDaEquipe({ painel }: { painel: string }) {
  const fechar = useFechar()
  const descricao = lerPainel(painel)
  if (descricao !== null) return <Aberto painel={descricao} onFechar={fechar} />
  return (
    <Moldura titulo="Página não encontrada" onFechar={fechar}>
      <SemAcesso titulo="Esta página não existe" icone={<SearchX size={22} aria-hidden />} onFechar={fechar}>
        O endereço pode ter mudado. Escolha uma das páginas acima.
      </SemAcesso>
    </Moldura>
  )
}
