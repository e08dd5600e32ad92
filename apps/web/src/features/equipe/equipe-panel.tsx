import { isRestricted, type ReadableParts, readerOf } from '@balcao/contract/conversa-access'
import { Link, useNavigate, useRouter } from '@tanstack/react-router'
import { ArrowLeft, Lock, SearchX } from 'lucide-react'
import { type ComponentType, lazy, type ReactNode, useEffect, useRef } from 'react'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useTitle } from '#shared/hooks/use-title.ts'
import { type EquipePanelInfo, findEquipePanel, type EquipePanelId, equipePanelsFor } from '#shared/equipe-panels.ts'
import { useUsuario } from '#shared/session.tsx'
import { TEXTS } from '#shared/texts.ts'
import { Button } from '#shared/ui/button.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { LazyPart } from '#shared/ui/lazy-part.tsx'
import { EmptyState } from '#shared/ui/states.tsx'
import { EQUIPE_MENU_ID } from './equipe-menu.tsx'

const CONTENT: Readonly<Record<EquipePanelId, ComponentType>> = {
  equipe: lazy(async () => ({ default: (await import('./operadores/operadores.tsx')).OperadoresPage })),
  fila: lazy(async () => ({ default: (await import('./queue-page.tsx')).QueuePage })),
  avaliacoes: lazy(async () => ({ default: (await import('./avaliacoes/avaliacoes.tsx')).AvaliacoesPage })),
  relatorio: lazy(async () => ({ default: (await import('./relatorio/relatorio.tsx')).RelatorioPage })),
  respostas: lazy(async () => ({ default: (await import('./respostas/respostas.tsx')).RespostasPage })),
}

/** Pages that an operador with setores reads for those setores alone. */
const COUNTS_CONVERSAS: ReadonlySet<EquipePanelId> = new Set(['avaliacoes', 'relatorio'])

function partialText({ setores, linhas }: ReadableParts): string {
  if (setores.length === 0) return 'Aqui entram só as suas linhas.'
  return `Aqui entram só os seus setores e o Geral${linhas.length === 0 ? '' : ', nas suas linhas'}.`
}

/** Goes back to the tab in its previous state, or opens it if this page was opened by a link. */
function useClosePanel(): () => void {
  const router = useRouter()
  const navigate = useNavigate()
  return () => {
    if (router.state.location.state.sobreAAba === true) router.history.back()
    else void navigate({ to: '/dashboard', search: { aba: 'atendimento' }, replace: true })
  }
}

function PanelTabs({ current }: { current: EquipePanelId | undefined }) {
  const { tipo } = useUsuario()
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [current])
  return (
    <nav aria-label="Equipe e resultados" className="relative min-w-0 overflow-x-auto py-0.5">
      <ul ref={list} className="flex w-max gap-1">
        {equipePanelsFor(tipo !== 'operador').map(({ id, title, icon: Icon }) => (
          <li key={id}>
            <Link
              to="/dashboard"
              search={{ aba: 'atendimento', painel: id }}
              state={({ sobreAAba }) => ({ sobreAAba })}
              replace
              aria-current={id === current ? 'page' : undefined}
              activeProps={{}}
              className="flex min-h-11 items-center gap-2 rounded-[10px] px-3 text-sm font-semibold whitespace-nowrap text-muted -outline-offset-2 hover:bg-sunken hover:text-ink aria-[current=page]:bg-brand-soft aria-[current=page]:text-brand-ink"
            >
              <Icon size={17} aria-hidden className="flex-none" />
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface PanelFrameProps {
  readonly title: string
  readonly purpose?: string
  readonly current?: EquipePanelId
  readonly onClose: () => void
  readonly children: ReactNode
}

function PanelFrame({ title, purpose, current, onClose, children }: PanelFrameProps) {
  const nome = useRef<HTMLHeadingElement>(null)
  useTitle(title)
  useEffect(() => nome.current?.focus({ preventScroll: true }), [title])
  useEffect(() => {
    scrollTo({ top: 0 })
    return () => document.querySelector<HTMLElement>(`#${EQUIPE_MENU_ID} button`)?.focus()
  }, [])
  useHotkeys({ Escape: onClose })
  return (
    <section
      aria-labelledby="titulo-do-painel"
      className="grid grid-cols-[minmax(0,1fr)] gap-4 *:col-span-full sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <div className="-mx-3 flex items-center gap-1 border-b px-1 pb-2 sm:mx-0 sm:px-0">
        <IconButton
          label="Voltar para as conversas"
          tooltip={false}
          size="touch"
          icon={<ArrowLeft size={20} aria-hidden />}
          onClick={onClose}
        />
        <PanelTabs current={current} />
      </div>
      <div className="min-w-0 sm:col-[1]">
        <h2 id="titulo-do-painel" ref={nome} tabIndex={-1} className="text-2xl font-extrabold outline-none">
          {title}
        </h2>
        {purpose !== undefined && <p className="mt-1 text-muted">{purpose}</p>}
      </div>
      {children}
    </section>
  )
}

function NoAccess({ icon, title, onClose, children }: Omit<PanelFrameProps, 'purpose'> & { icon: ReactNode }) {
  return (
    <div className="card">
      <EmptyState
        title={title}
        icon={icon}
        action={
          <Button className="min-h-11" onClick={onClose}>
            Voltar para as conversas
          </Button>
        }
      >
        {children}
      </EmptyState>
    </div>
  )
}

function OpenPanel({ painel, onClose }: { painel: EquipePanelInfo; onClose: () => void }) {
  const usuario = useUsuario()
  const { id, title, purpose, ownerOnly } = painel
  const partial = COUNTS_CONVERSAS.has(id) && isRestricted(readerOf(usuario))
  if (ownerOnly && usuario.tipo === 'operador') {
    return (
      <PanelFrame title={title} onClose={onClose}>
        <NoAccess title={TEXTS.acessoRestrito} icon={<Lock size={22} aria-hidden />} onClose={onClose}>
          Só quem cuida da conta muda a equipe e as regras da fila. Fale com essa pessoa.
        </NoAccess>
      </PanelFrame>
    )
  }
  const Content = CONTENT[id]
  return (
    <PanelFrame
      title={title}
      purpose={partial ? `${purpose} ${partialText(readerOf(usuario))}` : purpose}
      current={id}
      onClose={onClose}
    >
      <LazyPart key={id} name="esta página" drawCard>
        <Content />
      </LazyPart>
    </PanelFrame>
  )
}

export function EquipePanel({ painel }: { painel: string }) {
  const close = useClosePanel()
  const description = findEquipePanel(painel)
  if (description !== null) return <OpenPanel painel={description} onClose={close} />
  return (
    <PanelFrame title="Página não encontrada" onClose={close}>
      <NoAccess title="Esta página não existe" icon={<SearchX size={22} aria-hidden />} onClose={close}>
        O endereço pode ter mudado. Escolha uma das páginas acima.
      </NoAccess>
    </PanelFrame>
  )
}
