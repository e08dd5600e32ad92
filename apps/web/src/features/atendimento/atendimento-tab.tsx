import clsx from 'clsx'
import { MessageCircle, RotateCw } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { avisar } from '#shared/avisos.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { useEstadoSocket } from '#shared/socket.ts'
import { Button } from '#shared/ui/button.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { EmptyState, Skeleton } from '#shared/ui/states.tsx'
import { CartoesDosSetores } from './cartoes-dos-setores.tsx'
import { useSetores, useTotaisEmDia } from './dados.ts'
import { SEM_FILTRO } from './filtros.ts'
import { FiltrosDaLista, Lista } from './lista.tsx'
import { useNotificacoes } from './use-notificacoes.ts'
import { useSelecao } from './use-selecao.ts'
import { useContagens, useSetorDe, useVisiveis } from './use-visiveis.ts'

// The list is what everybody sees first; a chat comes with the first conversation opened.
const carregarChat = () => import('./chat.tsx')
const Chat = lazy(async () => ({ default: (await carregarChat()).Chat }))
const Ferramentas = lazy(async () => ({ default: (await import('./ferramentas.tsx')).Ferramentas }))
const Testar = lazy(async () => ({ default: (await import('./testar.tsx')).Testar }))
const Detalhes = lazy(async () => ({ default: (await import('./detalhes.tsx')).Detalhes }))

function MaisConversas({ carregarMais }: { carregarMais: () => Promise<void> }) {
  const [ocupado, setOcupado] = useState(false)
  const carregar = async (): Promise<void> => {
    setOcupado(true)
    await carregarMais().catch((erro: unknown) => avisar.erro(mensagemDe(erro)))
    setOcupado(false)
  }
  return (
    <div className="p-3 text-center">
      <Button variante="ghost" ocupado={ocupado} onClick={() => void carregar()}>
        Mostrar mais conversas
      </Button>
    </div>
  )
}

interface DepuracaoProps {
  readonly linhas: readonly (readonly [string, ReactNode])[]
}

function Depuracao({ linhas }: DepuracaoProps) {
  return (
    <details className="border-t px-3 py-1 text-xs text-muted">
      <summary className="min-h-8 py-1.5 font-semibold">Depuração</summary>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 pb-2 font-mono">
        {linhas.map(([nome, valor]) => [
          <dt key={nome}>{nome}</dt>,
          <dd key={`${nome}-v`} className="min-w-0 break-all">
            {valor}
          </dd>,
        ])}
      </dl>
    </details>
  )
}

