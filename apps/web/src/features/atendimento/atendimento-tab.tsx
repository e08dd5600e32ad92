import clsx from 'clsx'
import { RotateCw } from 'lucide-react'
import { lazy, memo, type ReactNode, Suspense, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { useEstadoSocket } from '#shared/socket.ts'
import { useUsuario } from '#shared/session.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { CartoesDosSetores } from './cartoes-dos-setores.tsx'
import { useSetores } from './dados.ts'
import { type Filtro, SEM_FILTRO } from './filtros.ts'
import { FiltrosDaLista, Lista } from './lista.tsx'
import { useAberta } from './use-aberta.ts'
import { useSelecao } from './use-selecao.ts'
import { useContagens, useSetorDe, useVisiveis } from './use-visiveis.ts'

const carregarChat = () => import('./chat.tsx')
const Chat = memo(lazy(async () => ({ default: (await carregarChat()).Chat })))
const Ferramentas = memo(lazy(async () => ({ default: (await import('./ferramentas.tsx')).Ferramentas })))
const Testar = memo(lazy(async () => ({ default: (await import('./testar.tsx')).Testar })))
const MaisConversas = lazy(async () => ({ default: (await import('./mais-conversas.tsx')).MaisConversas }))
const Depuracao = lazy(async () => ({ default: (await import('./depuracao.tsx')).Depuracao }))
const NenhumaAberta = lazy(async () => ({ default: (await import('./nenhuma-aberta.tsx')).NenhumaAberta }))
const Detalhes = memo(lazy(async () => ({ default: (await import('./detalhes.tsx')).Detalhes })))

export interface AtendimentoTabProps {
  readonly menu?: ReactNode
}

export function AtendimentoTab({ menu }: AtendimentoTabProps) {
  const umaColuna = !useMediaQuery('(min-width: 64rem)')
  const largo = useMediaQuery('(min-width: 84rem)')
  const selecao = useSelecao(umaColuna)
  const { setores: servidos } = useUsuario()
  const meus = servidos === undefined || servidos.length === 0 ? null : servidos
  const [escolhido, setFiltro] = useState<Filtro>({ ...SEM_FILTRO, meus })
  // The dono may change the operador's setores while the list is open.
  const filtro = useMemo(() => (escolhido.meus === null ? escolhido : { ...escolhido, meus }), [escolhido, meus])
  const { abertas, visiveis, doServidor, ...lista } = useVisiveis(filtro)
  const setores = useSetores()
  const contagens = useContagens(abertas.conversas, abertas.temMais)
  const busca = useRef<HTMLInputElement>(null)
  const quadro = useRef<HTMLDivElement>(null)
  const { tipo: socket } = useEstadoSocket()
  useEffect(() => void carregarChat().catch(() => undefined), [])

  const setorDe = useSetorDe(setores, abertas.conversas)
  const { id: abertaId } = selecao
  const carregando = lista.carregando || abertas.carregando
  // Deferred, so that the card reacts to the click before the heavier chat renders.
  const pedida = useAberta(selecao, abertas.conversas, doServidor, carregando)
  const desenhada = useDeferredValue(pedida)
  const aberta = pedida === undefined ? undefined : desenhada

  useHotkeys({
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

  // On a phone it goes below the last row, to leave the height to the rows.
  const depuracao = (
    <Suspense>
      <Depuracao
        linhas={[
          ['Conversas', abertas.conversas.length],
          ['Na tela', visiveis.length],
          ['Tempo real', socket],
          ['Selecionada', abertaId ?? 'nenhuma'],
        ]}
      />
    </Suspense>
  )
  const proxima = visiveis.find(({ status }) => status === 'aguardando')
  return (
    <div
      data-tela-cheia
      className="-m-3 flex min-h-0 flex-1 flex-col overflow-hidden bg-surface sm:-m-6 lg:m-0 lg:rounded-card lg:border lg:shadow-card"
    >
      <div
        className={clsx(
          'items-center justify-end gap-1 border-b bg-bg px-2 py-1 max-sm:flex-wrap',
          umaColuna && aberta !== undefined ? 'hidden' : 'flex',
        )}
      >
        <CartoesDosSetores
          setores={setores}
          contagens={abertas.carregando ? null : contagens}
          filtro={filtro}
          onMudar={setFiltro}
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
            'min-h-0 w-full flex-col lg:w-80 lg:flex-none lg:border-r 2xl:w-96',
            umaColuna && aberta !== undefined ? 'hidden' : 'flex',
          )}
        >
          <FiltrosDaLista filtro={filtro} onMudar={setFiltro} campo={busca} meus={meus} />
          <div ref={quadro} className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain">
            {abertas.erro !== null && abertas.conversas.length > 0 && (
              <p role="status" className="bg-warn-soft px-3 py-2 text-sm font-semibold text-warn-ink">
                {abertas.copia ? 'Cópia guardada neste aparelho. ' : 'Não foi possível atualizar. '}
                <button type="button" className="min-h-8 underline" onClick={abertas.recarregar}>
                  Tentar de novo
                </button>
              </p>
            )}
            <Lista
              quadro={quadro}
              conversas={visiveis}
              setorDe={setorDe}
              abertaId={abertaId}
              carregando={lista.carregando}
              erro={lista.erro}
              filtro={filtro}
              onLimpar={() => setFiltro(SEM_FILTRO)}
              onAbrir={selecao.abrir}
              onTentar={lista.tentar}
              rodape={
                <Suspense>
                  {lista.temMais && (
                    <MaisConversas quadro={quadro} lidas={lista.lidas} carregarMais={lista.carregarMais} />
                  )}
                  {umaColuna && depuracao}
                </Suspense>
              }
              acaoVazia={
                <Suspense>
                  <Testar setores={setores} />
                </Suspense>
              }
            />
          </div>
          {!umaColuna && depuracao}
        </section>
        {aberta !== undefined ? (
          // The chat has its own boundary: while its chunk loads, list and empty state stay visible.
          <Suspense key="chat" fallback={<div className="wall flex-1" />}>
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
              <aside aria-label="Detalhes" className="relative w-60 flex-none overflow-y-auto border-l p-4 2xl:w-72">
                <Detalhes key={aberta.id} conversa={aberta} setor={setorDe(aberta.setor)} />
              </aside>
            )}
          </Suspense>
        ) : (
          !umaColuna && (
            <Suspense key="nenhuma" fallback={<div className="wall flex-1" />}>
              <NenhumaAberta
                haConversas={visiveis.length > 0 || carregando}
                proxima={proxima?.id}
                onAbrir={selecao.abrir}
              />
            </Suspense>
          )
        )}
      </div>
    </div>
  )
}