/** Tab atendimento: the conversations that were handed to people (spec §2). `menu` leads to the team's pages. */
export function AtendimentoTab({ menu }: { readonly menu?: ReactNode }) {
  const umaColuna = !useMediaQuery('(min-width: 64rem)')
  const largo = useMediaQuery('(min-width: 84rem)')
  const selecao = useSelecao(umaColuna)
  const [filtro, setFiltro] = useState(SEM_FILTRO)
  const { abertas, visiveis, doServidor, ...lista } = useVisiveis(filtro)
  const setores = useSetores()
  const contagens = useContagens(abertas.conversas, abertas.temMais)
  const busca = useRef<HTMLInputElement>(null)
  const { tipo: socket } = useEstadoSocket()
  useTotaisEmDia()
  useEffect(() => void carregarChat().catch(() => undefined), [])

  const setorDe = useSetorDe(setores, abertas.conversas)
  const { id: abertaId, limpar } = selecao
  const aberta =
    abertaId === undefined ? undefined : [...abertas.conversas, ...doServidor].find(({ id }) => id === abertaId)
  // It ended, here or elsewhere: the selection is cleared (spec §4).
  const sumiu = abertaId !== undefined && aberta === undefined && !lista.carregando && !abertas.carregando
  useEffect(() => {
    if (sumiu) limpar()
  }, [sumiu, limpar])

  const andar = (passo: number): void => {
    const atual = document.activeElement?.getAttribute('data-conversa') ?? abertaId
    const indice = visiveis.findIndex(({ id }) => id === atual)
    const destino = visiveis[indice < 0 ? 0 : Math.min(visiveis.length - 1, Math.max(0, indice + passo))]
    if (destino === undefined) return
    document.querySelector<HTMLElement>(`[data-conversa="${CSS.escape(destino.id)}"]`)?.focus()
  }
  useHotkeys({
    j: () => andar(1),
    k: () => andar(-1),
    '/': (evento) => {
      evento.preventDefault()
      const compositor = document.querySelector<HTMLTextAreaElement>('[data-compositor]')
      if (umaColuna && compositor !== null) compositor.focus()
      else busca.current?.focus()
    },
    Escape: () => {
      if (abertaId !== undefined) selecao.fechar()
    },
  })

  const esperam = abertas.conversas.reduce((soma, { status }) => soma + (status === 'aguardando' ? 1 : 0), 0)
  useNotificacoes(abertaId, selecao.abrir, esperam)
  const proxima = visiveis.find(({ status }) => status === 'aguardando')
  return (
    <div className="-m-3 flex h-[calc(100dvh-7rem-env(safe-area-inset-bottom))] flex-col overflow-hidden bg-surface has-[[data-conversa-aberta]]:max-lg:h-[calc(100dvh-3.5rem)] sm:-m-6 lg:m-0 lg:h-[calc(100dvh-6.5rem)] lg:rounded-card lg:border lg:shadow-card">
      <div
        className={clsx(
          'items-center justify-end gap-1 border-b bg-bg px-2 py-1 max-sm:flex-wrap',
          umaColuna && aberta !== undefined ? 'hidden' : 'flex',
        )}
      >
        <CartoesDosSetores
          setores={setores.filter(({ ativo, id }) => ativo || contagens.has(id))}
          contagens={contagens}
          escolhido={filtro.setor}
          onEscolher={(setor) => setFiltro({ ...filtro, setor })}
        />
        <Suspense>
          <Ferramentas setores={setores} />
        </Suspense>
        {menu}
        <IconButton
          rotulo="Atualizar"
          className="!size-11"
          disabled={abertas.atualizando}
          icone={<RotateCw size={18} aria-hidden className={abertas.atualizando ? 'animate-spin' : undefined} />}
          onClick={abertas.recarregar}
        />
      </div>
      <div className="flex min-h-0 flex-1">
        <section
          aria-label="Lista de conversas"
          className={clsx(
            'min-h-0 w-full flex-col lg:w-80 lg:flex-none lg:border-r',
            umaColuna && aberta !== undefined ? 'hidden' : 'flex',
          )}
        >
          <FiltrosDaLista filtro={filtro} onMudar={setFiltro} campo={busca} />
          <div className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain">
            {abertas.erro !== null && abertas.conversas.length > 0 && (
              <p role="status" className="bg-warn-soft px-3 py-2 text-sm font-semibold text-warn-ink">
                {abertas.copia ? 'Cópia guardada neste aparelho. ' : 'Não foi possível atualizar. '}
                <button type="button" className="min-h-8 underline" onClick={abertas.recarregar}>
                  Tentar de novo
                </button>
              </p>
            )}
            <Lista
              conversas={visiveis}
              setorDe={setorDe}
              abertaId={abertaId}
              carregando={lista.carregando}
              erro={lista.erro}
              filtro={filtro}
              onLimpar={() => setFiltro(SEM_FILTRO)}
              onAbrir={selecao.abrir}
              onTentar={lista.tentar}
              rodape={lista.temMais && <MaisConversas carregarMais={lista.carregarMais} />}
              acaoVazia={
                <Suspense>
                  <Testar setores={setores} />
                </Suspense>
              }
            />
          </div>
          <Depuracao
            linhas={[
              ['Conversas', abertas.conversas.length],
              ['Na tela', visiveis.length],
              ['Tempo real', socket],
              ['Selecionada', abertaId ?? 'nenhuma'],
            ]}
          />
        </section>
        {aberta !== undefined ? (
          <Suspense fallback={<Skeleton className="m-4 h-24 flex-1" />}>
            <Chat
              key={aberta.id}
              conversa={aberta}
              setor={setorDe(aberta.setor)}
              setores={setores}
              copia={abertas.copia}
              largo={largo}
              onFechar={selecao.fechar}
            />
            {largo && (
              <aside aria-label="Detalhes" className="relative w-60 flex-none overflow-y-auto border-l p-4">
                <Detalhes conversa={aberta} setor={setorDe(aberta.setor)} />
              </aside>
            )}
          </Suspense>
        ) : (
          !umaColuna && (
            <div className="wall grid flex-1 place-items-center">
              <div className="rounded-card bg-surface">
                <EmptyState
                  titulo="Escolha uma conversa"
                  icone={<MessageCircle size={22} aria-hidden />}
                  acao={
                    proxima !== undefined && (
                      <Button variante="primary" onClick={() => selecao.abrir(proxima.id)}>
                        Abrir a que espera há mais tempo
                      </Button>
                    )
                  }
                >
                  Use J e K para andar pela lista e Enter para abrir.
                </EmptyState>
              </div>
            </div>
          )
        )}
      </div>
    </div>
  )
}
